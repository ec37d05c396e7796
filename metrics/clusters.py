"""Clusters (people, stages, instances), the unit of all uncertainty: sums, ratios and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import LEVEL, Estimate, estimate, nothing
from otherminds.types import FloatArray, IntArray

ROUNDING = 1e-12
"""What is this small a part of the numbers that it was subtracted from is rounding."""


@dataclass(frozen=True)
class Clusters:
    """Which cluster each of N items belongs to.

    labels  the G distinct ids, sorted
    codes   shape (N,), integers 0..G-1: the index in `labels` of each item's id
    """

    labels: tuple[str, ...]
    codes: IntArray

    @property
    def count(self) -> int:
        """G, the number of clusters."""
        return len(self.labels)

    def totals(self, values: ArrayLike) -> FloatArray:
        """Sum of `values` (shape (N,)) within each cluster, shape (G,).

        Raises MisalignedInput when `values` does not have one number per item.
        """
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != self.codes.shape:
            raise MisalignedInput(
                f"{numbers.shape} values for {self.codes.shape} items: give one number per item."
            )
        sums = np.bincount(self.codes, weights=numbers, minlength=self.count)
        return np.asarray(sums, dtype=np.float64)


def partition(ids: Sequence[str]) -> Clusters:
    """Group items by `ids` (one id per item, in item order).

    A code depends on the set of ids only, never on the order of the items.
    Raises EmptyInput when there are no items.
    """
    if len(ids) == 0:
        raise EmptyInput("No items to partition: give at least one cluster id.")
    # np.unique would cut trailing NUL characters off the ids and so merge different clusters.
    labels = tuple(sorted(set(ids)))
    index = {label: code for code, label in enumerate(labels)}
    codes = np.fromiter((index[label] for label in ids), dtype=np.intp, count=len(ids))
    return Clusters(labels=labels, codes=codes)


def sums_by_cluster(clusters: Clusters, *columns: ArrayLike) -> FloatArray:
    """Sums of each column (shape (N,)) within each cluster, shape (G, columns).

    Raises MisalignedInput for a column that does not have one number per item.
    """
    return np.stack([clusters.totals(column) for column in columns], axis=1)


def divided(
    numerator: FloatArray, denominator: FloatArray, *, floor: FloatArray | float = 0.0
) -> FloatArray:
    """numerator / denominator elementwise; NaN where the denominator is not above `floor`."""
    ratio = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=ratio, where=denominator > floor)
    return ratio


def mean_of_defined(values: FloatArray, axis: int = -1) -> FloatArray:
    """Mean along `axis` (runs, topics) of what is defined; NaN where nothing is."""
    defined = ~np.isnan(values)
    return divided(np.where(defined, values, 0.0).sum(axis=axis), defined.sum(axis=axis))


def clustered_mean(values: ArrayLike, clusters: Clusters, *, level: float = LEVEL) -> Estimate:
    """Mean x̄ of `values` (shape (N,)) with its cluster-robust standard error, over G clusters:

    SE = sqrt( G/(G-1) · Σ_g ( Σ_{i in g} (x_i - x̄) )² ) / N

    With one item per cluster this is the ordinary standard error s/sqrt(N). With G = 1 the standard
    error and the interval are NaN.

    Raises MisalignedInput unless there is one value per item, MetricError for a NaN or infinite
    value (leave missing items out beforehand, together with their cluster ids).
    """
    x = np.asarray(values, dtype=np.float64)
    totals = clusters.totals(x)
    if not np.isfinite(x).all():
        raise MetricError("A value is NaN or infinite: leave that item out, with its cluster id.")
    n, g = x.size, clusters.count
    mean = float(x.mean())
    residuals = totals - mean * clusters.totals(np.ones(n))
    stderr = math.nan
    if g > 1:
        stderr = math.sqrt(g / (g - 1) * float(residuals @ residuals)) / n
    return estimate(mean, stderr, n=n, n_clusters=g, level=level)


def mean_over_runs(values: FloatArray, people: Clusters) -> Estimate:
    """Mean over items in each run, averaged over the runs that have any, with a clustered error.

    x̄ = mean_k x̄_k,  x̄_k = mean of the items read in run k
    SE = sqrt( G/(G-1) · Σ_g ( Σ_{i in g} u_i )² ),  u_i = mean_k (x_ik - x̄_k)/n_k over the runs read

    values  shape (N, K): N items in K runs; NaN = not read
    people  the cluster of each item

    With one run this is `clustered_mean` of the items read. n is the number of items read, averaged
    over all K runs. Without any: NaN with n = 0. Raises MisalignedInput for shapes that do not fit.
    """
    if values.ndim != 2 or values.shape[1] == 0 or len(values) != len(people.codes):
        raise MisalignedInput(
            f"Values of shape {values.shape} for {len(people.codes)} items: give a row per item with "
            "one number per run."
        )
    read = ~np.isnan(values)
    if not read.any():
        return nothing()
    sizes = read.sum(axis=0)
    per_run = divided(np.where(read, values, 0.0).sum(axis=0), sizes.astype(np.float64))
    used = sizes > 0
    weights = 1 / (np.maximum(sizes, 1) * np.count_nonzero(used))
    influence = np.where(read, values - per_run, 0.0) @ weights
    g = int(np.count_nonzero(people.totals(read.any(axis=1))))
    stderr = math.nan
    if g > 1:
        totals = people.totals(influence)
        stderr = math.sqrt(g / (g - 1) * float(totals @ totals))
    n = float(read.sum()) / values.shape[1]
    return estimate(float(per_run[used].mean()), stderr, n=n, n_clusters=g)
