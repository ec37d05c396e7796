"""How right answers are: letters, numbers within tolerance, errors, and the direction of changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent.items import EITHER
from otherminds.types import BoolArray, FloatArray

CHANGE_WEIGHT = 0.3


def letters_correct(
    gold: Sequence[str], answers: Sequence[str | None], *, either_letter: bool
) -> BoolArray:
    """Which BSI answers are right, shape (n,).

    A gold "A/B" accepts "A" and "B" when `either_letter`, and nothing otherwise. None, an answer
    that could not be read, is wrong.

    Raises MisalignedInput for unequal lengths.
    """
    if len(gold) != len(answers):
        raise MisalignedInput(f"{len(answers)} answers for {len(gold)} golds: give one per item.")
    return np.array(
        [
            answer in ("A", "B") and either_letter if right == EITHER else answer == right
            for right, answer in zip(gold, answers, strict=True)
        ],
        dtype=np.bool_,
    )


def bsi_accuracy(
    gold: Sequence[str], answers: Sequence[str | None], *, either_letter: bool = False
) -> float:
    """Share of BSI items with the right letter, 0 to 1 (rules: `letters_correct`).

    Raises EmptyInput without items, MisalignedInput for unequal lengths.
    """
    correct = letters_correct(gold, answers, either_letter=either_letter)
    if correct.size == 0:
        raise EmptyInput("No BSI items.")
    return float(correct.mean())


def within_tolerance(gold: FloatArray, answers: FloatArray, tolerance: FloatArray) -> BoolArray:
    """Which BDU answers satisfy |ŷ - y| ≤ tolerance, with broadcasting; NaN is wrong."""
    return np.asarray(np.abs(answers - gold) <= tolerance, dtype=np.bool_)


def bdu_accuracy(gold: FloatArray, answers: FloatArray, tolerance: FloatArray) -> float:
    """Share of BDU items within tolerance, 0 to 1.

    gold, answers  shape (n,), each on the item's own scale; NaN = an answer that could not be read,
                   which counts as wrong
    tolerance      shape (n,): 1 for a 5-point, 2 for a 10-point item (`items.TOLERANCE`)

    Raises EmptyInput for n = 0, MisalignedInput for unequal shapes.
    """
    if not gold.shape == answers.shape == tolerance.shape:
        raise MisalignedInput(
            f"Shapes {gold.shape}, {answers.shape}, {tolerance.shape}: give one number per item."
        )
    if gold.size == 0:
        raise EmptyInput("No BDU items.")
    return float(within_tolerance(gold, answers, tolerance).mean())


def scaled_errors(
    gold: FloatArray, answers: FloatArray, factor: FloatArray, *, unparsed_error: float | None
) -> FloatArray:
    """Errors |ŷ - y| · factor, elementwise with broadcasting.

    An unread answer (NaN) has the error `unparsed_error`, whatever the item's scale and without the
    factor. When `unparsed_error` is None, its error is NaN, to be left out of any average.
    """
    errors = np.abs(answers - gold) * factor
    if unparsed_error is None:
        return errors
    return np.where(np.isnan(errors), unparsed_error, errors)


def mean_absolute_error(
    gold: FloatArray,
    answers: FloatArray,
    factor: FloatArray,
    *,
    unparsed_error: float | None = None,
) -> float:
    """MAE = mean |ŷ - y| · factor in points of the 5-point scale.

    gold, answers   shape (n,), each on the item's own scale; NaN = an answer that could not be read
    factor          shape (n,): 1 for a 5-point, ½ for a 10-point item (`items.ERROR_FACTOR`)
    unparsed_error  error of an unread answer; None leaves such answers out

    Raises MisalignedInput for unequal shapes, EmptyInput when no error is left to average.
    """
    if not gold.shape == answers.shape == factor.shape:
        raise MisalignedInput(
            f"Shapes {gold.shape}, {answers.shape}, {factor.shape}: give one number per item."
        )
    errors = scaled_errors(gold, answers, factor, unparsed_error=unparsed_error)
    counted = errors[~np.isnan(errors)]
    if counted.size == 0:
        raise EmptyInput("No BDU answer could be read: there is no error to average.")
    return float(counted.mean())


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
