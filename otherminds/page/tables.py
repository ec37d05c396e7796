"""The tables of the page, as texts and sort keys, which the template writes into rows and cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from otherminds.page.contents import ALL, Contents, groups, metrics_of
from otherminds.page.text import NOTHING, digits, label, number, short_names

_MOST = 7
"""Columns that fit beside each other on a page of usual width."""

_NAME = 80
"""Characters of a run's name that a table shows."""

_ARROWS = {True: "higher is better", False: "lower is better"}


@dataclass(frozen=True)
class Cell:
    """`text` with smaller lines below; `key` is the sort key of the column, None for no value."""

    text: str
    small: Sequence[str] = ()
    key: float | str | None = None


@dataclass(frozen=True)
class Column:
    """A heading with smaller lines below."""

    text: str
    small: Sequence[str] = ()
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """`rows` can be sorted by the reader; `foot` stays where it is.

    names  how many of the first columns say what a row is about
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    foot: Sequence[Sequence[Cell]] = ()
    names: int = 1

    def parts(self) -> list[Table]:
        """The table in pieces that fit a page's width, each with the columns that name the rows."""
        values = range(self.names, len(self.columns))
        pieces = max(1, math.ceil(len(values) / (_MOST - self.names)))
        each = math.ceil(len(values) / pieces)
        starts = list(values)[::each] if values else [self.names]
        return [self._piece(start, start + each) for start in starts]

    def _piece(self, start: int, end: int) -> Table:
        def cut(row: Sequence[Any]) -> list[Any]:
            return [*row[: self.names], *row[start:end]]

        return replace(
            self,
            columns=cut(self.columns),
            rows=[cut(row) for row in self.rows],
            foot=[row for row in map(cut, self.foot) if any(map(_has_value, row[self.names :]))],
        )


def _has_value(cell: Cell) -> bool:
    return cell.text != NOTHING


def score_tables(contents: Contents) -> list[Table]:
    """One table per task: runs by metrics, with chance and human values at its foot."""
    whole = contents.scores[contents.scores["part"] == ALL]
    return [_score_table(contents, str(task), own, ["run"]) for task, own in groups(whole, "task")]


def part_tables(contents: Contents) -> dict[str, Table]:
    """For each task that has parts, by its name: runs and parts by metrics."""
    parts = contents.scores[contents.scores["part"] != ALL]
    return {
        label(task): _score_table(contents, str(task), own, ["run", "part"])
        for task, own in groups(parts, "task")
    }


def comparison_tables(contents: Contents) -> list[tuple[Table, Table | None]]:
    """By task, all pairs of runs that were compared: by the task's first metric, and by its others."""
    found = []
    for task, own in groups(contents.comparison, "task"):
        first = own["metric"].iloc[0]
        is_first = own["metric"] == first
        others = own[~is_first]
        main = _comparison_table(contents, str(task), own[is_first])
        rest = _comparison_table(contents, str(task), others) if len(others) else None
        found.append((main, rest))
    return found


def _comparison_table(contents: Contents, task: str, table: pd.DataFrame) -> Table:
    columns = [
        Column("metric", numeric=False),
        Column("run a", numeric=False),
        Column("run b", numeric=False),
        Column("a − b", ["with 95% interval"]),
        Column("p", ["of this pair"]),
        Column("p, corrected", ["for all pairs (Holm)"]),
        Column("detectable", ["at 80% power"]),
    ]
    rows = []
    names = _run_names(contents)
    for row in table.to_dict("records"):
        interval = _interval(row, 3) or "no interval"
        n = f"n = {int(row['n']):,}, {int(row['n_people']):,} {contents.called_of(task)}"
        rows.append(
            [
                *(_words(row[name], names) for name in ("metric", "a", "b")),
                Cell(_signed(row["difference"]), [interval, n], _key(row["difference"])),
                Cell(_p(row["p"]), key=_key(row["p"])),
                Cell(_p(row["p_holm"]), key=_key(row["p_holm"])),
                Cell(number(row["mde"], 3), key=_key(row["mde"])),
            ]
        )
    return Table(label(task), columns, rows, names=3)


def _score_table(contents: Contents, task: str, scores: pd.DataFrame, names: list[str]) -> Table:
    metrics, runs = metrics_of(scores), _run_names(contents)
    rows = []
    for _, own in groups(scores, *names):
        by_metric = {row["metric"]: row for row in own.to_dict("records")}
        rows.append(
            [
                *(_words(own[name].iloc[0], runs) for name in names),
                *(_score(by_metric.get(metric)) for metric in metrics),
            ]
        )
    columns = [
        *(Column(name, numeric=False) for name in names),
        *(_heading(scores[scores["metric"] == metric]) for metric in metrics),
    ]
    foot = [] if "part" in names else _references(contents, task, scores, metrics)
    return Table(label(task), columns, rows, foot, names=len(names))


def _heading(scores: pd.DataFrame) -> Column:
    first = scores.iloc[0]
    unit_max = float(first["unit_max"])
    words = [f"0 to {unit_max:g}"] if math.isfinite(unit_max) else []
    if not pd.isna(first["higher_is_better"]):
        words.append(_ARROWS[bool(first["higher_is_better"])])
    return Column(label(first["metric"], 40), words)


def _score(row: Mapping[Any, Any] | None) -> Cell:
    if row is None or pd.isna(row["value"]):
        return Cell(NOTHING)
    places = digits(float(row["unit_max"]))
    text = number(row["value"], places)
    if not pd.isna(row["stderr"]):
        text += f" ± {number(row['stderr'], places)}"
    count = "" if pd.isna(row["n"]) else f"n = {int(row['n']):,}"
    small = [line for line in (_interval(row, places), count) if line]
    return Cell(text, small, _key(row["value"]))


def _references(
    contents: Contents, task: str, scores: pd.DataFrame, metrics: Sequence[str]
) -> list[list[Cell]]:
    references = contents.references
    references = references[(references["task"] == task) & (references["part"] == ALL)]
    places = {
        row["metric"]: digits(float(row["unit_max"]))
        for row in scores.drop_duplicates("metric").to_dict("records")
    }
    foot = []
    for name, own in groups(references, "name"):
        values = dict(zip(own["metric"], own["value"], strict=True))
        if not any(metric in values for metric in metrics):
            continue
        numbers = [number(values.get(metric, math.nan), places[metric]) for metric in metrics]
        foot.append([_words(name), *map(Cell, numbers)])
    return foot


def _words(value: Any, names: Mapping[str, str] | None = None) -> Cell:
    text = (names or {}).get(str(value)) or label(value)
    return Cell(text, key=text)


def _run_names(contents: Contents) -> dict[str, str]:
    """The names of all runs as the tables show them: none is cut to another one's."""
    compared = [str(name) for side in ("a", "b") for name in contents.comparison[side].unique()]
    return short_names(list(dict.fromkeys([*contents.runs, *compared])), _NAME)


def _interval(row: Mapping[Any, Any], places: int) -> str:
    if pd.isna(row["low"]) or pd.isna(row["high"]):
        return ""
    return f"[{number(row['low'], places)}, {number(row['high'], places)}]"


def _signed(value: float) -> str:
    text = number(value, 3)
    return f"+{text}" if not pd.isna(value) and value > 0 else text


def _p(value: float) -> str:
    return "< 0.001" if not pd.isna(value) and value < 0.001 else number(value, 3)


def _key(value: float) -> float | None:
    return None if pd.isna(value) else float(value)
