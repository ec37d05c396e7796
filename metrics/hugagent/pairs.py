"""Which scenario items are compared with which baseline."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.hugagent.items import BDU, OPINION, Item
from otherminds.metrics.hugagent.protocol import BASELINES, Protocol
from otherminds.types import IntArray

Key = TypeVar("Key", bound=Hashable)


def baseline_pairs(items: Sequence[Item], protocol: Protocol) -> IntArray:
    """Indices (scenario, baseline) of the items to compare, shape (pairs, 2), in item order.

    The baseline is the opinion of the same person on the same topic before any scenario; a scenario
    without one has no pair.

    Raises MisalignedInput when a person has two baselines on one topic or two items for one
    scenario, or when a scenario and its baseline are on different scales.
    """
    baselines: dict[tuple[str, str], int] = {}
    scenarios: dict[tuple[str, str, str], int] = {}
    for index, item in enumerate(items):
        if item.task != BDU or item.question_type != OPINION:
            continue
        person = (item.participant_id, item.topic)
        if item.question_id == BASELINES.get(item.topic):
            _claim(baselines, person, index, items)
        elif protocol.compares(item.topic, item.question_id):
            _claim(scenarios, (*person, item.question_id), index, items)
    found = [
        (scenario, baselines[person, topic])
        for (person, topic, _), scenario in scenarios.items()
        if (person, topic) in baselines
    ]
    for scenario, baseline in found:
        first, second = items[scenario], items[baseline]
        if (first.low, first.high) != (second.low, second.high):
            raise MisalignedInput(
                f"Items {first.item_id!r} and {second.item_id!r} are on different scales: "
                "their difference is no change of opinion."
            )
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _claim(taken: dict[Key, int], key: Key, index: int, items: Sequence[Item]) -> None:
    if key in taken:
        raise MisalignedInput(
            f"Items {items[taken[key]].item_id!r} and {items[index].item_id!r} put the same question "
            "to the same person: keep one."
        )
    taken[key] = index
