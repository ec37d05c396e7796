"""What an answerer who knows nothing scores on given golds, in closed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherminds.metrics.hugagent.columns import bdu_golds, in_order
from otherminds.metrics.hugagent.items import (
    BSI,
    EITHER,
    PAPER,
    Item,
    Protocol,
    baseline_pairs,
    check_golds,
)
from otherminds.metrics.hugagent.measures import (
    RATES,
    present_rates,
    tabulate,
)
from otherminds.metrics.hugagent.scores import METRICS, rates_by_topic, scores
from otherminds.metrics.uncertainty import partition
from otherminds.types import FloatArray, IntArray


def uniform_scores(items: Sequence[Item], *, protocol: Protocol = PAPER) -> Mapping[str, float]:
    """Expected scores of answers drawn uniformly and independently (A or B; the scale's points).

    Computed per topic, then averaged over topics; returned by metric name as in `summarize`, NaN
    for a metric that the items do not ask for. The answers in `items` are ignored.

    The values are exact, including direction. Replacing every answer y by low + high - y, which is
    equally likely, reverses every predicted change. Hence, given that person and model both changed
    in at least one pair, the share of right signs has mean ½. Otherwise direction is 0, which has
    probability Π 1/(points of the scale) over the pairs in which the person changed.

    Raises as `check_golds` and `baseline_pairs`.
    """
    check_golds(items)
    items = in_order(items)
    topics = partition([item.topic for item in items])
    is_bsi = np.array([item.task == BSI for item in items])
    pairs = baseline_pairs(items, protocol)
    present = present_rates(topics, is_bsi, pairs[:, 0])

    bdu = bdu_golds(items)
    correct = np.zeros(len(items))
    errors = np.zeros(len(items))
    either = float(protocol.either_letter)
    correct[is_bsi] = [either if item.gold == EITHER else 0.5 for item in items if item.task == BSI]
    for i, gold, tolerance, factor in zip(
        bdu.index, bdu.gold, bdu.tolerance, bdu.factor, strict=True
    ):
        distance = np.abs(np.arange(items[i].low, items[i].high + 1) - gold)
        correct[i] = np.mean(distance <= tolerance)
        errors[i] = np.mean(distance) * factor

    rates = np.full((topics.count, len(RATES)), np.nan)
    for topic in range(topics.count):
        here = topics.codes == topic
        in_topic = pairs[topics.codes[pairs[:, 0]] == topic]
        change, direction = _uniform_direction(items, in_topic)
        by_name = {
            "parse_rate": 1.0,
            "bsi_acc": _mean(correct[here & is_bsi]),
            "bdu_acc": _mean(correct[here & ~is_bsi]),
            "bdu_mae": _mean(errors[here & ~is_bsi]),
            "bdu_change": change,
            "bdu_direction": direction,
        }
        rates[topic] = [by_name[name] for name in RATES]
    return _named(scores(rates[None], present, mae_max=protocol.mae_max))


def constant_scores(
    items: Sequence[Item], *, letter: str = "A", number: int = 1, protocol: Protocol = PAPER
) -> Mapping[str, float]:
    """Scores of an answerer who always says `letter` and `number`, by name as in `summarize`.

    Such an answerer never predicts a change, so bdu_direction is 0. The answers in `items` are
    ignored. Raises as `summarize`.
    """
    constant = [item._replace(answers=(letter if item.task == BSI else number,)) for item in items]
    table = tabulate(constant, protocol)
    rates = rates_by_topic(table.sums.sum(axis=0)[None])
    return _named(scores(rates, table.present, mae_max=protocol.mae_max))


def _uniform_direction(items: Sequence[Item], pairs: IntArray) -> tuple[float, float]:
    """Expected change and direction over the (scenario, baseline) `pairs` of one topic."""
    if len(pairs) == 0:
        return float("nan"), float("nan")
    points = np.array([items[s].high - items[s].low + 1 for s, _ in pairs])
    changed = np.array([int(items[s].gold) != int(items[b].gold) for s, b in pairs])
    on_change = np.where(changed, 1 - 1 / points, 1 / points)
    nobody = float(np.prod(1 / points[changed]))
    return float(on_change.mean()), 0.5 * (1 - nobody)


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if values.size else float("nan")


def _named(values: FloatArray) -> dict[str, float]:
    """The average over topics, which is the last row, by name."""
    return dict(zip(METRICS, values[0, -1].tolist(), strict=True))
