"""What each instance contributes to the numbers of SynchToM."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.synchtom.items import Judged
from otherminds.metrics.synchtom.scores import METRICS, flat_sums, scores_of_flat, tabulate


def sufficient(items: Sequence[Judged]) -> Sufficient:
    """Per-instance sums from which METRICS follow, by the definitions of `summarize`.

    `rests_on` holds the items that count, as means over the runs. Two models are comparable when they
    answered the same items in equally many runs and were judged by the same judge; where their failed
    judgements differ, `gain` compares what was judged in both.

    Raises as `check_items`.
    """
    table = tabulate(items)
    sums = flat_sums(table)
    counted = sums.reshape(len(sums), table.runs, len(METRICS), 2)[..., 1]
    return Sufficient(
        clusters=table.instances.labels,
        sums=sums,
        metrics=METRICS,
        statistic=scores_of_flat,
        rests_on=counted.mean(axis=1),
    )
