"""Several items on one sheet of a reader: what their prompts share is shown once, then each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, create_model

PREFIX: Final = "sheet:"
"""What the ledger calls a sheet of several items begins with this."""

_BREAK: Final = "\n\n"


def answer_name(number: int) -> str:
    """What the answer to the question of this number, from 1, is called in a reply."""
    return f"q{number:02d}"


def prompt(prompts: Sequence[str], numbers: Sequence[int]) -> str:
    """The prompts in one: their common beginning, up to a blank line, then the rest of each."""
    if len(prompts) == 1:
        return f"{prompts[0]}\n\nThis is {answer_name(numbers[0])}."
    blocks = [one.split(_BREAK) for one in prompts]
    shared = 0
    # The last block of each prompt is its own, whatever it says.
    while all(shared < len(one) - 1 and one[shared] == blocks[0][shared] for one in blocks):
        shared += 1
    parts = [
        f"## {answer_name(number)}\n\n{_BREAK.join(one[shared:]).strip()}"
        for number, one in zip(numbers, blocks, strict=True)
    ]
    head = _BREAK.join(blocks[0][:shared]).strip()
    said = "Answer each of these, by its name, as if it were asked alone."
    return _BREAK.join([*([head] if head else []), said, *parts])


def form(answers: Mapping[int, Sequence[str]], base: type[BaseModel]) -> type[BaseModel]:
    """The model of a reply with an answer for each question, by number."""
    fields: dict[str, Any] = {
        answer_name(number): (Literal[tuple(allowed)], Field())
        for number, allowed in answers.items()
    }
    return create_model("Readings", __base__=base, **fields)
