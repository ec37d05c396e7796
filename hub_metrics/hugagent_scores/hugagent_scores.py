"""HugAgent's scores of predicted beliefs and belief changes, for either track or a part of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

from otherminds import manifest
from otherminds.tasks.hugagent import columns

_DESCRIPTION = """\
HugAgent asks whether a model infers the beliefs of one particular person (belief state inference,
BSI), and how these move under new evidence (belief dynamics update, BDU). This module scores a
model's replies to any of its items: of one task or both, of one topic or several."""

_INPUTS = """
Every rate is computed per topic and then averaged over topics; people are the clusters.

    bsi_acc        share of BSI items with the right letter
    bdu_acc        share of BDU items with |ŷ - y| ≤ 1 on a 5-point scale, ≤ 2 on a 10-point scale
    bdu_mae        mean |ŷ - y| in points of the 5-point scale (errors on 10-point scales are halved)
    bdu_change     share of scenario items with (Δŷ = 0) = (Δy = 0), Δ against the same person's baseline
    bdu_direction  among those with both Δ ≠ 0, share with the same sign
    bdu_dir        0.3 · bdu_change + 0.7 · bdu_direction
    composite      100 · u, u = ½·bsi_acc + ½·( ½·mean(bdu_acc, s) + ½·bdu_dir ), where
                   s = clip(1 - bdu_mae/M, 0, 1) with M = 4, and 3 under the protocol "release"
    parse_rate     share of the replies in which an answer could be read

Args:
    predictions: the replies, as text; the answer is read by the rules of the OtherMinds tasks. An
        empty text is no answer: wrong in accuracies, left out of bdu_mae and of changes.
    references: the column `answer` of the dataset.
    item_id, participant_id, topic, task, question_id, question_type, options, scale: the columns of
        these names, with "" in place of null.
    protocol: "paper" (default) or "release", which is how the authors' public scorer counts.
    draws, seed: of the bootstrap over people.
Returns:
    For each of the numbers above that the items ask for: the value, and the same name with _stderr,
    _low and _high (95 %). Further n_people, n_items, n_mae, n_pairs and n_both_changed.
Examples:
    >>> metric = evaluate.load("otherminds/hugagent_scores", module_type="metric")
    >>> found = metric.compute(
    ...     predictions=["A", "Answer: B"], references=["A", "A"], item_id=["1", "2"],
    ...     participant_id=["p", "q"], topic=["zoning", "zoning"], task=["bsi", "bsi"],
    ...     question_id=["", ""], question_type=["", ""], options=[["more", "less"]] * 2, scale=[[], []],
    ... )
    >>> found["bsi_acc"], found["parse_rate"], found["n_people"]
    (0.5, 1.0, 2)
"""


class HugagentScores(evaluate.Metric):
    """All of HugAgent's numbers but the ATI."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=manifest.load("hugagent").citation,
            inputs_description=_INPUTS,
            features=datasets.Features(columns.FEATURES),
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str],
        protocol: str = "paper",
        draws: int = columns.DRAWS,
        seed: int = columns.SEED,
        **items: Sequence[Any],
    ) -> dict[str, float]:
        return columns.scores(
            predictions, references, items, protocol=protocol, draws=draws, seed=seed
        )
