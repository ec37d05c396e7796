"""A number with its uncertainty and with what it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scipy.special import stdtrit

from otherminds.metrics.errors import MetricError

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value, its standard error and interval, and the data behind it.

    value       the estimate, in the metric's own unit; NaN when there was nothing to measure
    stderr      standard error in the same unit; NaN when it cannot be known (one cluster, no data)
    low, high   confidence interval. From `estimate` it is value ± t(n_clusters - 1) · stderr, which may
                go beyond the metric's bounds; a metric may cut it (`bounded`) or have another one, and
                then says so
    n           items (or pairs) that the value rests on; with repeated runs, their mean over the
                runs, because a repeat is not a further item: hence possibly a fraction
    n_clusters  clusters (people) with at least one such item
    """

    value: float
    stderr: float
    low: float
    high: float
    n: float
    n_clusters: int


def estimate(
    value: float, stderr: float, *, n: float, n_clusters: int, level: float = LEVEL
) -> Estimate:
    """Put a t interval with `n_clusters` - 1 degrees of freedom around `value`.

    With fewer than two clusters nothing is known about the spread between clusters: stderr, low and
    high are NaN whatever `stderr` says. Raises MetricError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise MetricError(f"Confidence level {level}: give a number between 0 and 1, such as 0.95.")
    if n_clusters < 2 or math.isnan(stderr):
        return Estimate(value, math.nan, math.nan, math.nan, n, n_clusters)
    half_width = float(stdtrit(n_clusters - 1, (1 + level) / 2)) * stderr
    return Estimate(value, stderr, value - half_width, value + half_width, n, n_clusters)


def bounded(found: Estimate, lowest: float, highest: float) -> Estimate:
    """The same estimate with its interval cut to the values that its metric can have.

    The true value lies between `lowest` and `highest`, so the cut interval covers it whenever the whole
    one does. An interval that is not known (NaN) stays so. Raises MetricError for lowest > highest.
    """
    if lowest > highest:
        raise MetricError(f"Bounds {lowest} and {highest}: the lower one must come first.")
    if math.isnan(found.low):
        return found
    return replace(found, low=max(found.low, lowest), high=min(found.high, highest))


def nothing() -> Estimate:
    """The estimate of a metric that has nothing to measure: NaN throughout, n = 0."""
    return Estimate(math.nan, math.nan, math.nan, math.nan, 0, 0)
