"""What is scored: items as the metrics see them, and the protocols by which they are compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import IntArray

BSI = "bsi"
BDU = "bdu"
OPINION = "opinion"
EITHER = "A/B"

# Error allowed in BDU accuracy, and the factor that brings an error to the 5-point scale, by scale.
TOLERANCE = {(1, 5): 1, (1, 10): 2}
ERROR_FACTOR = {(1, 5): 1.0, (1, 10): 0.5}


class Item(NamedTuple):
    """One question about one person.

    item_id         unique in the data
    participant_id  the person: the cluster of all uncertainty
    topic           such as "healthcare"; every number is computed per topic first
    task            "bsi" (belief state inference) or "bdu" (belief dynamics update)
    question_id     such as "2.6"; "" for BSI
    question_type   "opinion" or "reason_evaluation"; "" for BSI
    low, high       the answer scale, (1, 5) or (1, 10); (0, 0) for BSI
    gold            BSI: "A", "B" or "A/B"; BDU: the number as text, which may lie outside the scale
    answers         the parsed answer of each of K runs: a letter (BSI), an integer (BDU), or None
                    where no answer could be read
    """

    item_id: str
    participant_id: str
    topic: str
    task: str
    question_id: str
    question_type: str
    low: int
    high: int
    gold: str
    answers: tuple[str | int | None, ...]


def check_golds(items: Sequence[Item]) -> None:
    """Refuse items whose fields, answers aside, cannot be scored.

    A BDU gold outside the scale is accepted: the human data have 54 of them, and they count.

    Raises EmptyInput without items, MisalignedInput for an id given twice, MetricError for an
    unknown task, a scale other than 1-5 and 1-10, a BSI gold that is neither a capital letter nor
    "A/B", or a BDU gold that is not an integer.
    """
    if len(items) == 0:
        raise EmptyInput("No items to score.")
    seen: set[str] = set()
    for item in items:
        if item.item_id in seen:
            raise MisalignedInput(f"Item id {item.item_id!r} is given twice: ids must be unique.")
        seen.add(item.item_id)
        check_gold(item.item_id, item.task, (item.low, item.high), item.gold)


def check_gold(item_id: str, task: str, scale: tuple[int, int], gold: str) -> None:
    """Refuse an item whose fields, answers aside, cannot be scored; errors as in `check_golds`."""
    if task == BSI:
        if gold != EITHER and not (len(gold) == 1 and gold.isupper()):
            raise MetricError(
                f"Item {item_id!r}: gold {gold!r} of a bsi item is neither a capital letter nor "
                f"{EITHER!r}."
            )
        return
    if task != BDU:
        raise MetricError(f"Item {item_id!r}: task {task!r} is neither bsi nor bdu.")
    if scale not in TOLERANCE:
        raise MetricError(f"Item {item_id!r}: scale {scale[0]}-{scale[1]} is neither 1-5 nor 1-10.")
    try:
        int(gold)
    except ValueError:
        raise MetricError(
            f"Item {item_id!r}: gold {gold!r} of a bdu item is not an integer."
        ) from None


def check_answers(items: Sequence[Item]) -> int:
    """Refuse answers that do not line up; return K, the number of runs.

    Raises MisalignedInput unless all items have the same K ≥ 1 and each answer has its task's type.
    """
    runs = len(items[0].answers)
    for item in items:
        if len(item.answers) != runs or runs == 0:
            raise MisalignedInput(
                f"Item {item.item_id!r} has {len(item.answers)} answers, {items[0].item_id!r} has "
                f"{runs}: every item needs one answer (or None) for each run."
            )
        wanted = str if item.task == BSI else int
        for answer in item.answers:
            if answer is not None and type(answer) is not wanted:
                raise MisalignedInput(
                    f"Item {item.item_id!r}: answer {answer!r} of a {item.task} item is no "
                    f"{wanted.__name__}; give the parsed answer or None."
                )
    return runs


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


def opinions(items: Sequence[Item]) -> IntArray:
    """Indices of the items among which are baselines and scenarios."""
    found = [i for i, one in enumerate(items) if one.task == BDU and one.question_type == OPINION]
    return np.array(found, dtype=np.intp)


def baseline_pairs(
    items: Sequence[Item], protocol: Protocol, among: IntArray | None = None
) -> IntArray:
    """Indices (scenario, baseline) of the items to compare, shape (pairs, 2), in item order.

    among  `opinions(items)`, where they are known already

    The baseline is the opinion of the same person on the same topic before any scenario; a scenario
    without one has no pair.

    Raises MisalignedInput when a person has two baselines on one topic or two items for one
    scenario, or when a scenario and its baseline are on different scales.
    """
    baselines: dict[tuple[str, str], int] = {}
    scenarios: dict[tuple[str, str, str], int] = {}
    compares = cache(protocol.compares)
    for index in (opinions(items) if among is None else among).tolist():
        item = items[index]
        person = (item.participant_id, item.topic)
        if item.question_id == BASELINES.get(item.topic):
            _claim(baselines, person, index, items)
        elif compares(item.topic, item.question_id):
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
