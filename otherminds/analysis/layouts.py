"""How the tables of a benchmark are laid out: which metrics, under which headings, in which units."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from typing import NamedTuple

from otherminds.benchmark import Benchmark, of_dataset, resolve
from otherminds.errors import OtherMindsError
from otherminds.metrics.comparison import Difference
from otherminds.metrics.ranges import Range

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
    """

    columns: Mapping[str, Sequence[Column]] = field(default_factory=dict)
    conditions: Conditions | None = None
    baseline: str = "blind"
    like_baselines: Mapping[str, str] = field(default_factory=dict)

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


def range_of(dataset: str, metric: str) -> Range | None:
    """The values that a dataset's metric can have, as its benchmark declares; None where it does not."""
    known = benchmark_of(dataset)
    return known.known_ranges.get(metric) if known else None


def unit_max(dataset: str, metric: str) -> float:
    """The largest value of a metric that begins at 0; NaN for others, and where there is no bound.

    Where a benchmark declares no ranges at all, its metrics are taken for fractions.
    """
    known = benchmark_of(dataset)
    if known is None or not known.known_ranges:
        return 1.0
    found = range_of(dataset, metric)
    return found.highest if found and found.lowest == 0 and isfinite(found.highest) else nan


def cut_differences(dataset: str, found: Mapping[str, Difference]) -> dict[str, Difference]:
    """Differences by metric, with intervals cut to what differences of the metric can be."""
    known = benchmark_of(dataset)
    ranges = known.known_ranges if known else {}
    return {
        name: replace(one, difference=ranges[name].of_difference().cut(one.difference))
        if name in ranges
        else one
        for name, one in found.items()
    }
