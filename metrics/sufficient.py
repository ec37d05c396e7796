"""What a resampling of clusters needs to know about a scored model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import FloatArray


@dataclass(frozen=True, eq=False)
class Sufficient:
    """What each cluster contributes to some metrics: everything a resampling needs, without the items.

    clusters   the G ids (people, stages, …), sorted
    sums       shape (G, k): k sums over the items of each cluster
    metrics    names of the m metrics
    statistic  maps sums over clusters, shape (b, k), to metrics, shape (b, m); NaN = undefined
    rests_on   shape (G, m): items (or pairs) of each cluster behind each metric, with repeated runs
               their mean over the runs; None where each cluster counts as one

    Raises EmptyInput without clusters or metrics, MisalignedInput for ids that are not sorted or are
    given twice, metrics given twice, or shapes that do not fit, MetricError for a sum that is NaN or
    infinite or a negative number of items.
    """

    clusters: tuple[str, ...]
    sums: FloatArray
    metrics: tuple[str, ...]
    statistic: Callable[[FloatArray], FloatArray]
    rests_on: FloatArray | None = None

    def __post_init__(self) -> None:
        if not self.clusters or not self.metrics:
            raise EmptyInput("No clusters or no metrics: there is nothing to resample.")
        if list(self.clusters) != sorted(set(self.clusters)):
            raise MisalignedInput("Cluster ids must be sorted, each given once.")
        if len(set(self.metrics)) < len(self.metrics):
            raise MisalignedInput(f"A metric is given twice: {', '.join(self.metrics)}.")
        shape = self.sums.shape
        if len(shape) != 2 or shape[0] != len(self.clusters) or shape[1] == 0:
            raise MisalignedInput(
                f"Sums of shape {shape} for {len(self.clusters)} clusters: give one row per cluster, "
                "with at least one sum."
            )
        if not np.isfinite(self.sums).all():
            raise MetricError("A sum is NaN or infinite: leave missing items out of the sums.")
        wanted = (len(self.clusters), len(self.metrics))
        if self.rests_on is not None and self.rests_on.shape != wanted:
            raise MisalignedInput(
                f"rests_on has shape {self.rests_on.shape}, not {wanted}: give one number per "
                "cluster and metric."
            )
        # Written so that NaN is refused, too.
        if self.rests_on is not None and not (self.rests_on >= 0).all():
            raise MetricError("A number of items in rests_on is negative or NaN.")

    def point(self) -> FloatArray:
        """The metrics of all clusters together, shape (m,); NaN = undefined.

        A metric that rests on no item is undefined, whatever `statistic` makes of it.

        Raises MisalignedInput when `statistic` does not return one row of m metrics.
        """
        values: FloatArray = self.evaluate(self.sums.sum(axis=0, keepdims=True))[0]
        return values

    def evaluate(self, summed: FloatArray) -> FloatArray:
        """`statistic` of summed rows (shape (b, k)), shape (b, m).

        Raises MisalignedInput when that is not what comes back.
        """
        values = self.statistic(summed)
        wanted = (len(summed), len(self.metrics))
        if values.shape != wanted:
            raise MisalignedInput(
                f"The statistic returned shape {values.shape}, not {wanted}: one row of metrics per "
                "row of sums."
            )
        return values

    def values(self) -> Mapping[str, float]:
        """The metrics of all clusters together, by name; NaN = undefined."""
        return dict(zip(self.metrics, map(float, self.point()), strict=True))

    def counts(self) -> FloatArray:
        """`rests_on`, or ones where each cluster counts as one; shape (G, m)."""
        if self.rests_on is None:
            return np.ones((len(self.clusters), len(self.metrics)))
        return self.rests_on
