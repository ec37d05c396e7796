"""The tables of the page, as texts and sort keys, which the template writes into rows and cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from otherminds.page.contents import ALL, Contents, groups
from otherminds.page.text import NOTHING, digits, label, number

_ARROWS = {True: "higher is better", False: "lower is better"}


@dataclass(frozen=True)
class Cell:
    """`text` with a smaller second line; `key` is the sort key of the column, None for no value."""

    text: str
    small: str = ""
    key: float | str | None = None


@dataclass(frozen=True)
class Column:
    """A heading with a smaller second line."""

    text: str
    small: str = ""
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """`rows` can be sorted by the reader; `foot` stays where it is."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    foot: Sequence[Sequence[Cell]] = ()


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


def comparison_table(contents: Contents) -> Table:
    """All pairs of runs that were compared."""
    names = ("task", "metric", "a", "b")
    columns = [
        *(Column(name, numeric=False) for name in names),
        Column("difference", "a − b, 95% interval"),
        Column("p"),
        Column("p, corrected", "Holm"),
        Column("detectable", "at 80% power"),
    ]
    rows = [
        [
            *(_words(row[name]) for name in names),
            Cell(_signed(row["difference"]), _interval(row, 3), _key(row["difference"])),
            Cell(_p(row["p"]), key=_key(row["p"])),
            Cell(_p(row["p_holm"]), key=_key(row["p_holm"])),
            Cell(number(row["mde"], 3), key=_key(row["mde"])),
        ]
        for row in contents.comparison.to_dict("records")
    ]
    return Table("Comparisons", columns, rows)


def _score_table(contents: Contents, task: str, scores: pd.DataFrame, names: list[str]) -> Table:
    metrics = list(scores["metric"].unique())
    rows = []
    for _, own in groups(scores, *names):
        by_metric = {row["metric"]: row for row in own.to_dict("records")}
        rows.append(
            [
                *(_words(own[name].iloc[0]) for name in names),
                *(_score(by_metric.get(metric)) for metric in metrics),
            ]
        )
    columns = [
        *(Column(name, numeric=False) for name in names),
        *(_heading(scores[scores["metric"] == metric]) for metric in metrics),
    ]
    foot = [] if "part" in names else _references(contents, task, scores, metrics)
    return Table(label(task), columns, rows, foot)


def _heading(scores: pd.DataFrame) -> Column:
    first = scores.iloc[0]
    unit_max = float(first["unit_max"])
    words = [f"0 to {unit_max:g}"] if math.isfinite(unit_max) else []
    if not pd.isna(first["higher_is_better"]):
        words.append(_ARROWS[bool(first["higher_is_better"])])
    return Column(label(first["metric"], 40), ", ".join(words))


def _score(row: Mapping[Any, Any] | None) -> Cell:
    if row is None or pd.isna(row["value"]):
        return Cell(NOTHING)
    places = digits(float(row["unit_max"]))
    text = number(row["value"], places)
    if not pd.isna(row["stderr"]):
        text += f" ± {number(row['stderr'], places)}"
    count = "" if pd.isna(row["n"]) else f"n = {int(row['n']):,}"
    return Cell(text, " · ".join(filter(None, [_interval(row, places), count])), _key(row["value"]))


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
        numbers = [number(values.get(metric, math.nan), places[metric]) for metric in metrics]
        foot.append([_words(name), *map(Cell, numbers)])
    return foot


def _words(value: Any) -> Cell:
    text = label(value)
    return Cell(text, key=text)


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
