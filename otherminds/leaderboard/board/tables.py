"""The rows of each board: values, ranks, groups, and why a row has none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.board.comparing import Pairs, compare_all
from otherminds.leaderboard.board.entries import Entry, ItemScores, Reduced
from otherminds.leaderboard.board.reducing import reduce
from otherminds.leaderboard.board.standing import band_letters, bands, rank_ranges
from otherminds.leaderboard.records.boards import Board, References
from otherminds.leaderboard.records.record import Metric, TaskRun

_NUMBERS = re.compile(r"\d+")


@dataclass
class Row:
    """One entry on one board.

    metrics  recomputed where the verifier did so, else as claimed, and then the row is apart
    items    its reduced item scores, None where there are none
    apart    why it is not compared with others, empty when it is
    changed  the changes since it was scored, of a row that is flagged as not comparable
    rank     by the board's first column, among the rows that are compared; equal values share it
    letters  its groups
    ranks    that its answers leave open
    place    in the board's `pairs`
    """

    number: int
    run: TaskRun
    metrics: Mapping[str, Metric]
    items: Reduced | None
    apart: str = ""
    changed: str = ""
    rank: int | None = None
    letters: str = ""
    ranks: range = range(0)
    place: int = -1


@dataclass
class Table:
    """One board with its rows; `pairs` compares those that are comparable, best item mean first."""

    board: Board
    rows: list[Row] = field(default_factory=list)
    pairs: Pairs | None = None


@dataclass
class Tables:
    """All entries without their answers, and the boards that they stand on."""

    entries: list[Entry]
    tables: list[Table]


def tabulate(entries: Iterable[Entry], references: References) -> Tables:
    """Put entries on their boards, rank them, and compare every two that are comparable.

    Each entry's answers are reduced as it is read and then dropped: give a generator when there are
    many. The result does not depend on the order of the entries.

    Raises OtherMindsError for two entries of one id.
    """
    tables = {board.task: Table(board) for board in references.boards}
    heads: list[Entry] = []
    found: list[tuple[Entry, list[tuple[Table, TaskRun, Reduced | None]]]] = []
    for entry in entries:
        own = []
        for run in entry.record.tasks:
            table = tables.get(run.task)
            if table is not None and run.dataset == table.board.dataset:
                scores = entry.answers.get(run.task)
                scored = entry.verification.scored(run)
                reduced = reduce(scores) if isinstance(scores, ItemScores) else scores
                own.append((table, scored, reduced))
        found.append((Entry(entry.id, entry.record, entry.verification), own))
    found.sort(key=lambda one: one[0].id)
    for number, (entry, rows) in enumerate(found):
        if heads and heads[-1].id == entry.id:
            raise OtherMindsError(f"Two submissions have the id '{entry.id[:100]}'.")
        heads.append(entry)
        for table, run, reduced in rows:
            recomputed = entry.verification.recomputed.get(run.task)
            row = Row(number, run, recomputed or run.metrics, reduced)
            row.changed = entry.verification.not_comparable(run.task)
            if entry.record.declarations.trained_on_data:
                row.apart = "trained on the data"
            elif not recomputed:
                row.apart = "scores are only claimed"
            table.rows.append(row)
    for table in tables.values():
        _compare(table, references.versions.get(table.board.id), heads)
        _rank(table)
    return Tables(heads, list(tables.values()))


def _compare(table: Table, version: str | None, entries: Sequence[Entry]) -> None:
    newest_data = version or max((row.run.data_version for row in table.rows), key=_age, default="")
    current = [row for row in table.rows if row.run.data_version == newest_data and not row.changed]
    newest_task = max((row.run.task_version for row in current), key=_age, default="")
    for row in table.rows:
        if row.changed:
            row.apart = f"not comparable: {row.changed}"
        elif row.run.data_version != newest_data:
            row.apart = f"data version {row.run.data_version}"
        elif row.run.task_version != newest_task:
            row.apart = f"task version {row.run.task_version}"
        elif row.run.subset is not None:
            row.apart = f"subset of {row.run.subset}"
        elif row.items is None:
            row.apart = row.apart or "no item-level answers"
    _set_superseded_apart(table.rows, entries)
    candidates = [(row, row.items) for row in table.rows if not row.apart and row.items]
    counts = Counter(items.layout for _, items in candidates)
    layout = max(counts, key=lambda one: (counts[one], one), default="")
    comparable: list[tuple[Row, Reduced]] = []
    for row, items in candidates:
        if items.layout == layout:
            comparable.append((row, items))
        else:
            row.apart = "other items"
    if not comparable:
        return
    higher = table.board.items_higher_is_better
    comparable.sort(key=lambda one: (one[1].mean.value * (-1 if higher else 1), one[0].number))
    counts_of_people = comparable[0][1].counts
    table.pairs = compare_all(np.stack([items.sums for _, items in comparable]), counts_of_people)
    apart = table.pairs.apart
    means = [items.mean.value for _, items in comparable]
    letters = band_letters(bands(apart), len(comparable))
    ranges = rank_ranges(means, apart, higher_is_better=higher)
    for place, (row, _) in enumerate(comparable):
        row.place, row.letters, row.ranks = place, letters[place], ranges[place]


def _set_superseded_apart(rows: Sequence[Row], entries: Sequence[Entry]) -> None:
    """Leave a submitter one comparable row for each model, the newest.

    Otherwise the best of many runs would rank, and each more would make all models harder to tell apart.
    """
    newest: dict[tuple[str, str], Row] = {}
    for row in sorted(
        (row for row in rows if not row.apart), key=lambda one: _day(entries[one.number])
    ):
        record = entries[row.number].record
        older = newest.get(whose := (record.model.name, record.submitter))
        if older is not None:
            older.apart = "superseded by a newer submission"
        newest[whose] = row


def _day(entry: Entry) -> tuple[date, date, str]:
    """When it was accepted; within one day, the entry with the later date counts as newer."""
    return entry.verification.checked, entry.record.date, entry.id


def _rank(table: Table) -> None:
    """Rank the compared rows, and put all in order: ranked, then others by value."""
    first = table.board.columns[0]
    sign = -1 if first.higher_is_better else 1

    def key(row: Row) -> tuple[bool, bool, float, int]:
        metric = row.metrics.get(first.name)
        value = 0.0 if metric is None else sign * metric.value
        return (bool(row.apart), metric is None, value, row.number)

    table.rows.sort(key=key)
    ranked = [row for row in table.rows if not row.apart and first.name in row.metrics]
    values = [row.metrics[first.name].value for row in ranked]
    for row, value in zip(ranked, values, strict=True):
        row.rank = 1 + values.index(value)


def _age(version: str) -> tuple[Sequence[int], str]:
    """1.10 is newer than 1.9."""
    return [int(digits) for digits in _NUMBERS.findall(version)], version
