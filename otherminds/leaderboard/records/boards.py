"""The boards, with the facts that need no submission: `cards/<dataset>/board.yaml`.

Only tasks that can be scored again from a submission's answers can have a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from otherminds import manifest, paths
from otherminds.data.repository.card_facts import checked, having
from otherminds.errors import OtherMindsError

NAME: Final = "board.yaml"
"""In a card folder."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Column(_Strict):
    """A metric as a column. `axis` holds the ends of its interval bars, in its own unit."""

    name: str
    title: str
    axis: tuple[float, float]
    places: int = Field(ge=0, le=6)
    higher_is_better: bool = True

    @model_validator(mode="after")
    def _axis_goes_up(self) -> Self:
        if not self.axis[0] < self.axis[1]:
            raise ValueError(f"the axis of {self.name} must go up")
        return self


class Described(_Strict):
    """A board as the card folder of its dataset describes it.

    part     which of the manifest's reference scores hold for the task
    items    the score of an item, in words; models are compared by its mean
    columns  the first one ranks
    """

    id: str = Field(pattern=r"\A[a-z0-9-]+\z")
    title: str
    short: str
    benchmark: str
    about: str
    task: str
    part: str = "all"
    items: str
    items_higher_is_better: bool = True
    columns: list[Column] = Field(min_length=1)


class Board(Described):
    """One table: one task on one dataset, so that tracks can never be mixed."""

    dataset: str


class Source(_Strict):
    """Where a published result stands."""

    title: str
    url: str = Field(pattern=r"\Ahttps://[\x21-\x7e]+\z")
    date: str


class Result(_Strict):
    """A result that others published: shown for orientation, never ranked with submissions."""

    model: str
    scores: dict[str, float]
    source: Source
    note: str


class Published(Result):
    """A result that others published, with the id of its board."""

    board: str


class File(Described):
    """The content of `board.yaml`.

    position   boards are shown in this order, those of one position in the order of their ids
    published  results of others
    """

    position: int = 1_000
    published: list[Result] = []

    def board(self, dataset: str) -> Board:
        """The board, on the dataset whose card folder this is."""
        return Board(
            dataset=dataset, **{name: getattr(self, name) for name in Described.model_fields}
        )


@dataclass(frozen=True)
class Anchor:
    """Scores to read a board by: of chance, of people, or of a simple baseline.

    intervals  of some of the scores; `basis` says how they were found
    """

    kind: Literal["chance", "human", "baseline"]
    name: str
    description: str
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    basis: str = ""


@dataclass(frozen=True)
class References:
    """The boards and the scores to compare with; `anchors` and `versions` (of the data) by board."""

    boards: Sequence[Board]
    published: Sequence[Published] = ()
    anchors: Mapping[str, Sequence[Anchor]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def load() -> References:
    """The boards of all datasets and published results, with anchors from the datasets' manifests.

    Raises OtherMindsError for a file that does not fit, and for two boards with one id or task.
    """
    found = [(one, checked(paths.card(one) / NAME, File)) for one in having(NAME)]
    found.sort(key=lambda pair: (pair[1].position, pair[1].id))
    boards = [file.board(dataset) for dataset, file in found]
    for what, values in (
        ("the id", [board.id for board in boards]),
        ("the task", [board.task for board in boards]),
    ):
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise OtherMindsError(f"Two boards have {what} '{twice[0]}'; change one {NAME}.")
    manifests = {board.id: manifest.load(board.dataset) for board in boards}
    return References(
        boards=boards,
        published=[
            Published(board=file.id, **{name: getattr(one, name) for name in Result.model_fields})
            for _, file in found
            for one in file.published
        ],
        anchors={board.id: _anchors(board, manifests[board.id]) for board in boards},
        versions={name: known.version for name, known in manifests.items()},
    )


def _anchors(board: Board, known: manifest.Manifest) -> list[Anchor]:
    kinds: Mapping[str, Literal["chance", "human"]] = {"chance": "chance", "human": "human"}
    return [
        Anchor(
            kind=kinds.get(name, "baseline"),
            name=name,
            description=reference.description,
            scores=reference.scores[board.part],
            # A manifest has intervals of the scores of "all" only.
            intervals=(reference.interval or {}) if board.part == "all" else {},
            basis=reference.interval_basis or "",
        )
        for name, reference in known.references.items()
        if board.part in reference.scores
    ]
