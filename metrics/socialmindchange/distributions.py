"""Scores of models that give a probability for each option (the `_logprob` tasks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.probability import brier_scores, calibration_gaps
from otherminds.metrics.socialmindchange.items import LETTERS, Question, check_items
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

FORECAST_METRICS = ("brier", "ece")


def summarize_distributions(
    questions: Sequence[Question],
    distributions: Mapping[str, FloatArray],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Mapping[str, Estimate]:
    """Brier score and calibration, with 95 % intervals by stage.

    brier  mean of Σ_j (p_j - [j = gold])², 0 (best) to 2; 1 - 1/n for equal probabilities of n options
    ece    expected calibration error over 10 equal-width bins of the largest probability

    `distributions` holds, by item id, the probabilities of the question's options in order. Questions
    without are left out; if all are, both metrics are NaN with n = 0. brier has the cluster-robust
    standard error of a mean, ece that of a bootstrap over stages.

    Raises as `check_items` and `brier_scores`, and MisalignedInput for an id that is not a question's
    or a vector of another shape.
    """
    check_items(questions)
    unknown = distributions.keys() - {question.item_id for question in questions}
    if unknown:
        raise MisalignedInput(
            f"{len(unknown)} distributions belong to no question, such as that of {min(unknown)!r}."
        )
    by_id = {question.item_id: question for question in questions}
    for item_id, vector in distributions.items():
        options = by_id[item_id].options
        if vector.shape != (options,):
            raise MisalignedInput(
                f"Question {item_id!r}: a vector of shape {vector.shape}, not one of the probabilities "
                f"of the options a to {LETTERS[options - 1]}."
            )
    if not distributions:
        return {name: nothing() for name in FORECAST_METRICS}
    item_ids = sorted(distributions)
    vectors = [distributions[item_id] for item_id in item_ids]
    golds = [LETTERS.index(by_id[item_id].answer) for item_id in item_ids]
    stages = partition([by_id[item_id].stage_id for item_id in item_ids])
    gaps = calibration_gaps(vectors, golds)
    (ece,) = estimates_from_sums(
        sums_by_cluster(stages, np.ones(len(golds)), *gaps.T),
        lambda sums: divided(np.abs(sums[:, 1:]).sum(axis=1, keepdims=True), sums[:, :1]),
        n=len(golds),
        draws=draws,
        seed=seed,
    )
    return {"brier": clustered_mean(brier_scores(vectors, golds), stages), "ece": ece}
