"""Items as arrays: what each person contributes to each number, by topic and run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.clusters import Clusters, partition
from otherminds.metrics.hugagent.items import (
    BDU,
    BSI,
    ERROR_FACTOR,
    TOLERANCE,
    Item,
    check_answers,
    check_golds,
)
from otherminds.metrics.hugagent.measures import (
    agreement,
    letters_correct,
    scaled_errors,
    within_tolerance,
)
from otherminds.metrics.hugagent.protocol import Protocol, baseline_pairs
from otherminds.types import BoolArray, FloatArray, IntArray

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


@dataclass(frozen=True)
class Golds:
    """The BDU items among `items`, as arrays of length n on each item's own scale."""

    index: IntArray
    gold: FloatArray
    tolerance: FloatArray
    factor: FloatArray


def in_order(items: Sequence[Item]) -> list[Item]:
    """Items sorted by id, so that no sum depends on the order in which they came."""
    return sorted(items, key=lambda item: item.item_id)


def bdu_golds(items: Sequence[Item]) -> Golds:
    """Golds, tolerances and error factors of the BDU items."""
    index = [i for i, item in enumerate(items) if item.task == BDU]
    scales = [(items[i].low, items[i].high) for i in index]
    return Golds(
        index=np.array(index, dtype=np.intp),
        gold=np.array([int(items[i].gold) for i in index], dtype=np.float64),
        tolerance=np.array([TOLERANCE[scale] for scale in scales], dtype=np.float64),
        factor=np.array([ERROR_FACTOR[scale] for scale in scales], dtype=np.float64),
    )


def tabulate(items: Sequence[Item], protocol: Protocol) -> Table:
    """Score every answer under `protocol` and sum by person, topic and run.

    Raises EmptyInput, MisalignedInput and MetricError as `check_golds`, `check_answers` and
    `baseline_pairs` do.
    """
    check_golds(items)
    runs = check_answers(items)
    items = in_order(items)
    people = partition([item.participant_id for item in items])
    topics = partition([item.topic for item in items])
    is_bsi = np.array([item.task == BSI for item in items])
    parsed = np.array([[answer is not None for answer in item.answers] for item in items])

    bdu = bdu_golds(items)
    answers = np.full((len(items), runs), np.nan)
    for i in bdu.index:
        answers[i] = [np.nan if answer is None else answer for answer in items[i].answers]
    gold = np.full((len(items), 1), np.nan)
    gold[bdu.index, 0] = bdu.gold

    correct = np.zeros((len(items), runs), dtype=np.bool_)
    correct[is_bsi] = _letters(items, protocol)
    correct[bdu.index] = within_tolerance(
        bdu.gold[:, None], answers[bdu.index], bdu.tolerance[:, None]
    )
    errors = scaled_errors(
        bdu.gold[:, None],
        answers[bdu.index],
        bdu.factor[:, None],
        unparsed_error=protocol.unparsed_error,
    )

    pairs = baseline_pairs(items, protocol)
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
    everything, bsi = np.arange(len(items)), np.flatnonzero(is_bsi)
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


def _letters(items: Sequence[Item], protocol: Protocol) -> BoolArray:
    """Which BSI answers are right, shape (BSI items, K)."""
    bsi = [item for item in items if item.task == BSI]
    gold = [item.gold for item in bsi]
    runs = [
        letters_correct(
            gold,
            [None if item.answers[k] is None else str(item.answers[k]) for item in bsi],
            either_letter=protocol.either_letter,
        )
        for k in range(len(items[0].answers))
    ]
    return np.stack(runs, axis=-1)
