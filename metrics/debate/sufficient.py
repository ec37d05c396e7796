"""What each person contributes to the numbers about debate beliefs."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.metrics.debate.confusion import flat, tabulate
from otherminds.metrics.debate.items import Belief
from otherminds.metrics.debate.scores import METRICS, rests_on, scores
from otherminds.metrics.sufficient import Sufficient
from otherminds.types import FloatArray

COMPARED = ("macro_f1", "acc", "agree_rate", "parse_rate")
"""What two models can differ in: the agree-rate of people is the same whoever predicts them."""

_COLUMNS = [METRICS.index(name) for name in COMPARED]


def sufficient(items: Sequence[Belief]) -> Sufficient:
    """Per-person counts from which COMPARED follow, by the definitions of `summarize`.

    `rests_on` holds items, for agree_rate those whose answers could be read, as means over the runs.
    Two models are comparable when they answered the same items in equally many runs.

    Raises as `check_items`.
    """
    table = tabulate(items)
    confusion = table.confusion()
    return Sufficient(
        clusters=table.people.labels,
        sums=flat(confusion),
        metrics=COMPARED,
        statistic=_compared,
        rests_on=rests_on(confusion)[:, _COLUMNS],
    )


def _compared(rows: FloatArray) -> FloatArray:
    return scores(rows)[:, _COLUMNS]
