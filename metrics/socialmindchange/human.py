"""What people say of SocialMindChange: ratings of stages, answers to questions, and their agreement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.krippendorff import krippendorff_alpha, ordinal_alpha
from otherminds.metrics.ranges import SHARE, Range
from otherminds.metrics.socialmindchange.human_items import (
    DIMENSIONS,
    SCALE,
    HumanAnswer,
    Rating,
    check_answers,
    check_ratings,
)
from otherminds.metrics.socialmindchange.items import GUIDANCE, LETTERS, STATES, TRANSITIONS
from otherminds.metrics.socialmindchange.summary import CELLS, POOLED
from otherminds.metrics.uncertainty import DRAWS, SEED, Estimate, clustered_mean, nothing, partition

THRESHOLD = 4.0
"""A stage is retained when the mean rating of every dimension is at least this."""

KINDS = (GUIDANCE, POOLED, *TRANSITIONS)
"""The rows of the paper's table, then the transition types alone."""


@dataclass(frozen=True)
class Retention:
    """Which stages people rate well enough to be kept.

    share      of the decided stages that are retained; each stage is a cluster of its own, and the
               interval is cut at 0 and 1
    means      by stage, the mean rating of each dimension that was rated
    retained   stages whose means all reach the threshold
    rejected   stages with a rating of every dimension, and a mean below it
    undecided  stages with a dimension that nobody rated; they do not count in `share`
    """

    share: Estimate
    means: Mapping[str, Mapping[str, float]]
    retained: tuple[str, ...]
    rejected: tuple[str, ...]
    undecided: tuple[str, ...]


@dataclass(frozen=True)
class HumanAccuracy:
    """Share of right answers among those given: overall and by part.

    A part is a type (`KINDS`, with the transition types pooled and alone), a mental state, or both, such
    as "transition/belief" (`CELLS`). Parts without an answer are left out.
    """

    overall: Estimate
    by_type: Mapping[str, Estimate]
    by_state: Mapping[str, Estimate]
    by_cell: Mapping[str, Estimate]


class Compared(NamedTuple):
    """People and a model on the same questions: mean share of right answers per question.

    `difference` is the model's minus the people's, paired by question.
    """

    human: Estimate
    model: Estimate
    difference: Estimate


def rating_means(ratings: Sequence[Rating]) -> Mapping[str, Estimate]:
    """By dimension: the mean over ratings, with its cluster-robust 95 % interval by stage.

    n counts ratings. A dimension that nobody rated is NaN with n = 0. The interval is over stages, not
    over people: it says what other stages would give, rated by these people. It is a t interval, cut to
    the scale from 1 to 5.
    Raises as `check_ratings`.
    """
    check_ratings(ratings)
    return {
        name: _mean(
            [(one.value, one.stage_id) for one in ratings if one.dimension == name],
            Range(min(SCALE), max(SCALE)),
        )
        for name in DIMENSIONS
    }


def retention(ratings: Sequence[Rating], *, threshold: float = THRESHOLD) -> Retention:
    """Which stages have a mean rating of at least `threshold` in every dimension.

    A stage's mean is over the people who rated it. Raises as `check_ratings`.
    """
    check_ratings(ratings)
    by_stage: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one in ratings:
        by_stage[one.stage_id][one.dimension].append(one.value)
    means = {
        stage: {name: sum(own[name]) / len(own[name]) for name in DIMENSIONS if name in own}
        for stage, own in sorted(by_stage.items())
    }
    decided = {
        stage: all(mean >= threshold for mean in own.values())
        for stage, own in means.items()
        if len(own) == len(DIMENSIONS)
    }
    return Retention(
        share=_mean([(float(kept), stage) for stage, kept in decided.items()]),
        means=means,
        retained=tuple(stage for stage, kept in decided.items() if kept),
        rejected=tuple(stage for stage, kept in decided.items() if not kept),
        undecided=tuple(stage for stage in means if stage not in decided),
    )


def rating_agreement(
    ratings: Sequence[Rating], *, draws: int = DRAWS, seed: int = SEED
) -> Mapping[str, Estimate]:
    """By dimension: Krippendorff's ordinal alpha over stages, with a bootstrap interval by stage.

    NaN with n = 0 where no stage has two ratings of the dimension. Raises as `check_ratings`.
    """
    check_ratings(ratings)
    found = {}
    for name in DIMENSIONS:
        units: dict[str, list[int]] = defaultdict(lambda: [0] * len(SCALE))
        for one in ratings:
            if one.dimension == name:
                units[one.stage_id][SCALE.index(one.value)] += 1
        stages = sorted(units)
        if any(sum(counts) > 1 for counts in units.values()):
            counts = [units[stage] for stage in stages]
            found[name] = ordinal_alpha(counts, partition(stages), draws=draws, seed=seed)
        else:
            found[name] = nothing()
    return found


def human_accuracy(answers: Sequence[HumanAnswer]) -> HumanAccuracy:
    """Share of right answers, each with its cluster-robust 95 % interval by stage; n counts answers.

    A question that was left empty is not an answer and does not count. The interval is over stages and
    does not know that answers of one person belong together. It is a t interval, cut at
    0 and 1. Raises as `check_answers`.
    """
    check_answers(answers)
    return HumanAccuracy(
        overall=_accuracy(answers),
        by_type=_parts(answers, KINDS, _kinds),
        by_state=_parts(answers, STATES, lambda one: (one.mental_state,)),
        by_cell=_parts(
            answers, CELLS, lambda one: tuple(f"{kind}/{one.mental_state}" for kind in _kinds(one))
        ),
    )


def answer_agreement(
    answers: Sequence[HumanAnswer], *, draws: int = DRAWS, seed: int = SEED
) -> Estimate:
    """Krippendorff's nominal alpha of the letters given, with a bootstrap interval by stage.

    n counts questions with two or more answers; NaN with n = 0 where there is none.
    Raises as `check_answers`.
    """
    check_answers(answers)
    people = {name: place for place, name in enumerate(sorted({one.annotator for one in answers}))}
    stages = {one.item_id: one.stage_id for one in answers}
    rows = {item_id: row for row, item_id in enumerate(sorted(stages))}
    table = np.full((len(rows), max(2, len(people))), np.nan)
    for one in answers:
        table[rows[one.item_id], people[one.annotator]] = LETTERS.index(one.given)
    if not (np.count_nonzero(~np.isnan(table), axis=1) > 1).any():
        return nothing()
    clusters = partition([stages[item_id] for item_id in rows])
    return krippendorff_alpha(table, clusters, level="nominal", draws=draws, seed=seed)


def item_means(answers: Sequence[HumanAnswer]) -> Mapping[str, float]:
    """By question: the share of the people who answered it that were right, in order of the ids.

    Raises as `check_answers`.
    """
    check_answers(answers)
    right: dict[str, list[bool]] = defaultdict(list)
    for one in answers:
        right[one.item_id].append(one.given == one.answer)
    return {item_id: sum(own) / len(own) for item_id, own in sorted(right.items())}


def compare_means(
    human: Mapping[str, float], model: Mapping[str, float], stages: Mapping[str, str]
) -> Compared:
    """People and a model on the questions that both answered, every question counting once.

    human, model  by question, the share of right answers (`item_means`; over a model's runs)
    stages        by question, its stage: the cluster of the 95 % intervals, which are cut at the ends
                  of their scales (0 and 1; -1 and 1 for the difference)

    Raises EmptyInput where no question is shared.
    """
    shared = sorted(human.keys() & model.keys())
    if not shared:
        raise EmptyInput("People and the model have no question in common.")
    people = np.array([human[item_id] for item_id in shared])
    own = np.array([model[item_id] for item_id in shared])
    clusters = partition([stages[item_id] for item_id in shared])
    return Compared(
        human=SHARE.cut(clustered_mean(people, clusters)),
        model=SHARE.cut(clustered_mean(own, clusters)),
        difference=SHARE.of_difference().cut(clustered_mean(own - people, clusters)),
    )


def _kinds(one: HumanAnswer) -> tuple[str, ...]:
    return (one.type,) if one.type == GUIDANCE else (POOLED, one.type)


def _parts(
    answers: Sequence[HumanAnswer],
    names: Sequence[str],
    labels: Callable[[HumanAnswer], tuple[str, ...]],
) -> Mapping[str, Estimate]:
    chosen: dict[str, list[HumanAnswer]] = {name: [] for name in names}
    for one in answers:
        for label in labels(one):
            chosen[label].append(one)
    return {name: _accuracy(own) for name, own in chosen.items() if own}


def _accuracy(answers: Sequence[HumanAnswer]) -> Estimate:
    return _mean([(float(one.given == one.answer), one.stage_id) for one in answers])


def _mean(values: Sequence[tuple[float, str]], within: Range = SHARE) -> Estimate:
    """The mean of values with their stages; nothing where there is none."""
    if not values:
        return nothing()
    # In a fixed order, so that no sum depends on the order in which people returned their sheets.
    ordered = sorted(values, key=lambda one: (one[1], one[0]))
    found = clustered_mean([value for value, _ in ordered], partition([s for _, s in ordered]))
    return within.cut(found)
