"""Under which of several conditions a metric is highest, and how often it would be so again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import DRAWS, SEED, cluster_bootstrap


@dataclass(frozen=True)
class Highest:
    """One metric under several conditions.

    values  by condition; NaN where undefined
    best    the condition with the highest value; None where two or more share it, or none has a value
    lead    its distance from the second highest value, 0 for a tie; NaN with fewer than two values
    share   of the bootstrap draws (of clusters, the same for all conditions), those in which `best` is
            alone the highest: near 1, the order would stand in other people; NaN without `best`, and
            with fewer than two clusters, which say nothing of others
    """

    values: Mapping[str, float]
    best: str | None
    lead: float
    share: float


def highest(
    conditions: Mapping[str, Sufficient], metric: str, *, draws: int = DRAWS, seed: int = SEED
) -> Highest:
    """The condition under which `metric` is highest.

    conditions  by name, what a resampling needs of the same items under each condition

    An undefined value is never the highest. Equal numbers make a tie: no order of the names decides.

    Raises EmptyInput without conditions, MisalignedInput unless all have the same clusters, MetricError
    for a metric that one of them lacks, or draws < 1.
    """
    if not conditions:
        raise EmptyInput("No conditions to compare.")
    if len({one.clusters for one in conditions.values()}) > 1:
        raise MisalignedInput("The conditions have different people: give the same items for all.")
    lacking = [name for name, one in conditions.items() if metric not in one.metrics]
    if lacking:
        raise MetricError(f"There is no {metric!r} under {lacking[0]!r}.")
    values = {name: one.values()[metric] for name, one in conditions.items()}
    ordered = sorted((value for value in values.values() if not math.isnan(value)), reverse=True)
    lead = ordered[0] - ordered[1] if len(ordered) > 1 else math.nan
    if not ordered or lead == 0:
        return Highest(values, None, lead, math.nan)
    best = next(name for name, value in values.items() if value == ordered[0])
    if len(next(iter(conditions.values())).clusters) < 2:
        return Highest(values, best, lead, math.nan)
    # The same seed and number of clusters: every condition is resampled with the same people.
    drawn = np.stack(
        [
            cluster_bootstrap(one.sums, one.evaluate, draws=draws, seed=seed)[
                :, one.metrics.index(metric)
            ]
            for one in conditions.values()
        ]
    )
    drawn = np.where(np.isnan(drawn), -np.inf, drawn)
    place = list(conditions).index(best)
    others = np.delete(drawn, place, axis=0).max(axis=0, initial=-np.inf)
    return Highest(values, best, lead, float((drawn[place] > others).mean()))
