"""Krippendorff's alpha: agreement of any number of raters, of whom some may be missing."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.ranges import CORRELATION
from otherminds.metrics.uncertainty import (
    DRAWS,
    ROUNDING,
    SEED,
    Clusters,
    Estimate,
    divided,
    estimates_from_sums,
    partition,
    sums_by_cluster,
)
from otherminds.types import BoolArray, FloatArray

Level = Literal["nominal", "interval"]


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
    clusters  what each unit belongs to; the interval is a bootstrap over clusters,
              cut to -1..1

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
    kept = _of_pairable(clusters, pairable)
    x = x[pairable]
    columns = _of_interval(x) if level == "interval" else _of_nominal(x)
    sums = sums_by_cluster(kept, *columns)
    (found,) = estimates_from_sums(sums, _alpha, n=len(x), draws=draws, seed=seed)
    return CORRELATION.cut(found)


def ordinal_alpha(
    counts: ArrayLike, clusters: Clusters, *, draws: int = DRAWS, seed: int = SEED
) -> Estimate:
    """α = 1 - D_o / D_e with the ordinal difference of values (Krippendorff 2011, "ordinal metric").

    counts    shape (N, C): how many raters gave unit u the c-th value of the scale, from the lowest
    clusters  what each unit belongs to; the interval is a bootstrap over clusters,
              cut to -1..1

    Over the units with two or more ratings, m_u of them, n = Σ_u m_u in all:

    o_ck = Σ_u n_uc·(n_uk - [c = k]) / (m_u - 1)      n_c = Σ_k o_ck
    δ(c, k)² = ( Σ_{g=c..k} n_g - (n_c + n_k)/2 )²      how many ratings lie between two values
    D_o = Σ_ck o_ck·δ(c, k)² / n                      D_e = Σ_ck n_c·n_k·δ(c, k)² / (n(n - 1))

    δ depends on how often the values are used, so it is computed anew in every bootstrap draw. Only the
    order of the values matters: a value that nobody gave changes nothing.

    1 is identity, 0 what chance gives, below 0 is disagreement; NaN where all ratings are equal. n
    counts units with two or more ratings; the others say nothing and are left out.
    Raises MisalignedInput unless there is one row per unit and C ≥ 2, MetricError for a count that is
    not a whole number from 0, EmptyInput when no unit has two ratings.
    """
    given = np.asarray(counts, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] < 2 or len(given) != len(clusters.codes):
        raise MisalignedInput(
            f"Counts of shape {given.shape} for {len(clusters.codes)} units: give one row per unit, one "
            "column for each of at least two values."
        )
    if not (np.isfinite(given) & (given >= 0) & (given == np.floor(given))).all():
        raise MetricError("A count of ratings is not a whole number from 0.")
    pairable = given.sum(axis=1) > 1
    kept = _of_pairable(clusters, pairable)
    given = given[pairable]
    values = given.shape[1]
    pairs = given[:, :, None] * given[:, None, :] - given[:, :, None] * np.eye(values)
    coincidences = pairs / (given.sum(axis=1) - 1)[:, None, None]
    sums = sums_by_cluster(kept, *coincidences.reshape(len(given), -1).T)
    (found,) = estimates_from_sums(
        sums, lambda rows: _alpha_ordinal(rows, values), n=len(given), draws=draws, seed=seed
    )
    return CORRELATION.cut(found)


def _of_pairable(clusters: Clusters, pairable: BoolArray) -> Clusters:
    """The clusters of the units that have two ratings or more."""
    if not pairable.any():
        raise EmptyInput("No unit has two ratings: there is nothing to compare.")
    return partition([clusters.labels[code] for code in clusters.codes[pairable]])


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
    ratio = divided((n - 1) * within, expected, floor=ROUNDING * n * squares)
    return (1 - ratio)[:, None]


def _alpha_ordinal(sums: FloatArray, values: int) -> FloatArray:
    """α of summed coincidences, shape (b, values²) to (b, 1)."""
    coincidences = sums.reshape(-1, values, values)
    totals = coincidences.sum(axis=2)
    n = totals.sum(axis=1)
    # The rank of a value's middle: between two middles lie just the ratings that δ counts.
    middle = np.cumsum(totals, axis=1) - totals / 2
    distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
    ratio = divided((n - 1) * observed, expected, floor=ROUNDING * n**4)
    return (1 - ratio)[:, None]
