"""How a benchmark's items look to a student. Each benchmark says so in a module of its own folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import pyarrow as pa

from otherminds import benchmark
from otherminds.manifest import Manifest

Claims: TypeAlias = Mapping[str, str]
"""What an option says of the variables of the frame: a value by slot."""

Place: TypeAlias = Literal["background", "line", "text"]
"""Where a clue stands: in what is told beforehand, in the one line that tells most, or elsewhere."""

Edition: TypeAlias = Literal["scale", "authored"]
"""Whether texts were generated in numbers, or written one by one; bounds differ (`roster`)."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """An item as students see it.

    item_id       unique
    group         whom or what it is about: halves are drawn of groups, and intervals are over them
    part          items of different parts are reported apart
    kind          items of one kind are learned together where they have the same options
    question      what is asked
    asked         stands for the question where its wordings differ; the question itself by default
    options       the answers to choose from, in the order shown
    gold          the place of the right one; -1 in what a student is asked
    near          an option so many places from the right one counts as right, as numbers on a scale may
    demographics  what is known of the person beforehand: what follows from it alone counts as chance
    background    what is told before the text
    text          the lines of the scene or interview
    line          the one line that tells most; None: the one that shares most words with the question
    claims        for each option, what it says of the frame's variables; empty where nothing is known
    scales        numbers that may make the item harder, by name; the same names for all items of a part
    """

    item_id: str
    group: str
    question: str
    options: tuple[str, ...]
    gold: int
    part: str = "all"
    kind: str = ""
    asked: str = ""
    near: int = 0
    demographics: str = ""
    background: str = ""
    text: tuple[str, ...] = ()
    line: str | None = None
    claims: tuple[Claims, ...] = ()
    scales: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Clue:
    """A line beside the value that a slot of the frame has: what a frame-aware student is trained on.

    Lines are masked as somebody can mask them who has the generator's code: names by the part that
    their bearers play, phrases by what they are about.

    variable   what kind of thing is to be read; one classifier for each
    slot       which of them it is in the group, as in `Claims`
    text       the line
    value      what the line shows of it; empty where it shows nothing, None in what a student is asked
    place      where the line stands
    candidate  where set, the line is written as if this were the value, and a classifier says whether
               it is
    """

    variable: str
    slot: str
    text: str
    value: str | None
    place: Place = "text"
    candidate: str | None = None


Tables: TypeAlias = Mapping[str, pa.Table]
"""The rows of a dataset by configuration."""

Clues: TypeAlias = Mapping[str, Sequence[Clue]]
"""The clues of each group."""


@dataclass(frozen=True)
class Lessons:
    """What students are trained on besides half of a dataset: items of another, with what it is called.

    Groups and ids of its items are others than those of the dataset.
    """

    items: Sequence[Item]
    clues: Clues | None
    told: str


class Harder(NamedTuple):
    """Which items of a dataset count as harder: those with at least so much of a scale."""

    scale: str
    least: float

    def has(self, item: Item) -> bool:
        """Whether an item is one of them."""
        return item.scales[self.scale] >= self.least

    @property
    def told(self) -> str:
        """The same in words."""
        return f"{self.scale}: {self.least:g} or more"


@dataclass(frozen=True)
class Read:
    """What blind readers got right: their share right by item, and how far below students must be.

    gap     how far below the readers the best student must be; None where nothing is bounded
    harder  the items that this holds for; None for all
    """

    shares: Mapping[str, float]
    gap: float | None = None
    harder: Harder | None = None


@dataclass(frozen=True, kw_only=True)
class View:
    """How the items of a dataset look to students.

    configs  the configurations that are read
    items    the items of their tables
    clues    the clues on each group; None where no frame is known
    written  by group, the texts that were written or generated for it, questions apart: how many of
             their sentences others have; None where they are no prose
    reader   the accuracy of the rule-based reader by part, from the manifest; none by default
    called   what groups are called, in the plural
    edition  which bounds hold
    gap      of an authored edition, how far below blind readers the best student must be [O]
    harder   the items that this holds for; None for all
    also     another dataset, whose items students are trained on besides: of its small slice, where it
             has one
    part     a slice of the manifest that can be built alone, and which the tables of the fixed subset
             come from
    beside   configurations that are read whole beside this slice
    metric   the metric in which the students of `PRINTED` stand beside every printed result; None where
             they do not
    """

    configs: tuple[str, ...]
    items: Callable[[Tables], Iterable[Item]]
    called: str
    clues: Callable[[Tables], Clues] | None = None
    written: Callable[[Tables], Mapping[str, Iterable[str]]] | None = None
    reader: Callable[[Manifest], Mapping[str, float]] | None = None
    edition: Edition = "scale"
    gap: float = 0.20
    harder: Harder | None = None
    also: str | None = None
    part: str | None = None
    beside: tuple[str, ...] = ()
    metric: str | None = None


def of_dataset(dataset: str) -> View | None:
    """The view of a dataset; None where its rows are no items with a gold answer among options."""
    views: Mapping[str, View] = benchmark.resolve(benchmark.of_dataset(dataset).students) or {}
    return views.get(dataset)
