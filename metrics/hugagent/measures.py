"""How right answers are, and what each person contributes to each number, by topic and run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent.columns import Columns, in_columns
from otherminds.metrics.hugagent.items import EITHER, Item, Protocol, baseline_pairs
from otherminds.metrics.uncertainty import Clusters
from otherminds.types import BoolArray, FloatArray, IntArray

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


# Everything HugAgent reports is a ratio of two sums, or made of such ratios.
RATES = ("parse_rate", "bsi_acc", "bdu_acc", "bdu_mae", "bdu_change", "bdu_direction")


@dataclass(frozen=True)
class Table:
    """N items of P people on T topics with K runs.

    people    the partition of the items by person
    topics    the T topics, sorted
    topic     shape (N,): index in `topics`
    is_bsi    shape (N,): BSI (else BDU)
    parsed    shape (N, K): an answer was read
    correct   shape (N, K): right letter, or number within tolerance
    sums      shape (P, T, K, 6, 2): numerator and denominator of each of RATES
    present   shape (T, 6): whether a topic's golds ask for a rate at all, whatever the answers
    mae_max   that of the protocol
    """

    people: Clusters
    topics: tuple[str, ...]
    topic: IntArray
    is_bsi: BoolArray
    parsed: BoolArray
    correct: BoolArray
    sums: FloatArray
    present: BoolArray
    mae_max: float


def tabulate(items: Sequence[Item] | Columns, protocol: Protocol) -> Table:
    """Score every answer under `protocol` and sum by person, topic and run.

    Raises EmptyInput, MisalignedInput and MetricError as `in_columns` and `baseline_pairs` do.
    """
    found = items if isinstance(items, Columns) else in_columns(items)
    runs, people, topics, bdu = found.runs, found.people, found.topics, found.bdu
    is_bsi, parsed = found.is_bsi, found.parsed
    n = len(found.items)

    answers = np.full((n, runs), np.nan)
    answers[bdu.index] = found.answers
    gold = np.full((n, 1), np.nan)
    gold[bdu.index, 0] = bdu.gold

    correct = np.zeros((n, runs), dtype=np.bool_)
    correct[is_bsi] = np.where(
        found.either[:, None], found.a_or_b & protocol.either_letter, found.same
    )
    correct[bdu.index] = within_tolerance(bdu.gold[:, None], found.answers, bdu.tolerance[:, None])
    errors = scaled_errors(
        bdu.gold[:, None],
        found.answers,
        bdu.factor[:, None],
        unparsed_error=protocol.unparsed_error,
    )

    pairs = baseline_pairs(found.items, protocol, found.opinions)
    scenario, baseline = pairs[:, 0], pairs[:, 1]
    true_change = gold[scenario] - gold[baseline]
    predicted_change = answers[scenario] - answers[baseline]
    agreed = agreement(true_change, predicted_change)

    def add(rate: str, rows: IntArray, numerator: NDArray[np.generic], count: BoolArray) -> None:
        column = sums[:, :, RATES.index(rate)]
        np.add.at(column[..., 0], cell[rows], np.where(count, numerator, 0.0))
        np.add.at(column[..., 1], cell[rows], count)

    cell = people.codes * topics.count + topics.codes
    sums = np.zeros((people.count * topics.count, runs, len(RATES), 2))
    everything, bsi = np.arange(n), np.flatnonzero(is_bsi)
    add("parse_rate", everything, parsed, np.ones_like(parsed))
    add("bsi_acc", bsi, correct[bsi], np.ones_like(correct[bsi]))
    add("bdu_acc", bdu.index, correct[bdu.index], np.ones_like(correct[bdu.index]))
    add("bdu_mae", bdu.index, errors, ~np.isnan(errors))
    add("bdu_change", scenario, agreed.on_change, ~np.isnan(predicted_change))
    add("bdu_direction", scenario, agreed.on_sign, agreed.both_changed)

    return Table(
        people=people,
        topics=topics.labels,
        topic=topics.codes,
        is_bsi=is_bsi,
        parsed=parsed,
        correct=correct,
        sums=sums.reshape(people.count, topics.count, *sums.shape[1:]),
        present=present_rates(topics, is_bsi, scenario),
        mae_max=protocol.mae_max,
    )


def present_rates(topics: Clusters, is_bsi: BoolArray, scenarios: IntArray) -> BoolArray:
    """Which rates the golds of each topic ask for, shape (T, 6) in the order of RATES.

    scenarios  indices of the items that are compared with a baseline
    """
    bsi = topics.totals(is_bsi) > 0
    bdu = topics.totals(~is_bsi) > 0
    pairs = np.bincount(topics.codes[scenarios], minlength=topics.count) > 0
    return np.stack([np.ones_like(bsi), bsi, bdu, bdu, pairs, pairs], axis=-1)
