"""Intervals that stay within what a number can be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.estimate import LEVEL, Estimate

FloatArray = NDArray[np.float64]


def rank_interval(found: Estimate, draws: FloatArray, *, bound: float = 1.0) -> Estimate:
    """`found` with an interval for rank correlations, from its t interval and its bootstrap `draws`.

    [max(-B, min(x - t SE, q)), min(B, max(x + t SE, Q))],  q and Q the 2.5 % and 97.5 % quantiles of the
    draws that are defined

    Neither interval is enough alone. Rank correlations of resampled personas are nearer to 0 than that
    of the sample, so that percentiles alone miss a strong agreement; and near 0 draws differ less than
    samples do, so that the t interval is too short. In simulations the hull of both holds the expected
    median and mean ρ of nine attributes in 94 % of the samples or more, whatever the effect
    (`tests/metrics/trust/test_intervals.py`).

    draws  shape (B,); NaN = undefined. Unchanged where `found` has no interval
    bound  B: what the statistic cannot exceed, 1 for a correlation, 2 for a difference of two
    """
    if math.isnan(found.low):
        return found
    tail = (1 - LEVEL) / 2
    low, high = (float(q) for q in np.quantile(draws[~np.isnan(draws)], [tail, 1 - tail]))
    hull = replace(found, low=min(low, found.low), high=max(high, found.high))
    return within(hull, -bound, bound)


def within(found: Estimate, low: float, high: float = math.inf) -> Estimate:
    """`found` with its interval cut off at the bounds of what is estimated.

    No interval covers less by this, for nothing that is true lies beyond the bounds. Without an interval
    there is nothing to cut.
    """
    if math.isnan(found.low):
        return found
    return replace(found, low=max(found.low, low), high=min(found.high, high))
