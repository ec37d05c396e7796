"""The help of commands, made from their docstrings.

Paragraphs are filled anew, because a terminal has another width than the source; what brackets hold is
shown as it stands. Lines below "Examples:" end the help, as they are, for people to copy.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

_HEADING = "Examples:"


def polish(command: Any, added: str = "", more: str = "") -> None:
    """Give a command, or a group, its help as it is shown.

    added  a sentence that ends its text
    more   examples that stand before its own, one a line
    """
    text, commands = split(command.help or "")
    command.help = escaped(f"{text} {' '.join(added.split())}".strip())
    if found := [*filter(None, more.splitlines()), *commands]:
        command.epilog = examples(found)
    for one in command.params:
        if getattr(one, "help", None):
            one.help = escaped(one.help)
        if one.metavar is None and one.param_type_name == "argument":
            one.metavar = one.name.upper()
    with_types_of_values_alone(command)


def with_types_of_values_alone(command: Any) -> None:
    """Let flags that take no value show no type, --help included."""
    of_typer = command.get_params

    def get_params(context: Any) -> list[Any]:
        found: list[Any] = of_typer(context)
        for one in found:
            if getattr(one, "is_flag", False):
                one.metavar = ""
        return found

    command.get_params = get_params


def split(text: str) -> tuple[str, list[str]]:
    """A docstring's text, with each paragraph on one line, and its examples."""
    said, _, below = inspect.cleandoc(text).partition(f"\n\n{_HEADING}\n")
    paragraphs = (" ".join(part.split()) for part in said.split("\n\n"))
    return "\n\n".join(paragraphs), [line.strip() for line in below.splitlines() if line.strip()]


def examples(commands: Iterable[str]) -> str:
    """The end of a help: commands to copy, one a line."""
    return "\n".join([f"[bold]{_HEADING}[/]", *(f"  {escaped(one)}" for one in commands)])


def escaped(text: str) -> str:
    """Text that rich shows as it stands."""
    return text.replace("[", r"\[")
