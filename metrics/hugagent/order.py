"""Does the model answer the question, or the position? BSI with A and B exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent.columns import in_order
from otherminds.metrics.hugagent.items import BSI, EITHER, Item, check_answers, check_golds
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition

_EXCHANGED = {"A": "B", "B": "A", EITHER: EITHER}


@dataclass(frozen=True)
class OrderSwap:
    """Shares of BSI items, 0 to 1, that add up to 1 (definitions: `order_swap`).

    consistency  the same meaning in both orders, which takes two different letters
    same_letter  the same letter in both orders, and so opposite meanings: position bias
    unread       an answer could not be read in at least one of the orders
    """

    consistency: Estimate
    same_letter: Estimate
    unread: Estimate


def order_swap(original: Sequence[Item], swapped: Sequence[Item]) -> OrderSwap:
    """How often an answer keeps its meaning when the two options of BSI items change places.

    consistency = share of items with letters {A, B} over the two orders
    same_letter = share of items with letters {A, A} or {B, B}

    A model that always says one letter has consistency 0: what it means turns round with the order.
    Letters drawn independently with P(A) = p have 2·p·(1 - p) on average: 0.5 for a fair coin, less for
    any other. Consistent answers may be wrong; read this beside the accuracy. What could not be read
    is not consistent. Per item, run k of one order is compared with run k of the other and the runs are
    averaged; items count equally, standard errors are clustered by person.

    original, swapped  the same items (matched by id, in any order), with golds and answers as the
                       letters that were shown: the gold "A" of the original is "B" when swapped

    Raises EmptyInput without items, MisalignedInput when ids, people, topics or numbers of runs differ
    or a gold was not exchanged, MetricError for items that are not BSI with options A and B, else as
    `check_golds` and `check_answers`.
    """
    if len(original) == 0 and len(swapped) == 0:
        raise EmptyInput("No items in either order.")
    pairs = _paired(original, swapped)
    consistency, same_letter, unread = [], [], []
    for first, second in pairs:
        letters = list(zip(first.answers, second.answers, strict=True))
        read = [(a, b) for a, b in letters if a is not None and b is not None]
        same = sum(a == b for a, b in read)
        consistency.append((len(read) - same) / len(letters))
        same_letter.append(same / len(letters))
        unread.append((len(letters) - len(read)) / len(letters))
    people = partition([first.participant_id for first, _ in pairs])
    return OrderSwap(
        consistency=clustered_mean(np.array(consistency), people),
        same_letter=clustered_mean(np.array(same_letter), people),
        unread=clustered_mean(np.array(unread), people),
    )


def _paired(original: Sequence[Item], swapped: Sequence[Item]) -> list[tuple[Item, Item]]:
    """The same item in both orders, sorted by id."""
    for items in (original, swapped):
        check_golds(items)
        check_answers(items)
        for item in items:
            if item.task != BSI or item.gold not in _EXCHANGED:
                raise MetricError(
                    f"Item {item.item_id!r} is not a BSI item with options A and B: only two options "
                    "can be exchanged."
                )
            for answer in item.answers:
                if answer not in ("A", "B", None):
                    raise MetricError(f"Item {item.item_id!r}: answer {answer!r} is not A or B.")
    first_ids, second_ids = ({item.item_id for item in items} for items in (original, swapped))
    if first_ids != second_ids:
        alone = sorted(first_ids ^ second_ids)
        raise MisalignedInput(
            f"{len(alone)} items are in one order only, such as {alone[0]!r}: run both on the same "
            "items."
        )
    pairs = list(zip(in_order(original), in_order(swapped), strict=True))
    for first, second in pairs:
        if (first.participant_id, first.topic) != (second.participant_id, second.topic):
            raise MisalignedInput(f"Item {first.item_id!r} is about different people or topics.")
        if len(first.answers) != len(second.answers):
            raise MisalignedInput(
                f"Item {first.item_id!r} has {len(first.answers)} runs in one order and "
                f"{len(second.answers)} in the other: give the same number."
            )
        if second.gold != _EXCHANGED[first.gold]:
            raise MisalignedInput(
                f"Item {first.item_id!r} has gold {first.gold!r} in one order and {second.gold!r} in "
                "the other: give the letters as they were shown."
            )
    return pairs
