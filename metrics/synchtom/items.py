"""A judged answer as the metrics see it: which instance, and how many of its criteria are fulfilled."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

DIMENSIONS = {
    "latent_belief_explanation": "belief",
    "user_profile_modeling": "profile",
    "correct_resolution": "solution",
}
"""The three dimensions of an answer by their name in the data, and what their scores are called."""

Counts = tuple[int, int, int]
"""A number for each of DIMENSIONS."""


class Unscored(Enum):
    """Why a run has no fulfilled criteria to count.

    NO_ANSWER     the model's answer could not be read, so that there was nothing to judge: its fault,
                  and no criterion is fulfilled
    NO_JUDGEMENT  the judge's reply could not be read: not its fault
    """

    NO_ANSWER = "no answer"
    NO_JUDGEMENT = "no judgement"


class Judged(NamedTuple):
    """One instance, answered after a number of turns in K runs, and judged.

    instance_id  the unit of all uncertainty
    scenario     such as "education"
    turns        how many turns the model was shown
    criteria     how many criteria there are, by dimension
    marks        how many were fulfilled in each of K runs, by dimension, or why that is not known
    """

    instance_id: str
    scenario: str
    turns: int
    criteria: Counts
    marks: tuple[Counts | Unscored, ...]


def check_items(items: Sequence[Judged]) -> int:
    """Refuse items that cannot be scored; return K, the number of runs.

    Raises EmptyInput without items; MisalignedInput for an instance given twice with the same number of
    turns, or with another scenario or other criteria, or unless all items have the same K ≥ 1;
    MetricError for a dimension without criteria or a mark outside 0..criteria.
    """
    if len(items) == 0:
        raise EmptyInput("No items to score.")
    runs = len(items[0].marks)
    seen: set[tuple[str, int]] = set()
    facts: dict[str, tuple[str, Counts]] = {}
    for item in items:
        name = f"Instance {item.instance_id!r} after {item.turns} turns"
        if (item.instance_id, item.turns) in seen:
            raise MisalignedInput(f"{name} is given twice.")
        seen.add((item.instance_id, item.turns))
        if facts.setdefault(item.instance_id, (item.scenario, item.criteria)) != (
            item.scenario,
            item.criteria,
        ):
            raise MisalignedInput(
                f"{name} has another scenario or other criteria than before: give answers to one "
                "version of the data."
            )
        if len(item.marks) != runs or runs == 0:
            raise MisalignedInput(
                f"{name} has {len(item.marks)} marks, the first item has {runs}: every item needs one "
                "for each run."
            )
        _check_marks(item, name)
    return runs


def _check_marks(item: Judged, name: str) -> None:
    if len(item.criteria) != len(DIMENSIONS) or min(item.criteria) < 1:
        raise MetricError(f"{name} has {item.criteria} criteria; every dimension needs some.")
    for mark in item.marks:
        if isinstance(mark, Unscored):
            continue
        if len(mark) != len(DIMENSIONS) or not all(
            type(n) is int and 0 <= n <= most for n, most in zip(mark, item.criteria, strict=True)
        ):
            raise MetricError(f"{name}: {mark} of {item.criteria} criteria cannot be fulfilled.")
