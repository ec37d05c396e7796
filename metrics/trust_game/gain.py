"""The gain from a prior: two sets of sends of the same personas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.trust_game.agreement import rank_agreement, stated_scores, why_no_rho
from otherminds.metrics.trust_game.behaviour import (
    Evaluated,
    Sends,
    behaviour,
    levels_read,
    tabulate,
)
from otherminds.metrics.trust_game.items import Played, Stated, check_stated, level_codes
from otherminds.metrics.trust_game.over_attributes import (
    Measured,
    correlation,
    difference,
    over_attributes,
    resample,
)
from otherminds.metrics.uncertainty import DRAWS, SEED, Estimate
from otherminds.types import FloatArray

# What `_Pair.measure` gives.
_SHOWN, _BASELINE, _GAIN, _SKIPPED = range(4)


@dataclass(frozen=True)
class AttributeGain:
    """One attribute: agreement with the prior's ranking under both conditions.

    rho                      of the conditioned sends
    rho_unconditioned        of the unconditioned sends
    rho_gain                 rho - rho_unconditioned
    n_levels                 levels that all three rest on: with a send read in every run of both
    levels_left_out          the others
    rho_undefined            why rho is undefined; None where it is not
    unconditioned_undefined  why rho_unconditioned is undefined; None where it is not
    skipped_draws            share of bootstrap draws that skip the attribute, for having lost a level
    """

    rho: Estimate
    rho_unconditioned: Estimate
    rho_gain: Estimate
    n_levels: int
    levels_left_out: tuple[str, ...]
    rho_undefined: str | None
    unconditioned_undefined: str | None
    skipped_draws: float


@dataclass(frozen=True)
class Gain:
    """All attributes.

    rho, rho_unconditioned  medians over the attributes for which they are defined
    rho_gain                median of the attributes' gains: not the difference of the two medians
    rho_mean                mean of rho over the attributes
    n_attributes            how many attributes rho rests on
    n_attributes_unconditioned, n_attributes_gain
                            how many rho_unconditioned and rho_gain rest on
    by_attribute            sorted by name
    """

    rho: Estimate
    rho_unconditioned: Estimate
    rho_gain: Estimate
    rho_mean: Estimate
    n_attributes: int
    n_attributes_unconditioned: int
    n_attributes_gain: int
    by_attribute: Mapping[str, AttributeGain]


RolePlays = Sequence[Played] | Mapping[str, Sequence[Played]]
"""One role-play that was shown the rankings of all attributes, or one for each attribute by its name."""


def gain(
    conditioned: RolePlays,
    unconditioned: Sequence[Played],
    prior: Sequence[Stated],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Gain:
    """How much better sends agree with a prior's ranking when the prompt shows that prior.

    conditioned, unconditioned  the same personas, played with the prior and without it; conditioned may
                                be by attribute, where each was shown alone
    prior                       the rankings shown, elicited or imposed; effect sizes are not used

    ρ is that of `consistency`, on the levels with a send read in every run of both conditions. Intervals
    are paired: each draw takes the same personas, with all their runs, for both.

    Raises as `consistency`, and MisalignedInput unless all role-plays have the same personas with the
    same levels, and there is one for each attribute.
    """
    baseline = tabulate(unconditioned)
    check_stated(prior, baseline.runs)
    by_attribute = shown_of(conditioned, prior)
    attributes = [
        _Pair(_tabulate_shown(by_attribute[one.attribute], one, baseline), baseline, one)
        for one in sorted(prior, key=lambda one: one.attribute)
    ]
    point, sampled = resample(
        [Measured(one.sums, one.measure) for one in attributes], draws=draws, seed=seed
    )
    shown_people = np.mean([one.shown.people for one in attributes], axis=0)
    people = (shown_people, baseline.people, np.minimum(shown_people, baseline.people))
    conditioned_rho, without, gained = (
        over_attributes(point[:, kind], sampled[:, :, kind], people[kind], interval)
        for kind, interval in ((_SHOWN, correlation), (_BASELINE, correlation), (_GAIN, difference))
    )
    return Gain(
        rho=conditioned_rho.median,
        rho_unconditioned=without.median,
        rho_gain=gained.median,
        rho_mean=conditioned_rho.mean,
        n_attributes=conditioned_rho.size,
        n_attributes_unconditioned=without.size,
        n_attributes_gain=gained.size,
        by_attribute={
            one.prior.attribute: one.result(point[i], sampled[:, i])
            for i, one in enumerate(attributes)
        },
    )


def shown_of(conditioned: RolePlays, prior: Sequence[Stated]) -> dict[str, Sequence[Played]]:
    """The role-play that was shown each attribute's ranking, by name, sorted.

    Raises MisalignedInput for an attribute of `prior` without one.
    """
    names = sorted(one.attribute for one in prior)
    if not isinstance(conditioned, Mapping):
        return dict.fromkeys(names, conditioned)
    for name in names:
        if name not in conditioned:
            raise MisalignedInput(f"There is no role-play that was shown the ranking of {name!r}.")
    return {name: conditioned[name] for name in names}


class _Pair:
    """One attribute as arrays, under both conditions."""

    def __init__(self, shown: Sends, baseline: Sends, prior: Stated) -> None:
        self.prior = prior
        self.shown = shown
        count = len(prior.levels)
        codes = np.array(level_codes(shown.played, prior.attribute, prior.levels))
        in_both = levels_read(shown, codes, count) & levels_read(baseline, codes, count)
        self.left_out = np.flatnonzero(~in_both)
        self.kept = np.flatnonzero(in_both)
        self.sides = [behaviour(sends, codes, self.kept) for sends in (shown, baseline)]
        self.sums = np.hstack([side.sums for side in self.sides])
        self.scores = stated_scores(prior, self.kept)

    def measure(self, rows: FloatArray) -> FloatArray:
        """The four numbers of each of b rows of sums, shape (b, 4)."""
        shown, baseline = (found.means for found in self._evaluate(rows))
        first, second = rank_agreement(shown, self.scores), rank_agreement(baseline, self.scores)
        lost = [np.isnan(means).any(axis=(1, 2)) for means in (shown, baseline)]
        return np.stack([first, second, first - second, lost[0] | lost[1]], axis=1)

    def result(self, point: FloatArray, draws: FloatArray) -> AttributeGain:
        """The attribute's results from its four numbers and their draws, shape (B, 4)."""
        first, second = (side.people for side in self.sides)
        rho, unconditioned, gained = (
            interval(float(point[kind]), draws[:, kind], people)
            for kind, interval, people in (
                (_SHOWN, correlation, first),
                (_BASELINE, correlation, second),
                (_GAIN, difference, np.minimum(first, second)),
            )
        )
        why = [
            why_no_rho(found.means[0], found.eta[0], self.scores)
            for found in self._evaluate(self.sums.sum(axis=0, keepdims=True))
        ]
        return AttributeGain(
            rho=rho,
            rho_unconditioned=unconditioned,
            rho_gain=gained,
            n_levels=len(self.kept),
            levels_left_out=tuple(self.prior.levels[code] for code in self.left_out),
            rho_undefined=why[_SHOWN],
            unconditioned_undefined=why[_BASELINE],
            skipped_draws=float(draws[:, _SKIPPED].mean()),
        )

    def _evaluate(self, rows: FloatArray) -> list[Evaluated]:
        """What both conditions say of the levels."""
        parts = np.split(rows, [self.sides[_SHOWN].sums.shape[1]], axis=1)
        return [side.evaluate(part) for side, part in zip(self.sides, parts, strict=True)]


def _tabulate_shown(played: Sequence[Played], prior: Stated, baseline: Sends) -> Sends:
    shown = tabulate(played)
    _check_same(shown, baseline)
    check_stated([prior], shown.runs)
    return shown


def _check_same(shown: Sends, baseline: Sends) -> None:
    apart = set(shown.ids) ^ set(baseline.ids)
    if apart:
        raise MisalignedInput(
            f"{len(apart)} personas are in one of the two conditions only, such as {min(apart)!r}: "
            "give the personas that played both."
        )
    for one, other in zip(shown.played, baseline.played, strict=True):
        if dict(one.levels) != dict(other.levels):
            raise MisalignedInput(
                f"Persona {one.persona_id!r} has other levels in the two conditions: they must come "
                "from the same personas."
            )
