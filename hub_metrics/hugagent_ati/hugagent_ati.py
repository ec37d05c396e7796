"""ATI: where a model stands between random answers and the human reference, on HugAgent's people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

from otherminds import manifest
from otherminds.tasks.hugagent import columns

_DESCRIPTION = """\
ATI puts HugAgent's two tasks, belief state inference (BSI) and belief dynamics update (BDU), into one
number: 0 is a random answerer, 100 the human reference. There is no maximum; perfect answers have about
140. Its anchors are averages over the three topics of the human track, so it is defined on all of that
track only. For parts of it, and for generated people, there is `hugagent_scores`."""

_INPUTS = """
    ATI = 100 · (u - u_random) / (u_human - u_random)
    u   = ½·bsi_acc + ½·( ½·mean(bdu_acc, s) + ½·bdu_dir ), s = clip(1 - bdu_mae/M, 0, 1)

M is 4, the width of the 5-point scale, and 3 under the protocol "release", in the anchors' u too.
bsi_acc, bdu_acc, bdu_mae and bdu_dir are those of `hugagent_scores`, each averaged over topics.

Args:
    predictions: the replies, as text; the answer is read by the rules of the OtherMinds tasks. An
        empty text is no answer.
    references: the column `answer` of the dataset.
    item_id, participant_id, topic, task, question_id, question_type, options, scale, track: the
        columns of these names, with "" in place of null.
    protocol: "paper" (default) or "release", which is how the authors' public scorer counts.
    draws, seed: of the bootstrap over people.
Returns:
    ati, ati_stderr, ati_low, ati_high (95 %), and all that `hugagent_scores` returns but the composite.
Raises:
    MetricError (a ValueError) for items of another track, and where a topic, a task or a pair of a
        baseline and a scenario answer is missing.
Examples:
    >>> rows = [
    ...     {"topic": topic, "task": task, "question_id": number, "scale": [1, 10] if number else [],
    ...      "question_type": "opinion" if number else "", "options": [] if number else ["more", "less"],
    ...      "track": "human", "answer": answer, "participant_id": "p", "item_id": f"{topic} {number}"}
    ...     for topic, before, after in [
    ...         ("zoning", "1.1", "1.2"), ("surveillance", "2.1", "2.6"), ("healthcare", "3.1", "3.6")]
    ...     for task, number, answer in [("bsi", "", "A"), ("bdu", before, "3"), ("bdu", after, "7")]
    ... ]
    >>> column = {name: [row[name] for row in rows] for name in rows[0]}
    >>> metric = evaluate.load("otherminds/hugagent_ati", module_type="metric")
    >>> found = metric.compute(predictions=column["answer"], references=column.pop("answer"), **column)
    >>> round(found["ati"], 1), found["bsi_acc"], found["bdu_mae"]
    (139.5, 1.0, 0.0)
"""


class HugagentAti(evaluate.Metric):
    """The ATI, with what it is made of."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=manifest.load("hugagent").citation,
            inputs_description=_INPUTS,
            features=datasets.Features({**columns.FEATURES, "track": datasets.Value("string")}),
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
        return columns.ati(
            predictions, references, items, protocol=protocol, draws=draws, seed=seed
        )
