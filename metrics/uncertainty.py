"""Numbers with their uncertainty: estimates, the clusters that they rest on, and the bootstrap.

Clusters (people, stages, instances) are the unit of all uncertainty. A statistic of resampled clusters
needs no resampled items when it is a function of sums: G clusters with k sums each, and a draw is a
weighted sum of the G rows, the weights being how often each cluster was drawn. Draws are therefore one
matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit
from threadpoolctl import ThreadpoolController

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import FloatArray, IntArray

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

    def centered(self, values: ArrayLike) -> FloatArray:
        """`values` (shape (N,)) less the mean of their cluster, shape (N,).

        Raises MisalignedInput when `values` does not have one number per item.
        """
        means = self.totals(values) / self.totals(np.ones(self.codes.shape))
        return np.asarray(np.asarray(values, dtype=np.float64) - means[self.codes])

    def of(self, rows: IntArray) -> Clusters:
        """The partition of some of the items, by their places; clusters without any are left out."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return Clusters(tuple(self.labels[code] for code in used), codes.astype(np.intp))


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


def mean_of_totals(
    totals: FloatArray, counts: FloatArray | IntArray, *, level: float = LEVEL
) -> Estimate:
    """`clustered_mean` from the sums of G clusters alone.

    totals  shape (G,): the sum of each cluster's values
    counts  shape (G,): how many values it has, at least one

    Raises EmptyInput for G = 0.
    """
    g = len(totals)
    if g == 0:
        raise EmptyInput("No cluster: there is nothing to average.")
    n = int(counts.sum())
    mean = float(totals.sum()) / n
    residuals = totals - mean * counts
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

    `scipy.stats.bootstrap(…, paired=True, rng=seed)` on the columns of `statistics` draws the same
    clusters and finds the same values, in 1.8 times the time, and in 1.2 with `batch=100`: it sums
    the rows that it drew, where the product here counts them. To import it takes a third of a second.

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
    kept = draws * n_clusters <= _KEPT_ENTRIES
    drawn = _kept_weights(seed, draws, n_clusters) if kept else _weights(seed, draws, n_clusters)
    # The products are small: more threads would wait for each other, and take more time of two cores.
    with _linear_algebra().limit(limits=1):
        parts = [statistic(weights.astype(np.float64) @ statistics) for weights in drawn]
    return np.concatenate(parts)


@cache
def _linear_algebra() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


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


_KEPT_ENTRIES = 1 << 23
"""Entries of the weights that are kept for the next metrics of the same clusters: 16 MB."""


@lru_cache(maxsize=2)
def _kept_weights(seed: int, draws: int, n_clusters: int) -> tuple[NDArray[np.uint16], ...]:
    # A task's metrics and parts draw the same people again and again.
    return tuple(one.astype(np.uint16) for one in _weights(seed, draws, n_clusters))


def _weights(seed: int, draws: int, n_clusters: int) -> Iterator[NDArray[np.int64]]:
    """How often each cluster is drawn, a row of multinomial counts for each draw, in chunks."""
    rng = np.random.default_rng(seed)
    chunk = max(1, _CHUNK_ENTRIES // n_clusters)
    for start in range(0, draws, chunk):
        rows = min(chunk, draws - start)
        # Counting drawn indices follows the same multinomial law as rng.multinomial, and is several
        # times faster.
        chosen = rng.integers(0, n_clusters, size=(rows, n_clusters))
        chosen += np.arange(rows)[:, None] * n_clusters
        counts = np.bincount(chosen.ravel(), minlength=rows * n_clusters)
        yield counts.reshape(rows, n_clusters)
