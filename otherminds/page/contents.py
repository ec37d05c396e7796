"""The contents of a page: plain tables, each of them optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from otherminds.errors import OtherMindsError

ALL = "all"
"""The `part` of a row that is about a whole task."""

_IDENTITY = ("run", "task", "part")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "scores": (
        *_IDENTITY,
        *("metric", "value", "stderr", "low", "high", "n", "n_people"),
        *("higher_is_better", "unit_max"),
    ),
    "references": ("task", "part", "metric", "name", "value"),
    "samples": (
        *("run", "task", "item_id", "person", "part", "category", "correct", "parsed"),
        *("gold", "answers", "raw", "evidence_id", "question", "score"),
    ),
    "numeric": (*_IDENTITY, "low", "high", "gold", "answer"),
    "changes": (*_IDENTITY, "true_change", "predicted_change"),
    "reliability": ("run", "task", "bin_low", "bin_high", "confidence", "accuracy", "n"),
    "curves": ("run", "task", "axis", "x", "metric", "value", "low", "high", "n"),
    "people": ("run", "task", "metric", "person", "value"),
    "comparison": (
        *("task", "metric", "a", "b", "difference", "low", "high", "p", "p_holm", "mde"),
        *("n", "n_people"),
    ),
}
"""The columns of each table, by the table's name."""


def _empty(name: str) -> Callable[[], pd.DataFrame]:
    return lambda: pd.DataFrame(columns=list(COLUMNS[name]))


@dataclass(frozen=True)
class Panel:
    """A picture in an SVG that a benchmark has drawn: texts in it are escaped, and it loads nothing."""

    title: str
    subtitle: str
    svg: str


@dataclass(frozen=True)
class Drawing:
    """Pictures that belong together, beside each other where there is room.

    kind     the heading that they stand under
    task     the task that they are of
    caption  what they show
    name     the first part of the names of their files
    """

    kind: str
    task: str
    caption: str
    name: str
    panels: Sequence[Panel]


@dataclass(frozen=True)
class Contents:
    """The tables of one page. An empty table leaves its section out.

    title        of the page
    notes        on runs left out, warnings, comparability; plain text
    scores       one row per run, task, part (`ALL` or a topic) and metric; `higher_is_better` may be
                 None, `unit_max` is the largest possible value, NaN where there is no bound
    references   values to read scores against, by name ("chance", "human")
    samples      one row per run and item. `correct` is True, False or None (not judged), `answers` the
                 parsed answers of all repeats in one text, `raw` the model's answers, one by one,
                 `question` the part of the prompt after the evidence that `evidence_id` names: a text,
                 or an object whose `str` it is, so that it is read when it is written
    evidence     the beginning of a prompt that several items share, by `evidence_id`
    numeric      one row per parsed numeric answer, with the ends of its scale
    changes      one row per item asked before and after new evidence
    reliability  one row per bin of confidence
    curves       a metric along an axis, such as the number of turns shown
    people       a metric by person
    comparison   one row per pair of runs; `difference` is a minus b
    called       by task, the plural of whom or what its intervals are over; "people" where it has none
    drawings     pictures of benchmarks' own, after the plots
    right        by task, when an answer counts as correct, as one sentence

    Raises OtherMindsError when a table that has rows lacks one of its columns.
    """

    title: str
    notes: Sequence[str] = ()
    scores: pd.DataFrame = field(default_factory=_empty("scores"))
    references: pd.DataFrame = field(default_factory=_empty("references"))
    samples: pd.DataFrame = field(default_factory=_empty("samples"))
    evidence: Mapping[str, str] = field(default_factory=dict)
    numeric: pd.DataFrame = field(default_factory=_empty("numeric"))
    changes: pd.DataFrame = field(default_factory=_empty("changes"))
    reliability: pd.DataFrame = field(default_factory=_empty("reliability"))
    curves: pd.DataFrame = field(default_factory=_empty("curves"))
    people: pd.DataFrame = field(default_factory=_empty("people"))
    comparison: pd.DataFrame = field(default_factory=_empty("comparison"))
    drawings: Sequence[Drawing] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    right: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, columns in COLUMNS.items():
            table = getattr(self, name)
            missing = [column for column in columns if column not in table.columns]
            if len(table) and missing:
                raise OtherMindsError(
                    f"The table '{name}' of the page lacks the column '{missing[0]}'. "
                    f"Its columns are: {', '.join(columns)}."
                )

    def called_of(self, task: object) -> str:
        """The plural of whom or what a task's intervals are over."""
        return self.called.get(str(task), "people")

    @property
    def runs(self) -> list[str]:
        """The names of all runs, in the order in which the tables name them first."""
        tables = [getattr(self, name) for name, columns in COLUMNS.items() if "run" in columns]
        return list(dict.fromkeys(str(run) for table in tables for run in table["run"].unique()))

    @property
    def tasks(self) -> list[str]:
        """The names of all tasks, in the order in which the tables name them first."""
        tables = [getattr(self, name) for name in COLUMNS]
        return list(dict.fromkeys(str(task) for table in tables for task in table["task"].unique()))


def groups(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, pd.DataFrame]]:
    """The rows of each value of a column, or of each combination of several, in order of appearance.

    As pandas' own groupby, which fails on half of a surrogate pair: JSON from strangers can hold one.
    """
    found: dict[Any, list[int]] = {}
    keys = table[columns[0]] if len(columns) == 1 else zip(*map(table.get, columns), strict=True)
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    for key, places in found.items():
        yield key, table.iloc[places]


def metrics_of(table: pd.DataFrame) -> list[str]:
    """The metrics of a table in the order of the run that has most; those that it lacks come last.

    A run that answered little lacks some, perhaps the first: the others' order counts.
    """
    rows = [list(dict.fromkeys(own["metric"])) for _, own in groups(table, "run")]
    longest = sorted(rows, key=len, reverse=True)
    return list(dict.fromkeys(metric for row in longest for metric in row))
