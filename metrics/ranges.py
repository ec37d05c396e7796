"""The values that metrics can have, to which their intervals are cut.

The intervals here are t intervals around a value. Near the end of what a metric can be, such an interval
goes beyond it. The true value lies in the range, so the interval that is cut there holds it whenever the
whole one does. It is shorter on that side, and no longer symmetric. Standard errors, values and tests
are not touched.

Each benchmark declares the ranges of its metrics once, in `metrics/<benchmark>/ranges.py`. A metric that
is not declared is not cut.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple, Self

from otherminds.metrics.uncertainty import Estimate, bounded


class Range(NamedTuple):
    """The smallest and the largest value that a metric can have; infinite where there is no bound."""

    lowest: float
    highest: float

    def cut(self, found: Estimate) -> Estimate:
        """The same estimate with its interval within the range; see `bounded`."""
        return bounded(found, self.lowest, self.highest)

    def of_difference(self) -> Self:
        """The range of the difference of two values of this metric.

        An end is infinite where the metric has no bound at one side.
        """
        return type(self)(self.lowest - self.highest, self.highest - self.lowest)


SHARE = Range(0.0, 1.0)
"""Shares, accuracies, F1, the Jensen-Shannon divergence in bits, errors of calibration."""

CORRELATION = Range(-1.0, 1.0)
"""Correlations, and coefficients of agreement such as kappa."""

POINTS = Range(0.0, 100.0)
"""Scores from 0 to 100."""

BRIER = Range(0.0, 2.0)
"""The multi-class Brier score."""

AT_LEAST_0 = Range(0.0, math.inf)
"""Errors, amounts, lengths and ratios of variances."""

Ranges = Mapping[str, Range]
"""Ranges by metric."""


def cut(estimates: Mapping[str, Estimate], ranges: Ranges) -> dict[str, Estimate]:
    """Estimates by metric, with the intervals of those that `ranges` names cut to their range."""
    return {
        name: ranges[name].cut(found) if name in ranges else found
        for name, found in estimates.items()
    }
