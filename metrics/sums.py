"""Estimates of statistics that are functions of sums over people."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.bootstrap import (
    DRAWS,
    SEED,
    cluster_bootstrap,
    estimate_from_draws,
    undefined_share,
)
from otherminds.metrics.clusters import Clusters
from otherminds.metrics.estimate import Estimate, estimate
from otherminds.types import FloatArray

# With more undefined draws than this, their spread describes a luckier sample than the one at hand.
MAX_UNDEFINED = 0.05


def sums_by_cluster(clusters: Clusters, *columns: ArrayLike) -> FloatArray:
    """Sums of each column (shape (N,)) within each cluster, shape (G, columns).

    Raises MisalignedInput for a column that does not have one number per item.
    """
    return np.stack([clusters.totals(column) for column in columns], axis=1)


def estimates_from_sums(
    sums: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    *,
    n: float,
    draws: int = DRAWS,
    seed: int = SEED,
) -> tuple[Estimate, ...]:
    """The m values of `statistic` with cluster-bootstrap standard errors and 95 % intervals.

    sums       shape (G, k): k sums for each cluster
    statistic  maps summed statistics of shape (b, k) to values of shape (b, m); NaN = undefined
    n          items (or pairs) that the values rest on

    An undefined value is NaN without an interval, and keeps its n. Undefined draws are left out; where
    they are more than MAX_UNDEFINED of all, stderr and interval are NaN.
    Raises as `cluster_bootstrap`.
    """
    sampled = cluster_bootstrap(sums, statistic, draws=draws, seed=seed)
    point = statistic(sums.sum(axis=0, keepdims=True))[0]
    return tuple(
        estimate_if_defined(float(value), column, n=n, n_clusters=len(sums))
        for value, column in zip(point, sampled.T, strict=True)
    )


def divided(
    numerator: FloatArray, denominator: FloatArray, *, floor: FloatArray | float = 0.0
) -> FloatArray:
    """numerator / denominator elementwise; NaN where the denominator is not above `floor`."""
    ratio = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=ratio, where=denominator > floor)
    return ratio


def estimate_if_defined(value: float, draws: FloatArray, *, n: float, n_clusters: int) -> Estimate:
    """`value` with the bootstrap interval of its `draws` (shape (B,)), as `estimate_from_draws`.

    Without stderr and interval where `value` is undefined (NaN), or where more than MAX_UNDEFINED of
    the draws are.
    """
    if math.isnan(value) or undefined_share(draws) > MAX_UNDEFINED:
        return estimate(value, math.nan, n=n, n_clusters=n_clusters)
    return estimate_from_draws(value, draws, n=n, n_clusters=n_clusters)
