"""Resampling personas for all attributes at once, where a draw may skip some attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from otherminds.metrics.trust_game.intervals import rank_interval
from otherminds.metrics.uncertainty import (
    Estimate,
    bounded,
    cluster_bootstrap,
    estimate,
    estimate_from_draws,
    nothing,
    undefined_share,
)
from otherminds.types import FloatArray

# A level held by 2 of 50 personas is missing from 13 % of the draws, one held by a single persona from
# 36 %: by the 5 % of `sums`, attributes with rare levels would hardly ever have an interval. The draws
# that are left have every level, as the sample at hand has; beyond this share they are too special.
MAX_SKIPPED = 0.5


class Measured(NamedTuple):
    """One attribute to resample.

    sums     shape (P, k): what each of P personas contributes
    measure  maps sums over personas, shape (b, k), to c numbers, shape (b, c); NaN = undefined
    """

    sums: FloatArray
    measure: Callable[[FloatArray], FloatArray]


def resample(
    attributes: Sequence[Measured], *, draws: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """The c numbers of each of A attributes: of the sample, shape (A, c), and of draws, (B, A, c).

    A draw takes the same personas for all attributes. Raises as `cluster_bootstrap`.
    """
    ends = np.cumsum([one.sums.shape[1] for one in attributes])[:-1]

    def statistic(rows: FloatArray) -> FloatArray:
        parts = np.split(rows, ends, axis=1)
        return np.hstack([one.measure(part) for one, part in zip(attributes, parts, strict=True)])

    sums = np.hstack([one.sums for one in attributes])
    point = statistic(sums.sum(axis=0, keepdims=True))
    sampled = cluster_bootstrap(sums, statistic, draws=draws, seed=seed)
    return point.reshape(len(attributes), -1), sampled.reshape(draws, len(attributes), -1)


def estimated(value: float, draws: FloatArray, people: FloatArray) -> Estimate:
    """`value` with the bootstrap interval of its `draws` (shape (B,); NaN = skipped or undefined).

    people  shape (P,): in what share of the runs each person counts

    n is the sum of `people`, the mean number over the runs. Where `value` is NaN: NaN with n = 0. Where
    more than MAX_SKIPPED of the draws are NaN: no stderr and no interval.
    """
    if math.isnan(value):
        return nothing()
    n, n_clusters = float(people.sum()), int(np.count_nonzero(people))
    if undefined_share(draws) > MAX_SKIPPED:
        return estimate(value, math.nan, n=n, n_clusters=n_clusters)
    return estimate_from_draws(value, draws, n=n, n_clusters=n_clusters)


def correlation(value: float, draws: FloatArray, people: FloatArray) -> Estimate:
    """As `estimated`, with an interval within -1..1 (`rank_interval`)."""
    return rank_interval(estimated(value, draws, people), draws)


def difference(value: float, draws: FloatArray, people: FloatArray) -> Estimate:
    """As `correlation`, of the difference of two correlations, within -2..2."""
    return rank_interval(estimated(value, draws, people), draws, bound=2.0)


def share(value: float, draws: FloatArray, people: FloatArray) -> Estimate:
    """As `estimated`, with the interval cut off at 0 and 1: of differences between two η²."""
    return bounded(estimated(value, draws, people), 0.0, 1.0)


class Over(NamedTuple):
    """One number of all attributes.

    median  over the attributes for which it is defined
    mean    likewise
    size    how many attributes these are
    """

    median: Estimate
    mean: Estimate
    size: int


def over_attributes(
    point: FloatArray,
    draws: FloatArray,
    people: FloatArray,
    interval: Callable[[float, FloatArray, FloatArray], Estimate],
) -> Over:
    """Median and mean of `point` over the attributes for which it is defined, with intervals.

    point     shape (A,); NaN = undefined
    draws     shape (B, A); an attribute that is NaN is skipped in that draw, and one without a `point`
              in all of them
    people    as for `estimated`
    interval  `correlation`, `difference` or `share`
    """
    defined = ~np.isnan(point)
    median, mean = (
        interval(
            float(_of_defined(how, point[None])[0]), _of_defined(how, draws[:, defined]), people
        )
        for how in (np.nanmedian, np.nanmean)
    )
    return Over(median, mean, int(np.count_nonzero(defined)))


def _of_defined(how: Callable[..., FloatArray], rows: FloatArray) -> FloatArray:
    """Median or mean along the last axis of what is not NaN, shape (b,); NaN where nothing is."""
    found = np.full(len(rows), np.nan)
    some = ~np.isnan(rows).all(axis=1)
    found[some] = how(rows[some], axis=1)
    return found
