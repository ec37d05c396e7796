"""Accuracy over mornings, with intervals over people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    Estimate,
    bounded,
    clustered_mean,
    divided,
    partition,
    sums_by_cluster,
)
from otherminds.types import FloatArray

METRICS = ("acc", "parse_rate")


class Morning(NamedTuple):
    """One item: whose it is, the gold letter, and the letter read from each run's reply or None."""

    item_id: str
    person_id: str
    weather: str
    answer: str
    answers: tuple[str | None, ...] = ()


def summarize(mornings: Sequence[Morning]) -> dict[str, Estimate]:
    """acc, the share of answers that are the gold letter, and parse_rate, the share that can be read.

    An unreadable answer counts as wrong. Both are means over items of means over runs, with 95 %
    intervals over people.

    Raises EmptyInput without items.
    """
    if not mornings:
        raise EmptyInput("There is no item to score.")
    people = partition([one.person_id for one in mornings])
    right = [np.mean([answer == one.answer for answer in one.answers]) for one in mornings]
    read = [np.mean([answer is not None for answer in one.answers]) for one in mornings]
    return {
        name: bounded(clustered_mean(values, people), 0, 1)
        for name, values in zip(METRICS, (right, read), strict=True)
    }


def sufficient(mornings: Sequence[Morning]) -> Sufficient:
    """The items of each person and the right answers among them: all that resampling people needs."""
    people = partition([one.person_id for one in mornings])
    hits = np.array([np.mean([answer == one.answer for answer in one.answers]) for one in mornings])
    sums = sums_by_cluster(people, np.ones(len(mornings)), hits)
    return Sufficient(
        clusters=people.labels,
        sums=sums,
        metrics=("acc",),
        statistic=_rate,
        rests_on=sums[:, :1],
    )


def _rate(rows: FloatArray) -> FloatArray:
    return divided(rows[:, 1:], rows[:, :1])
