"""Scores of models that give a probability of agreeing for each item (the `_logprob` tasks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherminds.metrics.debate.confusion import AGREE, DISAGREE
from otherminds.metrics.debate.items import Belief, check_items
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.probability import brier_scores, calibration_gaps
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    clustered_mean,
    divided,
    estimates_from_sums,
    nothing,
    partition,
    sums_by_cluster,
)
from otherminds.types import FloatArray

METRICS = ("brier", "ece")


def summarize_distributions(
    items: Sequence[Belief],
    distributions: Sequence[FloatArray | None],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Mapping[str, Estimate]:
    """Brier score and calibration, with 95 % intervals by person.

    brier  mean of (p_agree - [agrees])² + (p_disagree - [disagrees])², 0 (best) to 2
    ece    expected calibration error over 10 equal-width bins of the larger probability

    `distributions` holds one vector (p_agree, p_disagree) per item, or None where the model gave none;
    such items are left out, and without any other both metrics are NaN with n = 0. brier has the
    cluster-robust standard error of a mean, ece that of a bootstrap over people.

    Raises as `check_items` and `brier_scores`, and MisalignedInput for unequal lengths or a vector of
    other than two probabilities.
    """
    check_items(items)
    if len(distributions) != len(items):
        raise MisalignedInput(f"{len(distributions)} distributions for {len(items)} items.")
    pairs = sorted(zip(items, distributions, strict=True), key=lambda pair: pair[0].item_id)
    given = [(item, vector) for item, vector in pairs if vector is not None]
    if not given:
        return {name: nothing() for name in METRICS}
    for item, vector in given:
        if vector.shape != (2,):
            raise MisalignedInput(
                f"Item {item.item_id!r}: a vector of shape {vector.shape}, not one of the "
                "probabilities of agree and disagree."
            )
    vectors = [vector for _, vector in given]
    golds = [AGREE if item.agrees else DISAGREE for item, _ in given]
    people = partition([item.user_id for item, _ in given])
    gaps = calibration_gaps(vectors, golds)
    sums = sums_by_cluster(people, np.ones(len(given)), *gaps.T)
    (ece,) = estimates_from_sums(sums, _calibration_error, n=len(given), draws=draws, seed=seed)
    return {"brier": clustered_mean(brier_scores(vectors, golds), people), "ece": ece}


def _calibration_error(sums: FloatArray) -> FloatArray:
    """From the sums of 1 and of the gaps in each bin, shape (b, 1 + bins), shape (b, 1)."""
    return divided(np.abs(sums[:, 1:]).sum(axis=1), sums[:, 0])[:, None]
