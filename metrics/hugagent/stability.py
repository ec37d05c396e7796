"""Scalar stability: do a model's numbers repeat, and do they spread over people as the people's do?

All of it is about BDU answers. Golds outside their scale (the human data have 54) are not answers on
that scale: items with one are left out of everything here but `run_deviation`, which looks at no gold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.divergence import jensen_shannon_rows, pearson_r, pearson_rows
from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.hugagent.columns import in_order
from otherminds.metrics.hugagent.items import BDU, ERROR_FACTOR, Item, check_answers, check_golds
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    bounded,
    clustered_mean,
    divided,
    estimates_from_sums,
    mean_of_defined,
    nothing,
    partition,
)
from otherminds.types import BoolArray, FloatArray

# With two items any r is -1 or 1.
MIN_ITEMS = 3

MATCHING_DIVERGENCE = 0.10
"""The paper's bound: answers are distributed as the people's where the divergence is below it."""

MATCHING_R = 0.2
"""The paper's bound: its mean answers go with the people's where their correlation is this or more."""


@dataclass(frozen=True)
class RunDeviation:
    """Run-to-run spread (definition: `run_deviation`).

    deviation   mean SD in points of the 5-point scale; NaN with n = 0 where no item was read twice
    n_left_out  BDU items with fewer than two answers that could be read
    """

    deviation: Estimate
    n_left_out: int


def run_deviation(items: Sequence[Item]) -> RunDeviation:
    """Mean over items of the standard deviation of an item's answers over its runs.

    SD_i = f_i·sqrt( Σ_k (ŷ_ik - ȳ_i)² / (K_i - 1) ) over the K_i runs of item i that could be read;
    f_i = ½ for a 10-point item, as in MAE. The standard error is clustered by person.

    0 for a deterministic model. Says nothing about being right. Raises EmptyInput without BDU items,
    else as `check_golds` and `check_answers`, and MetricError for an answer outside its scale.
    """
    bdu = _bdu(items)
    deviations: list[float] = []
    people: list[str] = []
    for item in bdu:
        read = [answer for answer in item.answers if answer is not None]
        if len(read) > 1:
            spread = np.std(np.array(read, dtype=np.float64), ddof=1)
            deviations.append(ERROR_FACTOR[item.low, item.high] * float(spread))
            people.append(item.participant_id)
    mean = clustered_mean(deviations, partition(people)) if deviations else nothing()
    return RunDeviation(deviation=mean, n_left_out=len(bdu) - len(deviations))


@dataclass(frozen=True)
class Match:
    """How a model's answers are distributed against the people's, on one topic and scale.

    jensen_shannon  divergence in bits, 0 (equal) to 1 (disjoint); see `jensen_shannon` for its size
                    between two samples of one distribution
    pearson         r between the shares of each point of the scale
    pearson_means   r between the mean answers of model and people to each question
    variance_ratio  variance of the model's answers / variance of the people's: below 1, the model makes
                    people more alike than they are
    n_questions     questions with an answer that was read in some run
    n_outside       items left out because their gold is outside the scale
    n_unread        items without a readable answer, mean over runs
    """

    jensen_shannon: Estimate
    pearson: Estimate
    pearson_means: Estimate
    variance_ratio: Estimate
    n_questions: int
    n_outside: int
    n_unread: float


def distribution_match(
    items: Sequence[Item], *, draws: int = DRAWS, seed: int = SEED
) -> Mapping[tuple[str, int, int], Match]:
    """Distributions of model and human answers, by (topic, low, high) of the scale.

    Each number is computed per run and averaged over the runs in which it is defined. In a run, the
    people's distribution is over the items that the model answered readably, so that the two are of the
    same items. Variances are over items, Σ(y - ȳ)²/n. r of the shares is NaN where a distribution is
    uniform, the ratio where the people agree completely.

    r of the means is Σ_q (m_q - m̄)(h_q - h̄) / sqrt(Σ_q (m_q - m̄)²·Σ_q (h_q - h̄)²) over the questions q
    of the cell, with m_q and h_q the model's and the people's mean over the items of q. Each question
    counts once, however many people were asked. Means over few people are noisy: that pulls r towards 0,
    and its interval covers less where many questions have few answers. r is NaN with fewer than
    MIN_ITEMS questions, or where either's means are all alike.

    Intervals resample people, the questions being fixed, and are cut to what is possible: 0 to 1 for
    the divergence, -1 to 1 for r, 0 and more for the ratio.
    Raises as `run_deviation`.
    """
    cells: dict[tuple[str, int, int], list[Item]] = {}
    for item in _bdu(items):
        cells.setdefault((item.topic, item.low, item.high), []).append(item)
    return {
        cell: _match(here, cell[1], cell[2], draws=draws, seed=seed)
        for cell, here in sorted(cells.items())
    }


@dataclass(frozen=True)
class Individual:
    """Correlation within people (definition: `individual_correlation`).

    correlation       mean of the people's r; NaN with n = 0 where nobody has one
    n_too_few         people left out for having fewer than MIN_ITEMS readable items in every run
    n_constant_gold   people left out because their own answers do not vary
    n_constant_model  people left out because the model's answers for them do not vary. A model that
                      answers alike throughout loses people here: read the mean together with this
    """

    correlation: Estimate
    n_too_few: int
    n_constant_gold: int
    n_constant_model: int


def individual_correlation(items: Sequence[Item]) -> Individual:
    """Pearson r between model and person across the items of each person, then the mean over people.

    Answers are taken as positions on their scale, (y - low)/(high - low): in raw numbers 10-point items
    would be high and 5-point items low for both, which is not agreement. r is per run, then averaged
    over the runs in which it is defined; people count equally, so n is the number of people.
    Raises as `run_deviation`.
    """
    by_person: dict[str, list[Item]] = {}
    for item in _bdu(items):
        here = by_person.setdefault(item.participant_id, [])
        if _gold_on_scale(item):
            here.append(item)
    values: dict[str, float] = {}
    too_few = constant_gold = constant_model = 0
    for person, here in by_person.items():
        # A run that was read too little says nothing about whether the answers in it vary.
        runs = [(gold, model) for gold, model in _positions(here) if gold.size >= MIN_ITEMS]
        found = [r for r in (pearson_r(gold, model) for gold, model in runs) if not np.isnan(r)]
        if found:
            values[person] = float(np.mean(found))
        elif not runs:
            too_few += 1
        elif all(np.ptp(gold) == 0 for gold, _ in runs):
            constant_gold += 1
        else:
            constant_model += 1
    people = sorted(values)
    mean = clustered_mean([values[p] for p in people], partition(people)) if people else nothing()
    return Individual(mean, too_few, constant_gold, constant_model)


def _positions(items: Sequence[Item]) -> Iterator[tuple[FloatArray, FloatArray]]:
    """For each run, golds and answers of the items read in it, as positions from 0 to 1."""
    for k in range(len(items[0].answers) if items else 0):
        read = [
            (int(item.gold) - item.low, int(answer) - item.low, item.high - item.low)
            for item in items
            if (answer := item.answers[k]) is not None
        ]
        table = np.array(read, dtype=np.float64).reshape(-1, 3)
        yield table[:, 0] / table[:, 2], table[:, 1] / table[:, 2]


def _match(items: Sequence[Item], low: int, high: int, *, draws: int, seed: int) -> Match:
    inside = [item for item in items if _gold_on_scale(item)]
    n_outside = len(items) - len(inside)
    if not inside:
        return _no_match(n_outside, 0.0)
    runs, points = len(inside[0].answers), high - low + 1
    people = partition([item.participant_id for item in inside])
    questions = partition([item.question_id for item in inside])
    counts = np.zeros((people.count, runs, 2, questions.count, points))
    for person, question, item in zip(people.codes, questions.codes, inside, strict=True):
        for k, answer in enumerate(item.answers):
            if answer is not None:
                counts[person, k, 0, question, int(answer) - low] += 1
                counts[person, k, 1, question, int(item.gold) - low] += 1
    read = counts[:, :, 0].sum(axis=(-2, -1))
    n_unread = float(len(inside) * runs - read.sum()) / runs
    heard = counts[read.any(axis=1)]
    if not len(heard):
        return _no_match(n_outside, n_unread)

    def statistic(flat: FloatArray) -> FloatArray:
        by_question = flat.reshape(-1, runs, 2, questions.count, points)
        model, human = np.moveaxis(by_question.sum(axis=-2), 2, 0)
        by_run = [
            jensen_shannon_rows(model, human),
            pearson_rows(model, human),
            _pearson_of_means(*np.moveaxis(by_question, 2, 0)),
            divided(_variance(model), _variance(human)),
        ]
        return np.stack([mean_of_defined(values) for values in by_run], axis=-1)

    n = float(read.sum()) / runs
    flat = heard.reshape(len(heard), -1)
    divergence, r, r_means, ratio = estimates_from_sums(
        flat, statistic, n=n, draws=draws, seed=seed
    )
    return Match(
        jensen_shannon=bounded(divergence, 0.0, 1.0),
        pearson=bounded(r, -1.0, 1.0),
        pearson_means=bounded(r_means, -1.0, 1.0),
        variance_ratio=bounded(ratio, 0.0, math.inf),
        n_questions=int(heard.any(axis=(0, 1, 2, 4)).sum()),
        n_outside=n_outside,
        n_unread=n_unread,
    )


def _no_match(n_outside: int, n_unread: float) -> Match:
    return Match(nothing(), nothing(), nothing(), nothing(), 0, n_outside, n_unread)


def _pearson_of_means(model: FloatArray, human: FloatArray) -> FloatArray:
    """r over the questions between the means of two tables of counts, shape (…, questions, points)."""
    values = np.arange(model.shape[-1])
    n = model.sum(axis=-1)
    asked = n > 0
    first, second = (_centred(divided(counts @ values, n), asked) for counts in (model, human))
    enough = asked.sum(axis=-1) >= MIN_ITEMS
    return np.where(enough, pearson_rows(first, second), np.nan)


def _centred(means: FloatArray, asked: BoolArray) -> FloatArray:
    """Means (last axis), with the mean of those that are asked in place of all others.

    The others then deviate from nothing, and so have no part in a correlation.
    """
    known = np.where(asked, means, 0.0)
    centre = divided(known.sum(axis=-1), asked.sum(axis=-1))
    return np.where(asked, means, np.nan_to_num(centre)[..., None])


def _variance(counts: FloatArray) -> FloatArray:
    """Population variance of answers given as counts of the points of a scale (last axis)."""
    # From whole-number sums, so that a constant has a variance of exactly 0.
    values = np.arange(counts.shape[-1])
    n, total, squares = counts.sum(axis=-1), counts @ values, counts @ values**2
    return divided(n * squares - total**2, n**2)


def _gold_on_scale(item: Item) -> bool:
    return item.low <= int(item.gold) <= item.high


def _bdu(items: Sequence[Item]) -> list[Item]:
    """The BDU items in order of their ids, once everything has been checked."""
    check_golds(items)
    check_answers(items)
    bdu = [item for item in in_order(items) if item.task == BDU]
    if not bdu:
        raise EmptyInput("No BDU items: letters have no scalar stability.")
    for item in bdu:
        for answer in item.answers:
            if answer is not None and not item.low <= int(answer) <= item.high:
                raise MetricError(
                    f"Item {item.item_id!r}: answer {answer} is outside {item.low}-{item.high}; give "
                    "None, as the parser does."
                )
    return bdu
