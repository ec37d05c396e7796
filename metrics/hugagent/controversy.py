"""How much a topic divides people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.hugagent.columns import in_order
from otherminds.metrics.hugagent.items import BASELINES, BDU, OPINION, Item, check_golds
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    estimates_from_sums,
    partition,
    sums_by_cluster,
)
from otherminds.types import FloatArray


@dataclass(frozen=True)
class Controversy:
    """Both parts of the controversy index, and their sum (definitions: `controversy_index`).

    index     variance + entropy, 0 (all agree) to 2 (half at either end of the scale)
    variance  stance variance as a share of its maximum, 0 to 1
    entropy   polarity entropy in bits, 0 to 1
    """

    index: Estimate
    variance: Estimate
    entropy: Estimate


def controversy_index(
    stances: ArrayLike,
    clusters: Clusters,
    *,
    low: int,
    high: int,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Controversy:
    """Controversy of one topic from stances on the scale low..high.

    variance = mean (x - x̄)² / ((high - low)/2)²    1 when half of the people are at either end
    entropy  = -p·log2(p) - (1 - p)·log2(1 - p)      p = share above the midpoint (low + high)/2

    A stance exactly at the midpoint (3 of 5; there is none of 10) counts half above, half below. The
    variance sees how far apart people are, the entropy how evenly they take sides: five against six
    divides sides, not people, and scores high on entropy alone.

    stances   shape (n,)
    clusters  the person behind each stance; intervals resample people

    Both parts are somewhat too low in small samples: the variance by the factor (n - 1)/n, the entropy
    by about 1/(2·n·ln 2).
    Raises MisalignedInput for unequal lengths, MetricError for low ≥ high, or a stance outside the
    scale or NaN.
    """
    if low >= high:
        raise MetricError(f"Scale {low}-{high}: low must be below high.")
    x = np.asarray(stances, dtype=np.float64)
    off = x[~((x >= low) & (x <= high))]
    if off.size:
        raise MetricError(f"Stance {off[0]:g} is not on the scale {low}-{high}: leave it out.")
    # Twice the distance from the midpoint is a whole number for whole stances.
    y = 2 * x - (low + high)
    above = (np.sign(y) + 1) / 2
    sums = sums_by_cluster(clusters, np.ones(y.shape), y, y**2, above)

    def statistic(sums: FloatArray) -> FloatArray:
        n, total, squares, sided = sums.T
        variance = (n * squares - total**2) / (n * (high - low)) ** 2
        p = sided / n
        entropy = (entr(p) + entr(1 - p)) / np.log(2)
        return np.stack([variance + entropy, variance, entropy], axis=-1)

    return Controversy(*estimates_from_sums(sums, statistic, n=x.size, draws=draws, seed=seed))


def controversy_by_topic(
    items: Sequence[Item], *, draws: int = DRAWS, seed: int = SEED
) -> Mapping[str, Controversy]:
    """`controversy_index` of each topic, from the people's opinions before any scenario (the golds).

    Answers of models are not looked at; to see how controversial a model makes a topic, put them in
    place of the golds. Topics without a baseline are not in the result.
    Raises EmptyInput when there is none at all, MetricError when a topic's baselines are on different
    scales or a gold is outside its scale, else as `check_golds`.
    """
    check_golds(items)
    baselines: dict[str, list[Item]] = {}
    for item in in_order(items):
        opinion = item.task == BDU and item.question_type == OPINION
        if opinion and item.question_id == BASELINES.get(item.topic):
            baselines.setdefault(item.topic, []).append(item)
    if not baselines:
        raise EmptyInput("No opinion from before a scenario: there is no stance to measure.")
    found: dict[str, Controversy] = {}
    for topic, here in sorted(baselines.items()):
        scales = {(item.low, item.high) for item in here}
        if len(scales) > 1:
            raise MetricError(f"Baselines of {topic!r} are on scales {sorted(scales)}: use one.")
        found[topic] = controversy_index(
            [int(item.gold) for item in here],
            partition([item.participant_id for item in here]),
            low=here[0].low,
            high=here[0].high,
            draws=draws,
            seed=seed,
        )
    return found
