"""What a benchmark brings to make data: a pipeline of stages, each with its sheet and its checks.

    PIPELINE = Pipeline(name="chess", version="1.0", dataset="chess-made", frames=frames, stages=(
        Stage(name="game", ask=ask_for_game, checks=(Check("moves", moves_are_legal),)),
    ))

and in the benchmark `pipelines={"chess": "chess_minds.tasks.chess.construction:PIPELINE"}`. All its
functions are pure: the same unit gives the same sheet, the same draft the same refusals. Golds are never
taken from a text: the dataset's builder takes them from the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel

from otherminds.construct.refusals import Refusal
from otherminds.dataset_builders.constructed import Content, Unit
from otherminds.dataset_builders.proofs import Proof
from otherminds.types import Doc

AGAIN = 5
"""How often a stage of a unit is asked for again before the unit is dropped [P]."""

MOST_CHARACTERS = 100_000
"""Of a reply. A longer one is refused before anything reads it."""

READING: Final = "reading"
"""The stage of blind readers, which every pipeline has under this name."""

MARKING: Final = "marking"
"""The stage of those who mark what blind readers answered in words."""


class Role(Enum):
    """Who answers the sheets of a stage, and what they may see.

    AUTHOR     writes a text of the unit, and sees what the stage asks
    VALIDATOR  judges the unit with its truth in view; never one of its authors
    RATER      rates what a reader of the release will see, blind; never one of its authors, and
               several of them, none twice
    """

    AUTHOR = "author"
    VALIDATOR = "validator"
    RATER = "rater"


@dataclass(frozen=True)
class Plan:
    """What `otherminds construct export` was asked for.

    n         how many units; None for all that there is material for
    seed      of every draw
    material  a file with raw material instead of the pipeline's own; None for its own
    """

    n: int | None = None
    seed: int = 0
    material: Path | None = None

    def drawn(self, usual: int) -> int:
        """How many units to draw, where nothing is material: `usual` if no number is asked for.

        Raises ValueError for material of others, and for a number below 1.
        """
        if self.material is not None:
            raise ValueError("This pipeline takes no material: its units are drawn.")
        wanted = usual if self.n is None else self.n
        if wanted < 1:
            raise ValueError(f"n is {wanted}, but there must be at least one unit.")
        return wanted


@dataclass(frozen=True)
class Ask:
    """What one sheet says.

    system  who is asked to do what, the same for all units of a stage
    prompt  the task itself. The engine adds the reasons of a refusal, and how to reply
    reply   the model that a reply must be of; its JSON schema stands on the sheet. Make it with
            `extra="forbid"`, so that no key can say what should not be said
    """

    system: str
    prompt: str
    reply: type[BaseModel]


@dataclass(frozen=True)
class Draft:
    """A reply whose schema holds, as checks see it.

    unit     the unit with the texts that were accepted before
    content  the reply
    others   the other units, with what was accepted of them so far, to find copies
    """

    unit: Unit
    content: Content
    others: Sequence[Unit] = ()


@dataclass(frozen=True)
class Check:
    """A proof or an audit of a draft.

    name  what the funnel and the card call it, such as "states_belief"
    find  what is wrong: nothing for a draft that passes. A text alone is a refusal of this check; a
          `Refusal` may say where as well
    kind  "proof": the text keeps the frame's truth. "audit": the text gives nothing away, and is its own
    """

    name: str
    find: Callable[[Draft], Iterable[str | Refusal]]
    kind: Literal["proof", "audit"] = "proof"

    @classmethod
    def of(cls, proof: Proof) -> Check:
        """The check that a proof of a benchmark's builder makes."""

        def refusals(draft: Draft) -> Iterator[Refusal]:
            for fault in proof.find(draft.unit, draft.content):
                yield Refusal(proof.name, fault.message, fault.where)

        return cls(proof.name, refusals, proof.kind)


@dataclass(frozen=True)
class Return:
    """The verdict of validators or raters that a unit cannot stay as it is.

    check    what the funnel calls it, such as "realism"
    message  the reason, in words for the author
    stage    the author stage that is asked again, with all stages after it; None to drop the unit
    where    as of a refusal
    """

    check: str
    message: str
    stage: str | None = None
    where: str = ""


def _accepts(unit: Unit, contents: Sequence[Content]) -> Iterable[Return]:
    return ()


def _faultless(unit: Unit, content: Content) -> Iterable[str | Refusal]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A stage of a pipeline: one sheet for each unit, or one for each of several raters.

    name     letters, digits and underscores; part of the task `construct_<pipeline>_<stage>`
    ask      a unit, with the texts of the stages before, to what its sheet says
    role     who answers
    checks   what a reply must pass, all of them: an author hears every reason at once
    decide   of validators and raters: a unit and all their replies, to what follows. Nothing: it stays
    replies  how many different people or models answer; 1 for authors
    about    what is asked here, in a line for people
    """

    name: str
    ask: Callable[[Unit], Ask]
    role: Role = Role.AUTHOR
    checks: tuple[Check, ...] = ()
    decide: Callable[[Unit, Sequence[Content]], Iterable[Return]] = _accepts
    replies: int = 1
    about: str = ""

    def __post_init__(self) -> None:
        if self.role is Role.AUTHOR and self.replies != 1:
            raise ValueError(f"the stage '{self.name}' has {self.replies} authors; give 1")
        if self.replies < 1:
            raise ValueError(f"the stage '{self.name}' needs at least one reply")


@dataclass(frozen=True, kw_only=True)
class Marking:
    """How what readers answer in words is marked: somebody holds it against the truth, point by point.

    ask     a unit and a reader's reply, to what the marker's sheet says
    marks   a marker's reply, to whether each point is met; the points of a unit in the same order always
    faults  of a unit and a marker's reply, what is wrong, such as a point that has no verdict
    """

    ask: Callable[[Unit, Content], Ask]
    marks: Callable[[Content], Sequence[bool]]
    faults: Callable[[Unit, Content], Iterable[str | Refusal]] = _faultless


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a release is read blind: by its own tasks, in the words that a model sees.

    tasks       the tasks of the dataset whose prompts are read
    unit_of     a document to the `unit_id` that it is about
    answers     a document to what can be answered, in order; None for an answer in words
    gold        a document to the right answer, one of `answers`; None where answers in words are only
                marked, or kept where nobody marks them
    right       a document to the answers that count as right besides the gold, such as those within a
                tolerance; none by default
    sheet       a document to the name of what it is shown with: documents of one unit with the same name
                are read on one sheet, what their prompts share standing there once; by default each has
                a sheet of its own. Only where `answers` says what can be answered
    reply       of answers in words, the model of a reply with all its parts; one text by default
    marking     how answers in words are marked: an answer's share of points that are met takes the place
                of right or wrong
    readers     how many read each item, none of them an author of its unit
    fresh_readers  how many read each item that stays, where some were dropped
    most_items  how many items are read, drawn evenly over units; None for all
    least_right share of an item's readers that must be right, or the item is dropped
    most_drops  share of the items that may be dropped; with more, there is no release [O]
    least_after share right that the items that stay must reach [O]
    """

    tasks: tuple[str, ...]
    unit_of: Callable[[Doc], str]
    answers: Callable[[Doc], Sequence[str]] | None = None
    gold: Callable[[Doc], str] | None = None
    right: Callable[[Doc], Sequence[str]] | None = None
    sheet: Callable[[Doc], str] | None = None
    reply: type[BaseModel] | None = None
    marking: Marking | None = None
    readers: int = 2
    fresh_readers: int = 2
    most_items: int | None = None
    least_right: float = 0.5
    most_drops: float = 0.15
    least_after: float = 0.85

    def __post_init__(self) -> None:
        if self.sheet is not None and (self.answers is None or self.marking is not None):
            raise ValueError("items share a sheet only where `answers` says what can be answered")


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """How data of one kind are made.

    name       `otherminds construct export NAME`
    version    of frames, sheets and checks: raise it with any of them; a folder of another version is
               refused
    dataset    the dataset that a release is: `cards/<dataset>` has its manifest with `handed`, whose
               builder reads the units with `otherminds.dataset_builders.constructed.read`
    frames     a plan to units without texts; the same plan gives the same units. ValueError, in words
               for the user, for a plan that cannot be met and for material that cannot be read
    stages     in order. A unit goes to the next stage when its reply is accepted
    reading    how the release is read; None where it is not
    again      how often a stage of a unit is asked for again
    example    units with all their texts, such as the first of a release: tasks that are given no folder
               make their documents from them, to be looked at; none by default
    retention  the source's own rates, by what they are of, for the card: "scenes": "88.3 %"
    about      what it makes, in a line
    """

    name: str
    version: str
    dataset: str
    frames: Callable[[Plan], Sequence[Unit]]
    stages: tuple[Stage, ...]
    reading: Reading | None = None
    again: int = AGAIN
    example: Callable[[], Sequence[Unit]] = tuple
    retention: Mapping[str, str] = field(default_factory=dict)
    about: str = ""

    def __post_init__(self) -> None:
        names = [stage.name for stage in self.stages]
        if len(set(names)) != len(names) or not names:
            raise ValueError(f"the stages of '{self.name}' need names of their own: {names}")
        if taken := {READING, MARKING} & set(names):
            raise ValueError(f"'{min(taken)}' is a stage of every pipeline: give another name.")
        if self.stages[0].role is not Role.AUTHOR:
            raise ValueError(f"the first stage of '{self.name}' must be an author's")

    def stage(self, name: str) -> Stage:
        """The stage of a name; raises KeyError for another."""
        return self.stages[self.place(name)]

    def place(self, name: str) -> int:
        """The place of a stage, from 0; raises KeyError for another."""
        for place, stage in enumerate(self.stages):
            if stage.name == name:
                return place
        raise KeyError(name)
