"""How far scores follow the length of answers: a judge of mentions may reward mere length."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.uncertainty import (
    DRAWS,
    LEVEL,
    ROUNDING,
    SEED,
    Estimate,
    cluster_bootstrap,
    estimate_from_draws,
    nothing,
    partition,
)
from otherminds.types import FloatArray


class Sized(NamedTuple):
    """A judged text.

    instance_id  the unit of all uncertainty
    length       in characters
    points       its score, from 0 to 100
    """

    instance_id: str
    length: int
    points: float


@dataclass(frozen=True)
class LengthEffect:
    """How scores and lengths go together.

    slope        points of 100 per 1,000 characters, by least squares
    correlation  Pearson's r of points and characters
    mean_length  in characters
    """

    slope: Estimate
    correlation: Estimate
    mean_length: float


def length_effects(
    texts: Mapping[str, Sequence[Sized]], *, draws: int = DRAWS, seed: int = SEED
) -> Mapping[str, LengthEffect]:
    """`length_effect` of each of several collections of texts, such as the dimensions of answers."""
    return {name: length_effect(own, draws=draws, seed=seed) for name, own in texts.items() if own}


def length_effect(texts: Sequence[Sized], *, draws: int = DRAWS, seed: int = SEED) -> LengthEffect:
    """Slope and correlation of points on characters, with 95 % intervals.

        slope = Σ (x - x̄)(y - ȳ) / Σ (x - x̄)²        x in 1,000 characters, y in points

    Standard errors are from a bootstrap over instances. The interval of r is made on Fisher's scale
    z = artanh r, z ± t(G - 1) · SD of the draws of z, so that it stays within -1 and 1. Slope and r are
    NaN with n = 0 where lengths do not differ, and r also where points do not. This is an association:
    users about whom there is more to say may have longer and better answers.

    Raises EmptyInput without texts.
    """
    if not texts:
        raise EmptyInput("No texts whose length could be looked at.")
    instances = partition([text.instance_id for text in texts])
    x = np.array([text.length / 1_000 for text in texts])
    y = np.array([text.points for text in texts])
    # Centred, so that the sums of squares keep their digits.
    x_mean, y_mean = float(x.mean()), float(y.mean())
    x, y = x - x_mean, y - y_mean
    rows = np.stack(
        [instances.totals(sums) for sums in (np.ones_like(x), x, y, x * x, y * y, x * y)], axis=1
    )
    slope, r = _slope_and_r(rows.sum(axis=0, keepdims=True))[0]
    drawn = cluster_bootstrap(rows, _slope_and_r, draws=draws, seed=seed)
    n, n_clusters = float(len(texts)), instances.count
    return LengthEffect(
        slope=nothing()
        if math.isnan(slope)
        else estimate_from_draws(float(slope), drawn[:, 0], n=n, n_clusters=n_clusters),
        correlation=nothing()
        if math.isnan(r)
        else _fisher(float(r), drawn[:, 1], n=n, n_clusters=n_clusters),
        mean_length=1_000 * x_mean,
    )


def _slope_and_r(rows: FloatArray) -> FloatArray:
    """Slope and r of summed rows (n, Σx, Σy, Σxx, Σyy, Σxy), shape (b, 2); NaN = undefined."""
    n, x, y, xx, yy, xy = rows.T
    # What rounding leaves of no spread at all is none.
    spread_x = _or_none(xx - x * x / n, xx)
    spread_y = _or_none(yy - y * y / n, yy)
    both = xy - x * y / n
    found: FloatArray = np.stack([both / spread_x, both / np.sqrt(spread_x * spread_y)], axis=1)
    found[:, 1] = np.clip(found[:, 1], -1.0, 1.0)
    return found


def _or_none(spread: FloatArray, size: FloatArray) -> FloatArray:
    cleaned: FloatArray = np.where(spread > ROUNDING * size, spread, np.nan)
    return cleaned


def _fisher(r: float, draws: FloatArray, *, n: float, n_clusters: int) -> Estimate:
    whole = estimate_from_draws(r, draws, n=n, n_clusters=n_clusters)
    inside = draws[np.abs(draws) < 1]
    if n_clusters < 2 or inside.size < 2 or abs(r) == 1:
        return replace(whole, low=math.nan, high=math.nan)
    half = float(stdtrit(n_clusters - 1, (1 + LEVEL) / 2)) * float(
        np.std(np.arctanh(inside), ddof=1)
    )
    z = math.atanh(r)
    # tanh(artanh r) is r but for its last digit.
    return replace(whole, low=min(math.tanh(z - half), r), high=max(math.tanh(z + half), r))
