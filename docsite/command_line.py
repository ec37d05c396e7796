"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from otherminds.cli import helps, main


def page() -> str:
    """Every command with its text, arguments and options."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from ("# Commands, one by one", "")
    yield "Made from the code. `otherminds COMMAND --help` prints the same."
    group = typer.main.get_command(main.app)
    context = typer.Context(group, info_name="otherminds")
    panel = None
    for name, belongs in main.panels().items():
        if belongs is not panel:
            panel = belongs
            yield from ("", f"## {panel.value}")
        yield from _command(group.get_command(context, name), name, level=3)


def _command(command: Any, name: str, level: int) -> Iterator[str]:
    text, examples = (
        helps.split(command.callback.__doc__ or command.help or "")
        if (command.callback is not None)
        else helps.split(command.help or "")
    )
    yield from ("", f"{'#' * level} otherminds {name}", "", _plain(text))
    if parts := getattr(command, "commands", None):
        for part, one in parts.items():
            yield from _command(one, f"{name} {part}", min(level + 1, 4))
        return
    if examples:
        yield from ("", '```sh title="Examples"', *examples, "```")
    rows = [row for one in command.params if (row := _row(one))]
    if rows:
        yield from ("", "| argument or option | default | meaning |", "| --- | --- | --- |", *rows)


def _row(one: Any) -> str | None:
    if getattr(one, "hidden", False):
        return None
    if one.param_type_name == "argument":
        names = f"`{(one.metavar or one.name).upper()}`"
    else:
        names = ", ".join(f"`{flag}`" for flag in [*one.opts, *one.secondary_opts])
    value = one.default
    is_shown = not callable(value) and value not in (None, False, (), [], ...)
    default = "required" if one.required else f"`{value}`" if is_shown else ""
    return f"| {names} | {_cell(default)} | {_cell(_plain(getattr(one, 'help', '') or ''))} |"


def _plain(text: str) -> str:
    """Text of a help, where Markdown shows its capitals and brackets as they stand."""
    return text.replace("\\[", "[").replace("<", "&lt;").replace("*", "\\*")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
