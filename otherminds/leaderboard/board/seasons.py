"""Seasons on the board's page: apart from the boards, and without scores while they are open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.boards import Column, References
from otherminds.leaderboard.records.record import Metric, Verification
from otherminds.leaderboard.sealing import record as records
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.seasons import entries, results
from otherminds.page.document import environment
from otherminds.page.text import NOTHING, label, number
from otherminds.types import Say


class Played(NamedTuple):
    """An entry: its model and submitter, and the findings on it; no scores while sealed."""

    model: str
    submitter: str
    verification: Verification

    @property
    def metrics(self) -> dict[str, dict[str, Metric]]:
        """The scores by task and metric."""
        return self.verification.recomputed


@dataclass(frozen=True)
class SeasonBoard:
    """A season with its entries, and the columns of each of its tasks."""

    season: Season
    entries: Sequence[Played]
    columns: dict[str, Sequence[Column]]


class _Row(NamedTuple):
    model: str
    submitter: str
    level: str
    checked: str
    flags: list[tuple[str, str]]
    values: list[str]


class _Table(NamedTuple):
    task: str
    caption: str
    columns: list[str]
    rows: list[_Row]


class _Shown(NamedTuple):
    id: str
    state: str
    facts: list[tuple[str, str]]
    proofs: list[tuple[str, str]]
    tables: list[_Table]


def read(
    folders: Iterable[Path], submissions: Path, references: References, *, say: Say
) -> list[SeasonBoard]:
    """The seasons in some folders, those with results first, each newest first.

    submissions  the accepted submissions: an open season's entries are listed from there, those of a
                 closed one from its results
    say          is called with those left out
    """
    found = []
    for folder in folders:
        try:
            season = records.read(folder)
            played = (
                _sealed(submissions, season, say) if season.is_open else _scored(folder, season)
            )
        except OtherMindsError as error:
            say(f"The season in {folder.name} is left out: {error}")
            continue
        columns = {
            board.task: board.columns
            for board in references.boards
            if board.task in season.tasks and board.dataset == season.dataset
        }
        found.append(SeasonBoard(season, played, dict(columns)))
    return sorted(
        found,
        key=lambda one: (not one.season.is_open, one.season.opened, one.season.id),
        reverse=True,
    )


def render(seasons: Sequence[SeasonBoard]) -> str:
    """The section of the page, with every text escaped; empty where there are no seasons."""
    if not seasons:
        return ""
    text = files("otherminds.leaderboard.board").joinpath("assets", "seasons.html.jinja")
    template = environment().from_string(text.read_text(encoding="utf-8"))
    return template.render(seasons=[_shown(one) for one in seasons]).strip()


def _sealed(submissions: Path, season: Season, say: Say) -> list[Played]:
    found = entries.accepted(submissions, season.id)
    for name, why in found.unreadable.items():
        say(f"{name} is left out of season {season.id}: {why}")
    return [
        Played(one.submission.model.name, one.submission.submitter, one.verification)
        for one in found.entries
    ]


def _scored(folder: Path, season: Season) -> list[Played]:
    found = results.read(folder)
    if found.season != season.id:
        raise OtherMindsError(f"its results are those of season {found.season}.")
    return [Played(one.model, one.submitter, one.verification) for one in found.entries]


def _shown(board: SeasonBoard) -> _Shown:
    season = board.season
    facts = [
        ("Dataset", f"{season.dataset} {season.data_version}"),
        ("Entries taken", f"{season.opened} to {season.closes}"),
        ("Closed", str(season.closed) if season.closed else ""),
    ]
    proofs = [
        ("SHA-256 of the secret", season.secret_sha256),
        ("Secret", season.secret or ""),
        *((f"Commitment to {name}", one) for name, one in sorted(season.commitment.items())),
    ]
    return _Shown(
        id=season.id,
        state="open" if season.is_open else "closed",
        facts=_labelled(facts),
        proofs=_labelled(proofs),
        tables=[_table(board, task) for task in season.tasks],
    )


def _labelled(facts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(label(name, 60), label(fact, 200)) for name, fact in facts if fact]


def _table(board: SeasonBoard, task: str) -> _Table:
    is_open = board.season.is_open
    columns = [] if is_open else board.columns.get(task) or _columns(board, task)
    rows = [
        _Row(
            label(one.model, 120),
            label(one.submitter, 120),
            one.verification.level,
            str(one.verification.checked),
            _flags(one.verification),
            [_value(one.metrics.get(task, {}).get(column.name), column) for column in columns],
        )
        for one in _ordered(board.entries, task, columns)
    ]
    state = "entries, scored when the season closes" if is_open else "scores with 95 % intervals"
    return _Table(task, f"{task}: {state}", [column.title for column in columns], rows)


def _flags(verification: Verification) -> list[tuple[str, str]]:
    """Each flag's code with its detail, of any task: it is the entry that is flagged."""
    return [(flag.code, label(flag.detail, 400)) for flag in verification.flags]


def _columns(board: SeasonBoard, task: str) -> list[Column]:
    """Of a task that no board shows: all metrics that were found, in that order."""
    names = dict.fromkeys(name for one in board.entries for name in one.metrics.get(task, {}))
    return [Column(name=name, title=name, axis=(0, 1), places=3) for name in names]


def _ordered(played: Sequence[Played], task: str, columns: Sequence[Column]) -> list[Played]:
    """Best first by the first column; by name where nothing is known."""

    def key(one: Played) -> tuple[bool, float, str, str]:
        metric = one.metrics.get(task, {}).get(columns[0].name) if columns else None
        sign = -1 if columns and columns[0].higher_is_better else 1
        value = 0.0 if metric is None else sign * metric.value
        return (metric is None, value, one.model, one.submitter)

    return sorted(played, key=key)


def _value(metric: Metric | None, column: Column) -> str:
    if metric is None:
        return NOTHING
    shown = number(metric.value, column.places)
    if metric.low is None or metric.high is None:
        return shown
    return f"{shown} [{number(metric.low, column.places)}, {number(metric.high, column.places)}]"
