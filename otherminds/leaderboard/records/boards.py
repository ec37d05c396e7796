"""Which boards there are, and what is known without any submission: `cards/leaderboard/*.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from otherminds import manifest, paths
from otherminds.errors import OtherMindsError


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


class Board(_Strict):
    """One table: one task on one dataset, so that tracks can never be mixed.

    part     which of the manifest's reference scores hold for the task
    items    what the score of an item is, in words; models are compared by its mean
    columns  the first one ranks
    """

    id: str = Field(pattern=r"\A[a-z0-9-]+\z")
    title: str
    short: str
    benchmark: str
    about: str
    dataset: str
    task: str
    part: str = "all"
    items: str
    items_higher_is_better: bool = True
    columns: list[Column] = Field(min_length=1)


class Source(_Strict):
    """Where a published result stands."""

    title: str
    url: str = Field(pattern=r"\Ahttps://[\x21-\x7e]+\z")
    date: str


class Published(_Strict):
    """A result that others published: shown for orientation, never ranked with submissions."""

    board: str
    model: str
    scores: dict[str, float]
    source: Source
    note: str


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
    """The boards and what they are read against; `anchors` and `versions` (of the data) by board."""

    boards: Sequence[Board]
    published: Sequence[Published] = ()
    anchors: Mapping[str, Sequence[Anchor]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def load() -> References:
    """The project's own boards and published results, with anchors from the datasets' manifests.

    Raises OtherMindsError for a file that is missing or does not fit.
    """
    folder = paths.cards() / "leaderboard"
    try:
        boards = [Board.model_validate(one) for one in _read(folder / "boards.yaml")]
        published = [Published.model_validate(one) for one in _read(folder / "references.yaml")]
    except ValidationError as error:
        raise OtherMindsError(f"cards/leaderboard does not fit its schema: {error}") from error
    known = {board.id for board in boards}
    if astray := sorted({one.board for one in published} - known):
        raise OtherMindsError(f"references.yaml names unknown boards: {', '.join(astray)}.")
    manifests = {board.id: manifest.load(board.dataset) for board in boards}
    return References(
        boards=boards,
        published=published,
        anchors={board.id: _anchors(board, manifests[board.id]) for board in boards},
        versions={name: found.version for name, found in manifests.items()},
    )


def _read(path: Path) -> list[Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except yaml.YAMLError as error:
        raise OtherMindsError(f"{path} is not valid YAML: {error}") from error
    if not isinstance(found, list):
        raise OtherMindsError(f"{path} must hold a list.")
    return found


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
