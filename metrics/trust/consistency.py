"""Belief-behaviour consistency: do personas play as the model says that people like them do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.bootstrap import DRAWS, SEED
from otherminds.metrics.clusters import partition
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.trust.agreement import (
    effect_gap,
    rank_agreement,
    stated_effect,
    stated_scores,
    why_no_effect_gap,
    why_no_rho,
)
from otherminds.metrics.trust.behaviour import Sends, behaviour, levels_read, tabulate
from otherminds.metrics.trust.items import Played, Stated, check_stated, level_codes
from otherminds.metrics.trust.over_attributes import (
    Measured,
    estimated,
    median_over_attributes,
    resample,
)
from otherminds.metrics.trust.run_means import mean_of_defined, mean_over_runs

FloatArray = NDArray[np.float64]

# What `_Attribute.measure` gives.
_RHO, _DELTA, _ETA, _SKIPPED = range(4)


@dataclass(frozen=True)
class AttributeConsistency:
    """One attribute: what was stated of it, and how personas played.

    rho                    Spearman's ρ between stated scores and mean sends over the levels, -1 to 1
    delta_eta_squared      |stated η² - simulated η²|
    simulated_eta_squared  η² of the sends
    stated_eta_squared     mean over the runs in which one was stated; None where none was
    level_means            dollars, by level in the order of the statement; NaN with n = 0 for a level
                           without a send that could be read
    n_levels               levels that ρ and the simulated η² rest on: with a send read in every run
    levels_left_out        the others: no persona has them, or no send of theirs could be read
    n_personas             personas of such a level whose send could be read in some run
    rho_undefined          why ρ is undefined; None where it is not
    delta_undefined        why |Δη²| is undefined; None where it is not
    skipped_draws          share of bootstrap draws that skip the attribute, for having lost a level
    """

    rho: Estimate
    delta_eta_squared: Estimate
    simulated_eta_squared: Estimate
    stated_eta_squared: float | None
    level_means: Mapping[str, Estimate]
    n_levels: int
    levels_left_out: tuple[str, ...]
    n_personas: int
    rho_undefined: str | None
    delta_undefined: str | None
    skipped_draws: float


@dataclass(frozen=True)
class Consistency:
    """All attributes, under one strategy of asking.

    rho, delta_eta_squared  medians over the attributes for which they are defined
    n_attributes_rho        how many attributes the median of ρ rests on
    n_attributes_delta      how many that of |Δη²| rests on
    by_attribute            sorted by name
    """

    rho: Estimate
    delta_eta_squared: Estimate
    n_attributes_rho: int
    n_attributes_delta: int
    by_attribute: Mapping[str, AttributeConsistency]


def consistency(
    played: Sequence[Played], stated: Sequence[Stated], *, draws: int = DRAWS, seed: int = SEED
) -> Consistency:
    """ρ and |Δη²| of every attribute and their medians, with 95 % intervals.

    Both are computed per run and averaged over the runs in which they are defined; with no such run
    the value is NaN, never 0, and the reason is given. ρ and the simulated η² are over the levels with
    a send read in every run; the stated η² is of all levels that the model was asked about.

    Intervals resample personas, each with all their runs and for all attributes at once; statements
    are fixed. A draw in which an attribute loses a level skips that attribute, and medians are then
    over the others; with more than `over_attributes.MAX_SKIPPED` of the draws lost there is no interval.
    The result does not depend on the order of personas or attributes.

    Raises as `check_played`, `check_stated` and `level_codes`, and MetricError for draws < 1.
    """
    sends = tabulate(played)
    check_stated(stated, sends.runs)
    attributes = [_Attribute(sends, one) for one in sorted(stated, key=lambda one: one.attribute)]
    point, sampled = resample(
        [Measured(one.behaviour.sums, one.measure) for one in attributes], draws=draws, seed=seed
    )
    rho, delta = (
        median_over_attributes(point[:, kind], sampled[:, :, kind], sends.people)
        for kind in (_RHO, _DELTA)
    )
    return Consistency(
        rho=rho,
        delta_eta_squared=delta,
        n_attributes_rho=int(np.count_nonzero(~np.isnan(point[:, _RHO]))),
        n_attributes_delta=int(np.count_nonzero(~np.isnan(point[:, _DELTA]))),
        by_attribute={
            one.stated.attribute: one.result(point[i], sampled[:, i])
            for i, one in enumerate(attributes)
        },
    )


class _Attribute:
    """One attribute as arrays."""

    def __init__(self, sends: Sends, stated: Stated) -> None:
        self.sends, self.stated = sends, stated
        self.codes = np.array(level_codes(sends.played, stated.attribute, stated.levels))
        self.kept = np.flatnonzero(levels_read(sends, self.codes, len(stated.levels)))
        self.behaviour = behaviour(sends, self.codes, self.kept)
        self.scores = stated_scores(stated, self.kept)
        self.effect = stated_effect(stated)

    def measure(self, rows: FloatArray) -> FloatArray:
        """The four numbers of each of b rows of sums, shape (b, 4)."""
        means, eta = self.behaviour.evaluate(rows)
        return np.stack(
            [
                rank_agreement(means, self.scores),
                effect_gap(eta, self.effect),
                mean_of_defined(eta),
                np.isnan(means).any(axis=(1, 2)),
            ],
            axis=1,
        )

    def result(self, point: FloatArray, draws: FloatArray) -> AttributeConsistency:
        """The attribute's results from its four numbers and their draws, shape (B, 4)."""
        people = self.behaviour.people
        rho, delta, simulated = (
            estimated(float(point[kind]), draws[:, kind], people) for kind in (_RHO, _DELTA, _ETA)
        )
        means, eta = self.behaviour.evaluate(self.behaviour.sums.sum(axis=0, keepdims=True))
        stated = mean_of_defined(self.effect)
        left_out = np.setdiff1d(np.arange(len(self.stated.levels)), self.kept)
        return AttributeConsistency(
            rho=rho,
            delta_eta_squared=delta,
            simulated_eta_squared=simulated,
            stated_eta_squared=None if np.isnan(stated) else float(stated),
            level_means=self._level_means(),
            n_levels=len(self.kept),
            levels_left_out=tuple(self.stated.levels[code] for code in left_out),
            n_personas=int(np.count_nonzero(people)),
            rho_undefined=why_no_rho(means[0], eta[0], self.scores),
            delta_undefined=why_no_effect_gap(means[0], eta[0], self.effect),
            skipped_draws=float(draws[:, _SKIPPED].mean()),
        )

    def _level_means(self) -> dict[str, Estimate]:
        people = partition(self.sends.ids)
        return {
            level: mean_over_runs(
                np.where((self.codes == code)[:, None], self.sends.dollars, np.nan), people
            )
            for code, level in enumerate(self.stated.levels)
        }
