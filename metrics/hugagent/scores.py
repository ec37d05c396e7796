"""From sums to HugAgent's numbers: per run, mean over runs, per topic, mean over topics."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.hugagent.ati import ati, utility
from otherminds.metrics.hugagent.direction import CHANGE_WEIGHT
from otherminds.metrics.hugagent.table import RATES
from otherminds.types import BoolArray, FloatArray

METRICS = (*RATES, "bdu_dir", "composite", "ati")

_CHANGE, _DIRECTION = RATES.index("bdu_change"), RATES.index("bdu_direction")


def rates_by_topic(sums: FloatArray) -> FloatArray:
    """Rates by topic, averaged over runs.

    sums     shape (b, T, K, 6, 2), as in Table.sums with the people summed up
    returns  shape (b, T, 6), in the order of RATES

    A rate without data in a run is NaN there, except direction, which is 0 when there are pairs but
    person and model both changed in none of them (as in the authors' code). Runs are repeats of the
    same measurement, so the mean is over those runs in which a rate is defined.
    """
    numerator, denominator = sums[..., 0], sums[..., 1]
    rates = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=rates, where=denominator > 0)
    rates[..., _DIRECTION][without_direction(sums)] = 0.0

    defined = ~np.isnan(rates)
    runs = defined.sum(axis=2)
    means = np.full(runs.shape, np.nan)
    np.divide(np.where(defined, rates, 0.0).sum(axis=2), runs, out=means, where=runs > 0)
    return means


def without_direction(sums: FloatArray) -> BoolArray:
    """Where there are pairs, but none in which person and model both changed; shape (b, T, K)."""
    counts = sums[..., 1]
    return np.asarray((counts[..., _CHANGE] > 0) & (counts[..., _DIRECTION] == 0), dtype=np.bool_)


def scores(rates: FloatArray, present: BoolArray, *, mae_max: float) -> FloatArray:
    """All numbers for each topic and, last, averaged over topics.

    rates    shape (b, T, 6), in the order of RATES
    present  shape (T, 6), as in Table.present
    mae_max  that of the protocol
    returns  shape (b, T + 1, 9), in the order of METRICS; NaN = undefined

    A rate is averaged over the topics whose golds ask for it. Where it is undefined in one of these
    (nothing could be read), so is the average: a mean over fewer topics would be another quantity
    under the same name. In every row, composite is 100·u of that row's numbers.
    """
    topics = present.sum(axis=0)
    average = np.full((rates.shape[0], rates.shape[2]), np.nan)
    np.divide(np.where(present, rates, 0.0).sum(axis=1), topics, out=average, where=topics > 0)
    rows = np.concatenate([rates, average[:, None, :]], axis=1)

    column = {name: rows[..., i] for i, name in enumerate(RATES)}
    direction = CHANGE_WEIGHT * column["bdu_change"] + (1 - CHANGE_WEIGHT) * column["bdu_direction"]
    parts = (column["bsi_acc"], column["bdu_acc"], column["bdu_mae"], direction)
    u = utility(*parts, mae_max=mae_max)
    made = np.stack([direction, 100 * u, ati(u, mae_max=mae_max)], axis=-1)
    return np.concatenate([rows, made], axis=-1)
