"""All students: what each sees, and how far above chance it may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from otherminds.students.frame import FrameReader
from otherminds.students.neighbours import Neighbours
from otherminds.students.siblings import Offered
from otherminds.students.view import Clues, Edition, Item, Place
from otherminds.students.words import SHOWN, FromText, Student
from otherminds.types import FloatArray

ALONE: Final = 0.03
"""How far above chance the options may lead, of the item or of its siblings: in any edition."""

_BOUNDS: Final[Mapping[Edition, Mapping[str, float]]] = {
    "scale": {},
    "authored": {"line": 0.15, "text": 0.25},
}
"""How far above chance one line or the whole text may lead: these are numbers of ours."""


@dataclass(frozen=True)
class Entry:
    """A student by name.

    sees    what it sees besides the question and its options, for readers of a table
    frame   whether it knows the generator's variables, and what options claim of them
    shown   what it is shown besides the question and its options, by the name in `SHOWN`
    places  which lines a frame-aware one reads
    offered whether it weighs claims by what siblings offer
    near    whether it looks for nearest neighbours
    bound   "alone", "line" or "text": which bound holds for it, if any
    """

    name: str
    sees: str
    shown: str = ""
    places: tuple[Place, ...] = ()
    frame: bool = False
    offered: bool = False
    near: bool = False
    bound: str | None = None

    def allowed(self, edition: Edition) -> float | None:
        """The most that it may be above chance; None where it is reported alone."""
        return ALONE if self.bound == "alone" else _BOUNDS[edition].get(self.bound or "")

    def applies(self, items: Sequence[Item], clues: Clues | None) -> bool:
        """Whether these items show what it looks at."""
        if not self.frame:
            return self.shown in ("", "options") or _says(self.shown, items)
        claimed = any(item.claims for item in items)
        if self.offered and not self.places:
            return claimed and _varied(items)
        if clues is None or not claimed or (self.offered and not _varied(items)):
            return False
        there = {clue.place for some in clues.values() for clue in some}
        return self.places[-1] in there

    def answers(
        self,
        trained: Sequence[Item],
        tested: Sequence[Item],
        known: Clues,
        asked: Clues,
        seed: int,
    ) -> list[FloatArray]:
        """Learn from one half, and give the scores of the options of the other."""
        if self.frame and self.places:
            reader = FrameReader(self.places, offered=self.offered)
            reader.fit(trained, known)
            return reader.scores(tested, asked)
        student: Student
        if self.frame:
            student = Offered()
        elif self.near:
            student = Neighbours(SHOWN[self.shown], seed)
        else:
            student = FromText(SHOWN[self.shown])
        student.fit(trained)
        return student.scores(tested)


ROSTER: Final = (
    Entry("options", "question and options", shown="options", bound="alone"),
    Entry("siblings", "sibling questions", shown="siblings", bound="alone"),
    Entry("background", "the background", shown="background"),
    Entry("line", "one line", shown="line", bound="line"),
    Entry("text", "all words", shown="text", bound="text"),
    Entry("neighbours", "all words, by neighbours", shown="text", near=True, bound="text"),
    Entry("frame_siblings", "frame: siblings", frame=True, offered=True, bound="alone"),
    Entry(
        "frame_background",
        "frame: siblings, background",
        frame=True,
        offered=True,
        places=("background",),
    ),
    Entry("frame_line", "frame: background, one line", frame=True, places=("background", "line")),
    Entry("frame", "frame: all lines", frame=True, places=("background", "line", "text")),
    Entry(
        "frame_all",
        "frame: all lines, siblings",
        frame=True,
        offered=True,
        places=("background", "line", "text"),
    ),
)
"""The students, in the order of tables."""


def _says(shown: str, items: Sequence[Item]) -> bool:
    if shown == "siblings":
        groups = [item.group for item in items]
        return len(set(groups)) < len(groups)
    if shown == "background":
        return any(item.background for item in items)
    if shown == "line":
        return any(item.line is not None or item.text for item in items)
    return any(item.text for item in items)


def _varied(items: Sequence[Item]) -> bool:
    """Whether some slot of the frame is claimed about by more than one item of a group."""
    first: dict[tuple[str, str], str] = {}
    return any(
        first.setdefault((item.group, slot), item.item_id) != item.item_id
        for item in items
        for claims in item.claims
        for slot in claims
    )
