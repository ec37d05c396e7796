"""Krippendorff's alpha of ratings on an ordinal scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.bootstrap import DRAWS, SEED
from otherminds.metrics.clusters import Clusters, partition
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.sums import divided, estimates_from_sums, sums_by_cluster
from otherminds.types import FloatArray

# A disagreement that is this small a part of the squared number of ratings is rounding.
_ROUNDING = 1e-12


def ordinal_alpha(
    counts: ArrayLike, clusters: Clusters, *, draws: int = DRAWS, seed: int = SEED
) -> Estimate:
    """α = 1 - D_o / D_e with the ordinal difference of values (Krippendorff 2011, "ordinal metric").

    counts    shape (N, C): how many raters gave unit u the c-th value of the scale, from the lowest
    clusters  what each unit belongs to; the interval is a bootstrap over clusters

    Over the units with two or more ratings, m_u of them, n = Σ_u m_u in all:

    o_ck = Σ_u n_uc·(n_uk - [c = k]) / (m_u - 1)      n_c = Σ_k o_ck
    δ(c, k)² = ( Σ_{g=c..k} n_g - (n_c + n_k)/2 )²      how many ratings lie between two values
    D_o = Σ_ck o_ck·δ(c, k)² / n                      D_e = Σ_ck n_c·n_k·δ(c, k)² / (n(n - 1))

    δ depends on how often the values are used, so it is computed anew in every bootstrap draw. Only the
    order of the values matters: a value that nobody gave changes nothing.

    1 is identity, 0 what chance gives, below 0 is disagreement; NaN where all ratings are equal. n
    counts units with two or more ratings; the others say nothing and are left out.
    Raises MisalignedInput unless there is one row per unit and C ≥ 2, MetricError for a count that is no
    whole number from 0, EmptyInput when no unit has two ratings.
    """
    given = np.asarray(counts, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] < 2 or len(given) != len(clusters.codes):
        raise MisalignedInput(
            f"Counts of shape {given.shape} for {len(clusters.codes)} units: give one row per unit, one "
            "column for each of at least two values."
        )
    if not (np.isfinite(given) & (given >= 0) & (given == np.floor(given))).all():
        raise MetricError("A count of ratings is no whole number from 0.")
    pairable = given.sum(axis=1) > 1
    if not pairable.any():
        raise EmptyInput("No unit has two ratings: there is nothing to compare.")
    given = given[pairable]
    values = given.shape[1]
    kept = partition([clusters.labels[code] for code in clusters.codes[pairable]])
    pairs = given[:, :, None] * given[:, None, :] - given[:, :, None] * np.eye(values)
    coincidences = pairs / (given.sum(axis=1) - 1)[:, None, None]
    sums = sums_by_cluster(kept, *coincidences.reshape(len(given), -1).T)
    return estimates_from_sums(
        sums, lambda rows: _alpha(rows, values), n=len(given), draws=draws, seed=seed
    )[0]


def _alpha(sums: FloatArray, values: int) -> FloatArray:
    """α of summed coincidences, shape (b, values²) to (b, 1)."""
    coincidences = sums.reshape(-1, values, values)
    totals = coincidences.sum(axis=2)
    n = totals.sum(axis=1)
    # The rank of a value's middle: between two middles lie just the ratings that δ counts.
    middle = np.cumsum(totals, axis=1) - totals / 2
    distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
    ratio = divided((n - 1) * observed, expected, floor=_ROUNDING * n**4)
    return (1 - ratio)[:, None]
