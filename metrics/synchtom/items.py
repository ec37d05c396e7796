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

    NO_ANSWER      the model's answer could not be read, so that there was nothing to judge: its fault,
                   and no criterion is fulfilled
    CUT_OFF        the model's reasoning was cut off before it answered, so that nobody knows what it
                   would have said
    NO_JUDGEMENT   the judge's reply could not be read: not its fault
    JUDGE_CUT_OFF  the judge's reply was cut off before its verdicts were complete
    """

    NO_ANSWER = "no answer"
    CUT_OFF = "cut off"
    NO_JUDGEMENT = "no judgement"
    JUDGE_CUT_OFF = "judge cut off"


class Judged(NamedTuple):
    """One instance, answered after a number of turns in K runs, and judged.

    instance_id  the unit of all uncertainty
    scenario     such as "education"
    turns        how many turns the model was shown
    criteria     how many criteria there are, by dimension
    marks        how many were fulfilled in each of K runs, by dimension, or why that is not known
    flagged      how many of the criteria on the solution reward the wrong request
    flagged_met  how many of these were fulfilled in each of the K runs; 0 where that is not known. It
                 may be empty where none is flagged
    """

    instance_id: str
    scenario: str
    turns: int
    criteria: Counts
    marks: tuple[Counts | Unscored, ...]
    flagged: int = 0
    flagged_met: tuple[int, ...] = ()


def check_items(items: Sequence[Judged]) -> int:
    """Refuse items that cannot be scored; return K, the number of runs.

    Raises EmptyInput without items; MisalignedInput for an instance given twice with the same number of
    turns, or with another scenario or other criteria, or unless all items have the same K ≥ 1;
    MetricError for a dimension without criteria, a mark outside 0..criteria, or flagged criteria that do
    not fit to these.
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
    _check_flagged(item, name)


def _check_flagged(item: Judged, name: str) -> None:
    met = item.flagged_met or (0,) * len(item.marks) * (item.flagged == 0)
    if not 0 <= item.flagged < item.criteria[-1] or len(met) != len(item.marks):
        raise MetricError(
            f"{name}: {item.flagged} of {item.criteria[-1]} criteria cannot be flagged."
        )
    for mark, flagged in zip(item.marks, met, strict=True):
        most = 0 if isinstance(mark, Unscored) else min(mark[-1], item.flagged)
        least = 0 if isinstance(mark, Unscored) else mark[-1] - (item.criteria[-1] - item.flagged)
        if not max(least, 0) <= flagged <= most:
            raise MetricError(
                f"{name}: {flagged} flagged criteria cannot be among the fulfilled ones."
            )
