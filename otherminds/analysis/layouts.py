"""How the tables of a benchmark are laid out: which metrics, under which headings, in which units."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from otherminds.benchmark import Benchmark, of_dataset, resolve
from otherminds.errors import OtherMindsError

PERCENT = 100.0
"""The factor that makes a share a percentage."""


class Column(NamedTuple):
    """One column of a results table: a metric, shown times `factor`, with so many decimals."""

    metric: str
    heading: str
    factor: float = 1.0
    decimals: int = 2


class Conditions(NamedTuple):
    """The layout of a table of the parts of a dataset by conditions.

    column      the metric in the cells
    part        heading of the parts
    conditions  the columns: values of `evidence`, in order
    grouped     whether the paper groups parts by the condition with the highest value
    """

    column: Column
    part: str
    conditions: Sequence[str]
    grouped: bool = False


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The layout of one benchmark's tables; without an argument, that of an unknown one.

    columns         by dataset, the columns of its main table
    conditions      its table of parts by conditions; None where it has none
    baseline        the condition that the others are compared with
    like_baselines  by how a condition's name ends, the one that shows as much and adds nothing
    unit_max        of metrics that are not fractions, the best or worst value; NaN without a bound
    unbounded       parts of a metric's name, between underscores, that say that it has no bound
    """

    columns: Mapping[str, Sequence[Column]] = field(default_factory=dict)
    conditions: Conditions | None = None
    baseline: str = "blind"
    like_baselines: Mapping[str, str] = field(default_factory=dict)
    unit_max: Mapping[str, float] = field(default_factory=dict)
    unbounded: Collection[str] = ()

    def ordered(self, found: Collection[str]) -> list[str]:
        """Conditions in the order of the table, and others after them in the order of `found`."""
        known = self.conditions.conditions if self.conditions else ()
        return list(dict.fromkeys([*(name for name in known if name in found), *found]))


def benchmark_of(dataset: str) -> Benchmark | None:
    """The benchmark of a dataset; None for a dataset that is unknown here."""
    try:
        return of_dataset(dataset)
    except OtherMindsError:
        return None


def layout_of(dataset: str) -> Layout:
    """The layout of a dataset's benchmark; the one without an argument where there is none."""
    known = benchmark_of(dataset)
    found: Layout | None = resolve(known.layout) if known else None
    return found or Layout()


def conditions_of(dataset: str) -> Conditions | None:
    """The table of parts by conditions of a dataset's benchmark."""
    return layout_of(dataset).conditions


def columns_of(dataset: str, metrics: Sequence[str]) -> Sequence[Column]:
    """The columns of a dataset's table; for one without a layout, its metrics as they are."""
    known = layout_of(dataset).columns.get(dataset, ())
    shown = [column for column in known if column.metric in metrics]
    return shown or [Column(metric, metric) for metric in metrics]


def baseline_of(dataset: str, condition: str = "") -> str:
    """The condition that `condition` is compared with: it shows as much, and adds nothing."""
    layout = layout_of(dataset)
    for ending, baseline in layout.like_baselines.items():
        if condition.endswith(ending):
            return baseline
    return layout.baseline


def unit_max(dataset: str, metric: str) -> float:
    """The largest value that a dataset's metric can have: 1 for a fraction, NaN without a bound."""
    layout = layout_of(dataset)
    if any(part in layout.unbounded for part in metric.split("_")):
        return math.nan
    return layout.unit_max.get(metric, 1.0)
