"""HugAgent's numbers for models that give a distribution over the options of each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.hugagent.items import BSI, ERROR_FACTOR, Item, check_golds
from otherminds.metrics.probability import BINS, brier_scores, calibration_gaps, expected_value
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    cluster_bootstrap,
    divided,
    estimate_from_draws,
    mean_of_defined,
    nothing,
    partition,
)
from otherminds.types import FloatArray

METRICS = ("brier", "ece", "bdu_mae_expected")
_FIRST_GAP = 4


def summarize_distributions(
    items: Sequence[Item],
    distributions: Sequence[FloatArray | None],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Mapping[str, Estimate]:
    """Brier score, calibration and expected-value error, with 95 % intervals by person.

    brier             mean of Σ_j (p_j - [j = gold])², 0 (best) to 2
    ece               expected calibration error over 10 equal-width bins of the largest probability
    bdu_mae_expected  mean |Σ_j p_j·value_j - gold| of BDU items, in points of the 5-point scale

    Each is computed per topic, then averaged over topics; intervals come from a bootstrap over
    people. A metric with nothing to measure is NaN with n = 0.

    `distributions` holds one vector per item, over A and B or over the points of the item's scale,
    or None where the model gave none; items with None are left out. Items whose gold is not a single
    option ("A/B", or a number outside the scale) are left out of brier and ece, but a number
    outside the scale counts in bdu_mae_expected.

    Raises as `check_golds`, and MisalignedInput for unequal lengths.
    """
    check_golds(items)
    if len(distributions) != len(items):
        raise MisalignedInput(f"{len(distributions)} distributions for {len(items)} items.")
    given = [(item, p) for item, p in zip(items, distributions, strict=True) if p is not None]
    if not given:
        return {name: nothing() for name in METRICS}
    people = partition([item.participant_id for item, _ in given])
    topics = partition([item.topic for item, _ in given])
    sums = np.zeros((people.count, topics.count, _FIRST_GAP + BINS))
    np.add.at(sums, (people.codes, topics.codes), np.array([_terms(*one) for one in given]))

    def statistic(flat: FloatArray) -> FloatArray:
        terms = flat.reshape(-1, topics.count, _FIRST_GAP + BINS)
        n, n_bdu = terms[..., 0], terms[..., 2]
        gaps = np.abs(terms[..., _FIRST_GAP:]).sum(axis=-1)
        parts = [(terms[..., 1], n), (gaps, n), (terms[..., 3], n_bdu)]
        return np.stack([_average_over_topics(total, count) for total, count in parts], axis=-1)

    flat = sums.reshape(people.count, -1)
    point = statistic(flat.sum(axis=0, keepdims=True))[0]
    sampled = cluster_bootstrap(flat, statistic, draws=draws, seed=seed)
    counts = (sums[..., 0].sum(axis=1), sums[..., 0].sum(axis=1), sums[..., 2].sum(axis=1))
    return {
        name: estimate_from_draws(
            float(point[i]),
            sampled[:, i],
            n=float(counts[i].sum()),
            n_clusters=int(np.count_nonzero(counts[i])),
        )
        if counts[i].any()
        else nothing()
        for i, name in enumerate(METRICS)
    }


def _terms(item: Item, p: FloatArray) -> FloatArray:
    """One item's share of the sums: n, Brier, n of BDU, expected error, calibration gap by bin."""
    terms = np.zeros(_FIRST_GAP + BINS)
    right = _gold_option(item)
    if right is not None:
        terms[0] = 1
        terms[1] = brier_scores([p], [right])[0]
        terms[_FIRST_GAP:] = calibration_gaps([p], [right])[0]
    if item.task != BSI:
        terms[2] = 1
        error = abs(expected_value(p, low=item.low) - int(item.gold))
        terms[3] = error * ERROR_FACTOR[item.low, item.high]
    return terms


def _gold_option(item: Item) -> int | None:
    if item.task == BSI:
        return "AB".index(item.gold) if item.gold in ("A", "B") else None
    index = int(item.gold) - item.low
    return index if 0 <= index <= item.high - item.low else None


def _average_over_topics(total: FloatArray, count: FloatArray) -> FloatArray:
    """Mean of total / count over the topics with a count; NaN where no topic has one."""
    return mean_of_defined(divided(total, count))
