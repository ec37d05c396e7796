"""Krippendorff's alpha: agreement of any number of raters, of whom some may be missing."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.bootstrap import DRAWS, SEED
from otherminds.metrics.clusters import Clusters, partition
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.sums import divided, estimates_from_sums, sums_by_cluster
from otherminds.types import FloatArray

Level = Literal["nominal", "interval"]

# A variance that is this small a part of the squares it was subtracted from is rounding.
_ROUNDING = 1e-12


def krippendorff_alpha(
    ratings: ArrayLike,
    clusters: Clusters,
    *,
    level: Level = "interval",
    draws: int = DRAWS,
    seed: int = SEED,
) -> Estimate:
    """α = 1 - D_o / D_e, observed over expected disagreement (Krippendorff 2011, eq. 1 to 4).

    Over the units that two or more raters rated, m_u of them, n = Σ_u m_u ratings in all:

    D_o = 1/n · Σ_u 1/(m_u - 1) · Σ_{i≠j} δ(x_ui, x_uj)      D_e = 1/(n(n - 1)) · Σ_{r≠s} δ(x_r, x_s)

    with δ(a, b) = (a - b)² on the level "interval", and [a ≠ b] on the level "nominal", r and s running
    over all ratings. In place of the sums over pairs, D_o and D_e are computed from sums over units (of
    x and x², or of how often each value was given), so that a bootstrap needs no coincidence matrix.

    ratings   shape (N, R): units by raters, NaN where a rater did not rate
    clusters  what each unit belongs to; the interval is a bootstrap over clusters

    1 is identity, 0 what chance gives, below 0 is disagreement. NaN where it is 0/0: all ratings are
    equal. n counts units with two or more ratings; the others say nothing and are left out.
    Raises MisalignedInput unless there are N rows and R ≥ 2 columns, MetricError for an infinite
    rating, EmptyInput when no unit has two ratings.
    """
    x = np.asarray(ratings, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2 or len(x) != len(clusters.codes):
        raise MisalignedInput(
            f"Ratings of shape {x.shape} for {len(clusters.codes)} units: give one row per unit, one "
            "column for each of at least two raters."
        )
    if np.isinf(x).any():
        raise MetricError("A rating is infinite: give NaN where a rater did not rate.")
    pairable = np.count_nonzero(~np.isnan(x), axis=1) > 1
    if not pairable.any():
        raise EmptyInput("No unit has two ratings: there is nothing to compare.")
    x = x[pairable]
    kept = partition([clusters.labels[code] for code in clusters.codes[pairable]])
    columns = _of_interval(x) if level == "interval" else _of_nominal(x)
    sums = sums_by_cluster(kept, *columns)
    return estimates_from_sums(sums, _alpha, n=len(x), draws=draws, seed=seed)[0]


def _of_interval(x: FloatArray) -> list[FloatArray]:
    # Alpha does not change with the origin. Near zero no digits cancel, and a shift by a whole number
    # keeps sums of whole numbers exact.
    x = x - np.round(np.nanmean(x))
    rated = np.count_nonzero(~np.isnan(x), axis=1).astype(np.float64)
    total, squares = np.nansum(x, axis=1), np.nansum(x**2, axis=1)
    within = (rated * squares - total**2) / (rated - 1)
    # Σ_{r≠s} (x_r - x_s)² = 2 (n Σx² - (Σx)²), and likewise within a unit: the factors 2 cancel.
    return [within, rated, squares, total]


def _of_nominal(x: FloatArray) -> list[FloatArray]:
    values = np.unique(x[~np.isnan(x)])
    given = [np.count_nonzero(x == value, axis=1).astype(np.float64) for value in values]
    rated = np.sum(given, axis=0)
    within = (rated**2 - np.sum(np.square(given), axis=0)) / (rated - 1)
    # Σ_{r≠s} [x_r ≠ x_s] = n² - Σ_c n_c²: as on the level "interval", with Σx² of n and several totals.
    return [within, rated, rated, *given]


def _alpha(sums: FloatArray) -> FloatArray:
    """α of summed rows (within, n, squares, totals…), shape (b, 1)."""
    within, n, squares = sums[:, 0], sums[:, 1], sums[:, 2]
    expected = n * squares - (sums[:, 3:] ** 2).sum(axis=1)
    ratio = divided((n - 1) * within, expected, floor=_ROUNDING * n * squares)
    return (1 - ratio)[:, None]
