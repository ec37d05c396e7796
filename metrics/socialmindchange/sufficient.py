"""What each stage contributes to the numbers of SocialMindChange."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.metrics.socialmindchange.items import Question
from otherminds.metrics.socialmindchange.table import tabulate
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.sums import divided, sums_by_cluster
from otherminds.types import FloatArray

COMPARED = ("acc", "acc_guidance", "acc_transition", "parse_rate")
"""What two models are compared by."""


def sufficient(questions: Sequence[Question]) -> Sufficient:
    """Per-stage sums from which COMPARED follow, by the definitions of `summarize`.

    The sums are, for each metric, the questions that count and the hits in each run. `rests_on` holds
    the questions that count. Two models are comparable when they answered the same questions in equally
    many runs.

    Raises as `check_items`.
    """
    table = tabulate(questions)
    measures = table.measures()
    sums = []
    for name in COMPARED:
        hits, counted = measures[name]
        sums.append(sums_by_cluster(table.stages, counted, *(hits & counted[:, None]).T))
    return Sufficient(
        clusters=table.stages.labels,
        sums=np.concatenate(sums, axis=1),
        metrics=COMPARED,
        statistic=_rates,
        rests_on=np.stack([one[:, 0] for one in sums], axis=1),
    )


def _rates(rows: FloatArray) -> FloatArray:
    """Hits / questions, averaged over the runs: shape (b, 4·(1 + K)) to (b, 4)."""
    sums = rows.reshape(len(rows), len(COMPARED), -1)
    return divided(sums[..., 1:].mean(axis=2), sums[..., 0])
