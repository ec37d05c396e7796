"""Agreement of repeated ratings of the same targets: ICC(2,1), Cohen's kappa, and its weighted form."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.ranges import CORRELATION
from otherminds.metrics.uncertainty import (
    DRAWS,
    ROUNDING,
    SEED,
    Clusters,
    Estimate,
    divided,
    estimates_from_sums,
    sums_by_cluster,
)
from otherminds.types import FloatArray


def intraclass_correlation(
    ratings: ArrayLike, clusters: Clusters, *, draws: int = DRAWS, seed: int = SEED
) -> Estimate:
    """ICC(2,1): two-way random effects, absolute agreement, single rating (Shrout & Fleiss 1979).

    ICC = (MSR - MSE) / (MSR + (k - 1)·MSE + k·(MSC - MSE)/n)

    for n targets rated k times, with the mean squares of the two-way table without replication
    (row mean x̄_i, column mean x̄_j, grand mean x̄):
    MSR = k·Σ_i (x̄_i - x̄)² / (n - 1)                          between targets
    MSC = n·Σ_j (x̄_j - x̄)² / (k - 1)                          between occasions (raters)
    MSE = Σ_ij (x_ij - x̄_i - x̄_j + x̄)² / ((n - 1)(k - 1))     residual

    ratings   shape (n, k), all on one scale; a shift between occasions lowers the ICC
    clusters  the person behind each target; the interval is a bootstrap over people,
              cut to -1..1

    At most 1; below 0 when targets differ less than their repeats. NaN where it is 0/0: fewer than two
    targets, or ratings that are all equal.
    Raises MisalignedInput unless there are n rows and k ≥ 2 columns, MetricError for a NaN or infinite
    rating (leave that target out, with its cluster id).
    """
    x = np.asarray(ratings, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2:
        raise MisalignedInput(
            f"Ratings of shape {x.shape}: give one row per target, one column for each of at least "
            "two occasions."
        )
    _require_finite(x)
    # The ICC does not change with the origin. Near zero no digits cancel, and a shift by a whole number
    # keeps sums of whole numbers exact.
    x = x - np.round(x.mean()) if x.size else x
    k = x.shape[1]
    sums = sums_by_cluster(clusters, np.ones(len(x)), x.sum(axis=1) ** 2, (x**2).sum(axis=1), *x.T)

    def statistic(sums: FloatArray) -> FloatArray:
        n, row_squares, squares = sums[:, 0], sums[:, 1], sums[:, 2]
        columns = sums[:, 3:]
        correction = columns.sum(axis=1) ** 2 / (n * k)
        targets = row_squares / k - correction
        occasions = (columns**2).sum(axis=1) / n - correction
        residual = squares - correction - targets - occasions
        # Both sides of the fraction times n - 1, so that a single target gives 0/0 and no warning.
        msr, mse, msc = targets, residual / (k - 1), occasions * (n - 1) / (k - 1)
        denominator = msr + (k - 1) * mse + k * (msc - mse) / n
        return divided(msr - mse, denominator, floor=ROUNDING * squares)[:, None]

    (found,) = estimates_from_sums(sums, statistic, n=len(x), draws=draws, seed=seed)
    return CORRELATION.cut(found)


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    clusters: Clusters,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Estimate:
    """Cohen's kappa of two labels of the same targets (Cohen 1960).

    κ = (P_o - P_e) / (1 - P_e)

    P_o   share of targets with the same label twice
    P_e   Σ_l of the product of the shares of l among the first and among the second labels

    1 is identity, 0 what independent labels with these margins give.
    clusters  the person behind each target; the interval is a bootstrap over people, cut to -1..1

    NaN where it is 0/0: all labels are equal.
    Raises MisalignedInput for unequal lengths.
    """
    if len(first) != len(second):
        raise MisalignedInput(f"{len(first)} first and {len(second)} second labels: give pairs.")
    labels = list(dict.fromkeys([*first, *second]))
    a, b = (np.array([[one == of for of in labels] for one in side]) for side in (first, second))
    shape = (len(first), len(labels))
    a, b = (side.reshape(shape).astype(np.float64) for side in (a, b))
    sums = sums_by_cluster(clusters, np.ones(len(first)), (a * b).sum(axis=1), *a.T, *b.T)

    def statistic(sums: FloatArray) -> FloatArray:
        n, same = sums[:, 0], sums[:, 1]
        margins = sums[:, 2 : 2 + len(labels)] * sums[:, 2 + len(labels) :]
        expected = margins.sum(axis=1) / n
        return divided(same - expected, n - expected, floor=ROUNDING * n)[:, None]

    (found,) = estimates_from_sums(sums, statistic, n=len(first), draws=draws, seed=seed)
    return CORRELATION.cut(found)


def quadratic_kappa(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Clusters,
    *,
    low: int,
    high: int,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Estimate:
    """Quadratic-weighted kappa of two ratings of the same targets (Cohen 1968).

    κ = 1 - Σ_ab (a - b)²·O_ab / Σ_ab (a - b)²·E_ab

    O_ab   share of targets rated a first and b second
    E_ab   product of the shares of a among the first and of b among the second ratings

    The usual weights (a - b)²/(high - low)² differ by a factor that cancels: kappa does not depend on
    labels that nobody used. 1 is identity, 0 what independent ratings with these margins give.
    first, second  shape (n,): whole numbers from low to high
    clusters       the person behind each target; the interval is a bootstrap over people,
              cut to -1..1

    NaN where it is 0/0: all ratings are equal.
    Raises MisalignedInput for unequal lengths, MetricError for low ≥ high or a rating that is not on
    the scale.
    """
    if low >= high:
        raise MetricError(f"Scale {low}-{high}: low must be below high.")
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape:
        raise MisalignedInput(f"{a.shape} first and {b.shape} second ratings: give pairs.")
    for x in (a, b):
        _require_finite(x)
        off = x[(x < low) | (x > high) | (x != np.round(x))]
        if off.size:
            raise MetricError(f"Rating {off[0]:g} is not on the scale {low}-{high}: leave it out.")
    sums = sums_by_cluster(clusters, np.ones(a.shape), a, b, a**2 + b**2, (a - b) ** 2)

    def statistic(sums: FloatArray) -> FloatArray:
        n, total_a, total_b, squares, observed = sums.T
        expected = squares - 2 * total_a * total_b / n
        return (1 - divided(observed, expected, floor=ROUNDING * squares))[:, None]

    (found,) = estimates_from_sums(sums, statistic, n=a.size, draws=draws, seed=seed)
    return CORRELATION.cut(found)


def _require_finite(ratings: FloatArray) -> None:
    if not np.isfinite(ratings).all():
        raise MetricError(
            "A rating is NaN or infinite: leave that target out, with its cluster id."
        )
