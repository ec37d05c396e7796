"""Marks of what blind readers answered in words: somebody holds an answer against the truth.

A marker sees the unit's truth and one answer, and neither who gave it nor which other answers there
are. It is none of the unit's authors, and has not read the item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from otherminds.construct.ledger import Entry
from otherminds.construct.pipeline import MARKING, Ask, Marking
from otherminds.construct.refusals import Refusal
from otherminds.construct.replies import Who
from otherminds.construct.state import State
from otherminds.construct.wanted import Wanted, is_among
from otherminds.dataset_builders.constructed import digest


@dataclass(frozen=True)
class Asked(Wanted):
    """A marker's sheet that waits for a reply; `answer` is the reading that is marked."""

    sheet_id: str
    answer: Entry
    number: int
    said: Ask
    marking: Marking
    now: State
    stage: str = MARKING

    @property
    def system(self) -> str:
        """Who is asked to do what."""
        return self.said.system

    @property
    def task(self) -> str:
        """What is shown."""
        return self.said.prompt

    @property
    def form(self) -> type[BaseModel]:
        """The model of a reply."""
        return self.said.reply

    @property
    def place(self) -> dict[str, Any]:
        """Where its reply stands: at the reading that it marks."""
        of = self.answer
        return {
            "unit_id": of.unit_id,
            "item": of.item,
            "slot": of.slot,
            "number": self.number,
        }

    def faults(self, found: dict[str, Any]) -> Iterable[Refusal]:
        """What the pipeline says against a reply."""
        unit = self.now.unit(self.answer.unit_id)
        for one in self.marking.faults(unit, found):
            yield one if isinstance(one, Refusal) else Refusal("marks", one)

    def barred(self, who: Who) -> tuple[str, str] | None:
        """Why somebody must not mark this."""
        if is_among(who.name, self.now.unit(self.answer.unit_id).authors):
            return "own_unit", (
                f"'{who.name}' wrote the unit of '{self.sheet_id}' and must not mark its readers: let "
                "somebody else answer."
            )
        readers = [one.author for one in self.now.readings if one.item == self.answer.item]
        if is_among(who.name, readers):
            return "own_answer", (
                f"'{who.name}' has read the item of '{self.sheet_id}' and must not mark it: let "
                "somebody else answer."
            )
        return None


def asked(marking: Marking, now: State) -> dict[str, Asked]:
    """The markers' sheets that wait for a reply: one for each answer of a reader."""
    came: dict[tuple[str, int], list[Entry]] = {}
    for entry in now.markings:
        came.setdefault((entry.item, entry.slot), []).append(entry)
    found = {}
    for answer in now.readings:
        own = came.get((answer.item, answer.slot), [])
        if answer.content is None or any(one.content is not None for one in own):
            continue
        number = len(own) + 1
        parts = [now.name, MARKING, answer.item, answer.slot, number]
        sheet_id = f"mark-{digest(parts)[:12]}"
        said = marking.ask(now.unit(answer.unit_id), answer.content)
        found[sheet_id] = Asked(sheet_id, answer, number, said, marking, now)
    return found


def marks(marking: Marking, now: State) -> Mapping[tuple[str, int], tuple[bool, ...]]:
    """By item and slot of a reader's answer, which points it meets."""
    return {
        (one.item, one.slot): tuple(marking.marks(one.content))
        for one in now.markings
        if one.content is not None
    }
