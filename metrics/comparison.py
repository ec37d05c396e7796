"""Two models on the same items: how far apart, how surely, and what could have been seen at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.permutation import SIGN_FLIPS, TIE, sign_patterns
from otherminds.metrics.power import minimum_detectable_effect
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    cluster_bootstrap,
    estimate_if_defined,
    nothing,
    undefined_share,
)
from otherminds.types import FloatArray


@dataclass(frozen=True)
class Difference:
    """One metric of two models A and B (definitions: `compare_pair`).

    a, b             the metric of each model; NaN where undefined
    difference       a - b with standard error and 95 % interval; n and n_clusters count, per cluster,
                     the smaller of the two models' numbers of items. Where the metric is undefined
                     in either model: NaN with n = 0
    p_value          two-sided, of the cluster swap test; NaN where the metric is undefined
    mde              minimum detectable effect at 80 % power, of the design (see `power`)
    swap_patterns    ways of swapping that were compared, the observed one included
    exact            whether these are all ways (else they were drawn)
    undefined_draws  share of bootstrap draws in which the metric was undefined in either model
    undefined_swaps  share of swaps in which it was; they count as extreme
    """

    a: float
    b: float
    difference: Estimate
    p_value: float
    mde: float
    swap_patterns: int
    exact: bool
    undefined_draws: float
    undefined_swaps: float


@dataclass(frozen=True)
class _Swaps:
    """Outcome of the swap test for m metrics; the arrays have shape (m,)."""

    p_values: FloatArray
    undefined: FloatArray
    patterns: int
    exact: bool


def compare_pair(
    a: Sufficient, b: Sufficient, *, draws: int = DRAWS, swaps: int = SIGN_FLIPS, seed: int = SEED
) -> Mapping[str, Difference]:
    """Difference a - b of every metric, by name.

    Interval   paired cluster bootstrap: each draw takes the same clusters for both models, so what
               the models share (hard people, easy people) cancels. The standard error is the SD of
               the `draws` differences, the interval ± t(n_clusters - 1) · SE. Undefined draws are
               left out; where they are more than 5 %, SE, interval and MDE are NaN.
    p-value    cluster swap test of the hypothesis that it does not matter which of the two models
               answered: in each cluster the labels of the models are exchanged or not, which gives
               sums A* and B*, and p is the share of patterns with
               |metric(A*) - metric(B*)| >= |metric(A) - metric(B)|: of all patterns when there are
               at most `swaps` + 1 up to a common exchange, else of `swaps` random ones and the
               observed one. Valid for any metric; for a mean over fixed items it is `sign_flip_test`
               of the differences of the clusters' sums. A pattern in which the metric is undefined
               counts as extreme, so that p can only grow.
    MDE        `minimum_detectable_effect` of the standard error.

    The p-value does not depend on the order or the names of the clusters. Exchanging a and b turns
    the sign of the differences and changes nothing else. Same seed, same result.

    Raises MisalignedInput unless both have the same clusters, metrics and kinds of sums (hence the
    same number of runs) and the same statistic; MetricError for draws < 1 or swaps < 1.
    """
    _check_comparable(a, b)
    k = a.sums.shape[1]
    sampled = cluster_bootstrap(
        np.hstack([a.sums, b.sums]),
        lambda flat: a.evaluate(flat[:, :k]) - b.evaluate(flat[:, k:]),
        draws=draws,
        seed=seed,
    )
    swapped = _swap_test(a, b, draws=swaps, seed=seed)
    shared = np.minimum(a.counts(), b.counts())
    points = zip(a.point(), b.point(), strict=True)
    return {
        name: _difference(float(x), float(y), sampled[:, i], shared[:, i], swapped, i)
        for i, (name, (x, y)) in enumerate(zip(a.metrics, points, strict=True))
    }


def _difference(
    x: float, y: float, draws: FloatArray, counts: FloatArray, swapped: _Swaps, column: int
) -> Difference:
    undefined = undefined_share(draws)
    n, n_clusters = float(counts.sum()), int(np.count_nonzero(counts))
    found = nothing()
    if not math.isnan(x - y):
        found = estimate_if_defined(x - y, draws, n=n, n_clusters=n_clusters)
    return Difference(
        a=x,
        b=y,
        difference=found,
        p_value=math.nan if math.isnan(x - y) else float(swapped.p_values[column]),
        mde=minimum_detectable_effect(found.stderr, found.n_clusters),
        swap_patterns=swapped.patterns,
        exact=swapped.exact,
        undefined_draws=undefined,
        undefined_swaps=float(swapped.undefined[column]),
    )


def _swap_test(a: Sufficient, b: Sufficient, *, draws: int, seed: int) -> _Swaps:
    """Cluster swap test of every metric."""
    first, second = _unordered_pairs(a.sums, b.sums)
    decides = np.any(first != second, axis=1)
    fixed = first[~decides].sum(axis=0)
    first, second = first[decides], second[decides]
    patterns = sign_patterns(len(first), draws=draws, seed=seed)
    metric_a, metric_b = [], []
    for signs in patterns.blocks:
        # Two products of weights 0 and 1, never a total minus one of them: a count of nothing stays
        # exactly 0, so that a metric without data stays undefined.
        kept, exchanged = (1 + signs) / 2, (1 - signs) / 2
        metric_a.append(a.evaluate(fixed + (kept @ first + exchanged @ second)))
        metric_b.append(a.evaluate(fixed + (exchanged @ first + kept @ second)))
    of_a, of_b = np.concatenate(metric_a), np.concatenate(metric_b)
    apart, undefined = np.abs(of_a - of_b), np.isnan(of_a - of_b)

    observed_a, observed_b = a.point(), b.point()
    size = np.fmax(np.abs(observed_a), np.abs(observed_b))
    for values in (of_a, of_b):
        size = np.fmax(size, np.fmax.reduce(np.abs(values), axis=0))
    threshold = np.abs(observed_a - observed_b) - TIE * size
    extreme = np.count_nonzero(undefined | (apart >= threshold), axis=0)
    p_values = np.array([patterns.p_value(int(count)) for count in extreme])
    return _Swaps(
        p_values=np.where(np.isnan(threshold), np.nan, p_values),
        undefined=undefined.mean(axis=0),
        patterns=patterns.compared,
        exact=patterns.exact,
    )


def _unordered_pairs(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rows of both models without a trace of which is whose, nor of the order of the clusters.

    Random patterns then fall on the same rows whatever the clusters are called and whichever model
    comes first. In each cluster the row that is larger where the two first differ is put first.
    """
    gap = a - b
    leading = gap[np.arange(len(gap)), np.argmax(gap != 0, axis=1)]
    first = np.where(leading[:, None] < 0, b, a)
    second = np.where(leading[:, None] < 0, a, b)
    order = np.lexsort(np.hstack([first, second]).T)
    return first[order], second[order]


def _check_comparable(a: Sufficient, b: Sufficient) -> None:
    if a.clusters != b.clusters:
        apart = set(a.clusters) ^ set(b.clusters)
        raise MisalignedInput(
            f"{len(apart)} clusters are in one of the two only, such as {min(apart)!r}: compare models "
            "on the items that both answered."
        )
    if a.metrics != b.metrics:
        raise MisalignedInput(
            f"Metrics {', '.join(a.metrics)} and {', '.join(b.metrics)}: compare models by the same "
            "metrics in the same order."
        )
    if a.sums.shape != b.sums.shape:
        raise MisalignedInput(
            f"{a.sums.shape[1]} and {b.sums.shape[1]} sums per cluster: compare models on the same "
            "items and with the same number of runs."
        )
    for one in (a, b):
        total = one.sums.sum(axis=0, keepdims=True)
        if not np.array_equal(a.evaluate(total), b.evaluate(total), equal_nan=True):
            raise MisalignedInput(
                "The same sums give different metrics for the two models: compare models on items "
                "with the same golds, under the same protocol."
            )
