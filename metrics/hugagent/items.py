"""A HugAgent item as the metrics see it: who, what, the gold, and the model's parsed answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

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
        if item.task == BSI:
            if item.gold != EITHER and not (len(item.gold) == 1 and item.gold.isupper()):
                raise MetricError(
                    f"Item {item.item_id!r}: gold {item.gold!r} of a bsi item is neither a capital "
                    f"letter nor {EITHER!r}."
                )
            continue
        if item.task != BDU:
            raise MetricError(f"Item {item.item_id!r}: task {item.task!r} is neither bsi nor bdu.")
        if (item.low, item.high) not in TOLERANCE:
            raise MetricError(
                f"Item {item.item_id!r}: scale {item.low}-{item.high} is neither 1-5 nor 1-10."
            )
        try:
            int(item.gold)
        except ValueError:
            raise MetricError(
                f"Item {item.item_id!r}: gold {item.gold!r} of a bdu item is not an integer."
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
