"""Do predicted belief changes go where the person's went?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import BoolArray, FloatArray

CHANGE_WEIGHT = 0.3


@dataclass(frozen=True)
class Direction:
    """Agreement of predicted with true changes (definitions: `directional_accuracy`)."""

    change: float
    direction: float
    score: float
    n: int
    n_both_changed: int


class Agreement(NamedTuple):
    """Elementwise agreement of changes; all three have the shape of the inputs."""

    on_change: BoolArray
    both_changed: BoolArray
    on_sign: BoolArray


def agreement(true_change: FloatArray, predicted_change: FloatArray) -> Agreement:
    """Compare changes Δy and Δŷ elementwise, with broadcasting; NaN agrees with nothing.

    on_change     (Δy = 0) = (Δŷ = 0)
    both_changed  Δy ≠ 0 and Δŷ ≠ 0
    on_sign       both changed, and in the same direction
    """
    known = ~np.isnan(true_change) & ~np.isnan(predicted_change)
    moved, predicted_moved = true_change != 0, predicted_change != 0
    both = known & moved & predicted_moved
    return Agreement(
        on_change=known & (moved == predicted_moved),
        both_changed=both,
        on_sign=both & (np.sign(true_change) == np.sign(predicted_change)),
    )


def directional_accuracy(
    before: FloatArray, after: FloatArray, *, weight: float = CHANGE_WEIGHT
) -> Direction:
    """How well predicted belief changes match true ones (HugAgent, Eq. 4).

    change          share of items where model and person agree on whether anything changed
    direction       among items where both changed, share with the same sign
    score           weight · change + (1 - weight) · direction
    n               number of items
    n_both_changed  number of items where both changed

    `before` and `after` have shape (n, 2), column 0 the person and column 1 the model, on the
    item's own scale. When n_both_changed is 0, `direction` is NaN and `score` counts it as 0, as
    the authors' code does.

    Raises EmptyInput for n = 0, MisalignedInput for other shapes, MetricError for NaN (leave pairs
    with an unread answer out) or a weight outside 0..1.
    """
    if before.shape != after.shape or before.ndim != 2 or before.shape[1] != 2:
        raise MisalignedInput(f"Shapes {before.shape} and {after.shape}: both must be (n, 2).")
    if not 0 <= weight <= 1:
        raise MetricError(f"Weight {weight}: give a number from 0 to 1.")
    n = before.shape[0]
    if n == 0:
        raise EmptyInput("No pair of a baseline and a scenario answer.")
    delta = after - before
    if np.isnan(delta).any():
        raise MetricError("An answer is NaN: leave pairs with an unread answer out.")
    found = agreement(delta[:, 0], delta[:, 1])
    change = float(found.on_change.mean())
    both = int(found.both_changed.sum())
    direction = int(found.on_sign.sum()) / both if both else math.nan
    score = weight * change + (1 - weight) * (direction if both else 0.0)
    return Direction(change=change, direction=direction, score=score, n=n, n_both_changed=both)
