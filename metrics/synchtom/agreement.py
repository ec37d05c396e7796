"""How far two judges, or a judge and a person, agree on the same answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.agreement import quadratic_kappa
from otherminds.metrics.confusion import Confusion, cohen_kappa, confusion
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.krippendorff import krippendorff_alpha
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.synchtom.items import DIMENSIONS
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    clustered_mean,
    partition,
)


class Rated(NamedTuple):
    """The verdicts of two raters on one dimension of one answer.

    answer_id    the answer; with the dimension unique
    instance_id  what it answers: the unit of all uncertainty
    dimension    one of DIMENSIONS
    first        0 or 1 for each criterion, by one rater, such as a person
    second       the same by the other, such as the judge
    """

    answer_id: str
    instance_id: str
    dimension: str
    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True)
class Agreement:
    """Agreement of two raters on a set of answers.

    estimates     of the counts of fulfilled criteria, one for each answer and dimension:
                  exact             share of equal counts
                  within_one        share of counts that differ by at most 1
                  kappa             Cohen's kappa
                  quadratic_kappa   Cohen's kappa with quadratic weights
                  alpha             Krippendorff's alpha, level "interval"
                  and of the verdicts, one for each criterion:
                  criterion_exact   share of equal verdicts
                  criterion_kappa   Cohen's kappa
                  criterion_alpha   Krippendorff's alpha, level "nominal"
    counts        confusion of the counts: rows the first rater, columns the second
    verdicts      confusion of the verdicts 0 and 1
    by_dimension  the same for each dimension alone, in the order of DIMENSIONS

    Rubrics differ in their number of criteria, and counts are not divided by it: "within one" is as in
    the paper, and easier on a rubric of two criteria than on one of seven.
    """

    estimates: Mapping[str, Estimate]
    counts: Confusion
    verdicts: Confusion
    by_dimension: Mapping[str, Agreement]

    def __getitem__(self, statistic: str) -> Estimate:
        return self.estimates[statistic]


def agreement(rated: Sequence[Rated], *, draws: int = DRAWS, seed: int = SEED) -> Agreement:
    """Agreement of two raters, with 95 % intervals that know that an instance's ratings belong together.

    Intervals are cut to what a number can be: 0 to 1 for shares, -1 to 1 for coefficients.

    Answers that one rater failed to judge are left out by the caller, who says how many. The shares have
    the cluster-robust standard error of `clustered_mean`, the coefficients that of a bootstrap over
    instances; NaN where all ratings are equal. The result does not depend on the order of `rated`.

    Raises EmptyInput without ratings, MisalignedInput for an answer and dimension given twice or for
    unequal numbers of verdicts, MetricError for an unknown dimension, no verdicts, or one that is not 0
    or 1.
    """
    if not rated:
        raise EmptyInput("No ratings to compare.")
    _check(rated)
    ordered = sorted(rated, key=lambda one: (one.answer_id, one.dimension))
    by_dimension = {
        dimension: _part(some, {}, draws, seed)
        for dimension in DIMENSIONS
        if (some := [one for one in ordered if one.dimension == dimension])
    }
    return _part(ordered, by_dimension, draws, seed)


def _part(
    rated: Sequence[Rated], by_dimension: Mapping[str, Agreement], draws: int, seed: int
) -> Agreement:
    first, second = [sum(one.first) for one in rated], [sum(one.second) for one in rated]
    most = max(len(one.first) for one in rated)
    instances = partition([one.instance_id for one in rated])
    by_criterion = partition([one.instance_id for one in rated for _ in one.first])
    verdicts = [v for one in rated for v in one.first], [v for one in rated for v in one.second]
    estimates = {
        "exact": _share_within(0, first, second, instances),
        "within_one": _share_within(1, first, second, instances),
        "kappa": cohen_kappa(first, second, instances, draws=draws, seed=seed),
        "quadratic_kappa": quadratic_kappa(
            first, second, instances, low=0, high=most, draws=draws, seed=seed
        ),
        "alpha": krippendorff_alpha(
            np.transpose([first, second]), instances, draws=draws, seed=seed
        ),
        "criterion_exact": _share_within(0, *verdicts, by_criterion),
        "criterion_kappa": cohen_kappa(*verdicts, by_criterion, draws=draws, seed=seed),
        "criterion_alpha": krippendorff_alpha(
            np.transpose(verdicts), by_criterion, level="nominal", draws=draws, seed=seed
        ),
    }
    return Agreement(
        estimates=estimates,
        counts=confusion(first, second, labels=range(most + 1)),
        verdicts=confusion(*verdicts, labels=(0, 1)),
        by_dimension=by_dimension,
    )


def _share_within(
    distance: int, first: Sequence[int], second: Sequence[int], clusters: Clusters
) -> Estimate:
    return SHARE.cut(clustered_mean(np.abs(np.subtract(first, second)) <= distance, clusters))


def _check(rated: Sequence[Rated]) -> None:
    seen: set[tuple[str, str]] = set()
    for one in rated:
        name = f"Answer {one.answer_id!r}, {one.dimension}"
        if (one.answer_id, one.dimension) in seen:
            raise MisalignedInput(f"{name}: given twice.")
        seen.add((one.answer_id, one.dimension))
        if one.dimension not in DIMENSIONS:
            raise MetricError(f"{name}: the dimensions are {', '.join(DIMENSIONS)}.")
        if len(one.first) != len(one.second):
            raise MisalignedInput(
                f"{name}: {len(one.first)} and {len(one.second)} verdicts; give one per criterion."
            )
        if not one.first:
            raise MetricError(f"{name}: no verdicts; leave it out.")
        if strange := {*one.first, *one.second} - {0, 1}:
            raise MetricError(f"{name}: verdict {strange.pop()!r} is neither 0 nor 1.")
