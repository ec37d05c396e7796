"""Cluster bootstrap over sufficient statistics.

A statistic of resampled clusters needs no resampled items when it is a function of sums: G clusters
with k sums each, and a draw is a weighted sum of the G rows, the weights being how often each
cluster was drawn. Draws are therefore one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.estimate import LEVEL, Estimate, estimate
from otherminds.types import FloatArray

DRAWS = 2_000


SEED = 20_260_101


# With more undefined draws than this, their spread describes a luckier sample than the one at hand.
MAX_UNDEFINED = 0.05


# Entries of the (draws, clusters) weight matrix held at once: 2 MB, which stay in the cache.
_CHUNK_ENTRIES = 250_000


def cluster_bootstrap(
    statistics: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> FloatArray:
    """Values of `statistic` when the G clusters are resampled with replacement.

    statistics  shape (G, k): k sums for each cluster
    statistic   maps summed statistics of shape (b, k) to values of shape (b, m); NaN = undefined
    returns     shape (draws, m)

    Same seed, same draws, in any chunking. Where the sums are integers or dyadic fractions (all of
    HugAgent's are) the product is exact, so no result depends on the linear algebra library.

    Raises EmptyInput for G = 0, MetricError for draws < 1 or statistics that are not a matrix.
    """
    if statistics.ndim != 2:
        raise MetricError(f"Statistics of shape {statistics.shape}: one row per cluster is needed.")
    n_clusters = statistics.shape[0]
    if n_clusters == 0:
        raise EmptyInput("No clusters to resample.")
    if draws < 1:
        raise MetricError(f"{draws} bootstrap draws: give at least 1.")
    rng = np.random.default_rng(seed)
    chunk = max(1, _CHUNK_ENTRIES // n_clusters)
    parts = []
    for start in range(0, draws, chunk):
        weights = _draw_weights(rng, min(chunk, draws - start), n_clusters)
        parts.append(statistic(weights @ statistics))
    return np.concatenate(parts)


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


def estimate_if_defined(value: float, draws: FloatArray, *, n: float, n_clusters: int) -> Estimate:
    """`value` with the bootstrap interval of its `draws` (shape (B,)), as `estimate_from_draws`.

    Without stderr and interval where `value` is undefined (NaN), or where more than MAX_UNDEFINED of
    the draws are.
    """
    if math.isnan(value) or undefined_share(draws) > MAX_UNDEFINED:
        return estimate(value, math.nan, n=n, n_clusters=n_clusters)
    return estimate_from_draws(value, draws, n=n, n_clusters=n_clusters)


def estimate_from_draws(
    value: float, draws: FloatArray, *, n: float, n_clusters: int, level: float = LEVEL
) -> Estimate:
    """`value` with the standard deviation of its bootstrap `draws` (shape (B,)) as standard error.

    Undefined (NaN) draws are left out; report their share with `undefined_share`. The interval uses
    the t distribution with `n_clusters` - 1 degrees of freedom. With fewer than two defined draws
    the standard error and the interval are NaN.
    """
    defined = draws[~np.isnan(draws)]
    stderr = float(np.std(defined, ddof=1)) if defined.size > 1 else float("nan")
    return estimate(value, stderr, n=n, n_clusters=n_clusters, level=level)


def undefined_share(draws: FloatArray) -> float:
    """Share of `draws` (shape (B,)) in which the statistic was undefined (NaN).

    Raises EmptyInput for B = 0.
    """
    if draws.size == 0:
        raise EmptyInput("No bootstrap draws.")
    return float(np.isnan(draws).mean())


def _draw_weights(rng: np.random.Generator, draws: int, n_clusters: int) -> FloatArray:
    """How often each cluster is drawn, shape (draws, n_clusters): rows are multinomial counts."""
    # Counting drawn indices follows the same multinomial law as rng.multinomial, and is several
    # times faster.
    chosen = rng.integers(0, n_clusters, size=(draws, n_clusters))
    chosen += np.arange(draws)[:, None] * n_clusters
    counts = np.bincount(chosen.ravel(), minlength=draws * n_clusters)
    return counts.reshape(draws, n_clusters).astype(np.float64)
