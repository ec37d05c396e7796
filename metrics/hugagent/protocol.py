"""What is scored, and how: the protocols of HugAgent, and which items they compare."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.hugagent.items import BDU, OPINION, Item
from otherminds.types import IntArray

MAE_MAX = 4.0
"""The error at which 1 - MAE/MAE_MAX reaches 0 in the paper: the width of the 5-point scale.

The paper does not state it. Its Table 21 prints u of four people under three conditions beside what u is
made of: with 4 all twelve come out within 0.02 points, with 3 they are off by 0.60 to 2.42.
"""

RELEASE_MAE_MAX = 3.0
"""The same error in the authors' public scorer."""

# The opinion that a person gave before any scenario, by topic.
BASELINES: Mapping[str, str] = MappingProxyType(
    {"zoning": "1.1", "surveillance": "2.1", "healthcare": "3.1"}
)


@dataclass(frozen=True)
class Protocol:
    """What differs between ways of scoring the same answers.

    name             "paper" or "release"
    either_letter    whether a gold "A/B" accepts either letter; if not, every answer to it is wrong
    unparsed_error   error of an unreadable BDU answer in MAE, in points of the 5-point scale; None
                     leaves such answers out of MAE
    direction_items  ids of the opinion items that are compared with the baseline, by topic; None
                     compares every opinion item except the baseline itself
    mae_max          the error at which MAE's part of the composite and of ATI reaches 0 (see `utility`)
    """

    name: str
    either_letter: bool
    unparsed_error: float | None
    direction_items: Mapping[str, frozenset[str]] | None
    mae_max: float

    def compares(self, topic: str, question_id: str) -> bool:
        """Whether the opinion item `question_id` of `topic` is compared with the baseline."""
        if question_id == BASELINES.get(topic):
            return False
        if self.direction_items is None:
            return True
        return question_id in self.direction_items.get(topic, frozenset())


PAPER = Protocol(
    name="paper",
    either_letter=False,
    unparsed_error=None,
    direction_items=MappingProxyType(
        {
            "zoning": frozenset({"1.2", "1.3", "1.4"}),
            "surveillance": frozenset({"2.6", "2.7", "2.8"}),
            "healthcare": frozenset({"3.6", "3.7", "3.8", "3.9"}),
        }
    ),
    mae_max=MAE_MAX,
)

# The authors' public scorer.
RELEASE = Protocol(
    name="release",
    either_letter=True,
    unparsed_error=6.0,
    direction_items=None,
    mae_max=RELEASE_MAE_MAX,
)


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
                "their difference is not a change of opinion."
            )
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _claim(taken: dict[Key, int], key: Key, index: int, items: Sequence[Item]) -> None:
    if key in taken:
        raise MisalignedInput(
            f"Items {items[taken[key]].item_id!r} and {items[index].item_id!r} put the same question "
            "to the same person: keep one."
        )
    taken[key] = index
