"""The best scores that anybody can expect who sees what the prompt shows, and no more.

The Bayes-optimal reader knows the population's model and answers "agrees" when p = P(agrees | what
is shown) ≥ 1/2. Over the items of a part it expects

    acc       mean of max(p, 1 − p)
    macro_f1  mean of 2 TP / (2 TP + FP + FN) over the two answers, with expected counts,
              such as TP(agrees) = Σ_{p ≥ 1/2} p

No reader has a higher expected accuracy. Macro-F1 is that of this same, accuracy-optimal reader: one
that answers the rarer class more readily can trade accuracy for a little more macro-F1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.debate.synthetic_evidence import (
    CONDITIONS,
    evidence_of,
    items_of,
    shown,
)
from otherminds.dataset_builders.debate.synthetic_model import released
from otherminds.dataset_builders.debate.synthetic_posterior import Prediction, predict
from otherminds.types import BoolArray, FloatArray

SUBSET_COLUMN = "in_subset_100"
SUBSET_PART = "subset_100"

Scores: TypeAlias = dict[str, dict[str, dict[str, float]]]
"""By condition, part and score. Parts are "all", each category, and the marked subset."""


def predictions(table: pa.Table) -> dict[str, Prediction]:
    """P(agrees | what is shown) of every row, by condition.

    Raises ValueError for a table that is not of this population.
    """
    model = released()
    items = items_of(table, model)
    evidence = evidence_of(table, items, model)
    return {
        condition: predict(model, shown(evidence, condition), items) for condition in CONDITIONS
    }


def ceilings_of(table: pa.Table, found: Mapping[str, Prediction]) -> Scores:
    """The expected scores of the Bayes-optimal reader, by condition and part."""
    return {
        condition: {
            part: expected_scores(prediction.probability[rows])
            for part, rows in parts(table).items()
        }
        for condition, prediction in found.items()
    }


def reached_of(table: pa.Table, found: Mapping[str, Prediction]) -> Scores:
    """What the same reader scores on the answers of this very table, by condition and part."""
    agrees = np.array(table.column("agrees").to_pylist(), dtype=np.bool_)
    return {
        condition: {
            part: _scores(prediction.probability[rows] >= 0.5, agrees[rows].astype(np.float64))
            for part, rows in parts(table).items()
        }
        for condition, prediction in found.items()
    }


def parts(table: pa.Table) -> dict[str, BoolArray]:
    """The rows of each part that has any."""
    categories = np.array(table.column("category").to_pylist(), dtype=np.str_)
    found = {"all": np.ones(table.num_rows, dtype=np.bool_)}
    found |= {name: categories == name for name in sorted(set(categories.tolist()))}
    found[SUBSET_PART] = np.array(table.column(SUBSET_COLUMN).to_pylist(), dtype=np.bool_)
    return {part: rows for part, rows in found.items() if rows.any()}


def expected_scores(probability: FloatArray) -> dict[str, float]:
    """Accuracy and macro-F1 that the optimal reader expects on items with these probabilities.

    Raises ValueError for no items.
    """
    return _scores(probability >= 0.5, probability)


def _scores(says_agrees: BoolArray, agrees: FloatArray) -> dict[str, float]:
    """Scores of yes-or-no answers against golds, or against chances of the gold being "agrees"."""
    if not len(agrees):
        raise ValueError("There are no items to score.")
    right = np.where(says_agrees, agrees, 1.0 - agrees)
    f1 = []
    for predicted, gold in ((says_agrees, agrees), (~says_agrees, 1.0 - agrees)):
        hits = float(gold[predicted].sum())
        relevant = float(predicted.sum()) + float(gold.sum())
        if relevant:  # an answer that nobody gives and nobody expects has no F1
            f1.append(2.0 * hits / relevant)
    return {"acc": float(right.mean()), "macro_f1": sum(f1) / len(f1)}
