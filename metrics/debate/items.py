"""A debate belief as the metrics see it: who, what, the gold stance, and the model's parsed answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

# Lowest number of known beliefs of each bin; the last bin has no upper end.
_LOWEST = (0, 1, 6, 11, 21, 51)


BINS = ("0", "1-5", "6-10", "11-20", "21-50", "51+")
"""Names of the bins, in order."""


class Belief(NamedTuple):
    """One proposition put to one person.

    item_id   unique in the data
    user_id   the person: the cluster of all uncertainty
    category  of the proposition, such as "Religion"
    n_known   how many of the person's other beliefs the dataset knows, shown or not
    agrees    gold: whether the person agrees with the proposition
    answers   the parsed answer of each of K runs: True for agree, False for disagree, None where no
              answer could be read
    """

    item_id: str
    user_id: str
    category: str
    n_known: int
    agrees: bool
    answers: tuple[bool | None, ...]


def check_items(items: Sequence[Belief]) -> int:
    """Refuse items that cannot be scored; return K, the number of runs.

    Raises EmptyInput without items, MisalignedInput for an id given twice or unless all items have the
    same K ≥ 1, MetricError for a gold or an answer of another type or a negative n_known.
    """
    if len(items) == 0:
        raise EmptyInput("No items to score.")
    runs = len(items[0].answers)
    seen: set[str] = set()
    for item in items:
        if item.item_id in seen:
            raise MisalignedInput(f"Item id {item.item_id!r} is given twice: ids must be unique.")
        seen.add(item.item_id)
        if len(item.answers) != runs or runs == 0:
            raise MisalignedInput(
                f"Item {item.item_id!r} has {len(item.answers)} answers, {items[0].item_id!r} has "
                f"{runs}: every item needs one answer (or None) for each run."
            )
        if type(item.agrees) is not bool:
            raise MetricError(f"Item {item.item_id!r}: gold {item.agrees!r} is not True or False.")
        for answer in item.answers:
            if answer is not None and type(answer) is not bool:
                raise MetricError(
                    f"Item {item.item_id!r}: answer {answer!r} is not True, False or None."
                )
        if item.n_known < 0:
            raise MetricError(f"Item {item.item_id!r}: {item.n_known} known beliefs.")
    return runs


def known_bin(n_known: int) -> str:
    """The bin that a number of known beliefs falls in, one of BINS.

    Raises MetricError for a negative number.
    """
    if n_known < 0:
        raise MetricError(f"{n_known} known beliefs: give 0 or more.")
    return BINS[sum(n_known >= lowest for lowest in _LOWEST) - 1]
