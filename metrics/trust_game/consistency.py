"""Belief-behaviour consistency: do personas play as the model says that people like them do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.trust_game.agreement import (
    effect_gap,
    rank_agreement,
    stated_contrast,
    stated_effect,
    stated_scores,
    why_no_effect_gap,
    why_no_rho,
)
from otherminds.metrics.trust_game.behaviour import Sends, behaviour, levels_read, tabulate
from otherminds.metrics.trust_game.intervals import effect_interval
from otherminds.metrics.trust_game.items import Played, Stated, check_stated, level_codes
from otherminds.metrics.trust_game.over_attributes import (
    Measured,
    correlation,
    estimated,
    over_attributes,
    resample,
    share,
)
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    mean_of_defined,
    mean_over_runs,
    partition,
)
from otherminds.types import FloatArray

# What `_Attribute.measure` gives.
_RHO, _DELTA, _ETA, _OMEGA, _CONTRAST, _DELTA_CONTRAST, _SKIPPED = range(7)


@dataclass(frozen=True)
class AttributeConsistency:
    """One attribute: what was stated of it, and how personas played.

    rho                    Spearman's ρ between stated scores and mean sends over the levels, -1 to 1
    delta_eta_squared      |stated η² - simulated η²|
    simulated_eta_squared  η² of the sends: noise makes it larger than that of the population, of which
                           the interval is (`effect_interval`)
    simulated_omega_squared
                           ω² of the sends, which noise does not make larger and which may be below 0;
                           the interval is of the same η² of the population
    stated_eta_squared     mean over the runs in which one was stated; None where none was
    simulated_contrast     η² of the linear contrast that follows the stated order (`Evaluated.contrast`)
    delta_contrast         |stated - simulated| contrast η²; NaN where none was stated
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
    simulated_omega_squared: Estimate
    stated_eta_squared: float | None
    simulated_contrast: Estimate
    delta_contrast: Estimate
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
    rho_mean                mean of ρ over them (the paper's Table 9)
    mae_eta_squared         mean of |Δη²| over them: the mean absolute error of stated effect sizes
    mae_contrast            the same of contrasts; NaN where none was stated
    n_attributes_rho        how many attributes ρ rests on
    n_attributes_delta      how many |Δη²| rests on
    by_attribute            sorted by name
    """

    rho: Estimate
    delta_eta_squared: Estimate
    rho_mean: Estimate
    mae_eta_squared: Estimate
    mae_contrast: Estimate
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
    are fixed. They say how far other personas, as many, would move the numbers. Those of ρ stay within
    -1..1 (`rank_interval`), those of |Δη²| and contrasts within 0..1 (`share`). Those of η² and ω² are
    not of what other personas would give, but of the population's η², by the noncentral F distribution
    (`effect_interval`); their standard errors are of the draws. A draw in which an attribute loses a
    level skips that attribute, and medians and means are then over the others; with more than
    `over_attributes.MAX_SKIPPED` of the draws lost there is no interval.
    The result does not depend on the order of personas or attributes.

    Raises as `check_played`, `check_stated` and `level_codes`, and MetricError for draws < 1.
    """
    sends = tabulate(played)
    check_stated(stated, sends.runs)
    attributes = [_Attribute(sends, one) for one in sorted(stated, key=lambda one: one.attribute)]
    point, sampled = resample(
        [Measured(one.behaviour.sums, one.measure) for one in attributes], draws=draws, seed=seed
    )
    rho, delta, contrast = (
        over_attributes(point[:, kind], sampled[:, :, kind], sends.people, interval)
        for kind, interval in ((_RHO, correlation), (_DELTA, share), (_DELTA_CONTRAST, share))
    )
    return Consistency(
        rho=rho.median,
        delta_eta_squared=delta.median,
        rho_mean=rho.mean,
        mae_eta_squared=delta.mean,
        mae_contrast=contrast.mean,
        n_attributes_rho=rho.size,
        n_attributes_delta=delta.size,
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
        self.contrast = stated_contrast(stated)

    def measure(self, rows: FloatArray) -> FloatArray:
        """The seven numbers of each of b rows of sums, shape (b, 7)."""
        found = self.behaviour.evaluate(rows)
        contrast = found.contrast(self.scores)
        return np.stack(
            [
                rank_agreement(found.means, self.scores),
                effect_gap(found.eta, self.effect),
                mean_of_defined(found.eta),
                mean_of_defined(found.omega),
                mean_of_defined(contrast),
                effect_gap(contrast, self.contrast),
                np.isnan(found.means).any(axis=(1, 2)),
            ],
            axis=1,
        )

    def result(self, point: FloatArray, draws: FloatArray) -> AttributeConsistency:
        """The attribute's results from its seven numbers and their draws, shape (B, 7)."""
        people = self.behaviour.people
        delta, contrast, delta_contrast = (
            share(float(point[kind]), draws[:, kind], people)
            for kind in (_DELTA, _CONTRAST, _DELTA_CONTRAST)
        )
        simulated, omega = (
            effect_interval(
                estimated(float(point[kind]), draws[:, kind], people),
                float(point[_ETA]),
                len(self.kept),
            )
            for kind in (_ETA, _OMEGA)
        )
        found = self.behaviour.evaluate(self.behaviour.sums.sum(axis=0, keepdims=True))
        means, eta = found.means, found.eta
        stated = mean_of_defined(self.effect)
        left_out = np.setdiff1d(np.arange(len(self.stated.levels)), self.kept)
        return AttributeConsistency(
            rho=correlation(float(point[_RHO]), draws[:, _RHO], people),
            delta_eta_squared=delta,
            simulated_eta_squared=simulated,
            simulated_omega_squared=omega,
            stated_eta_squared=None if np.isnan(stated) else float(stated),
            simulated_contrast=contrast,
            delta_contrast=delta_contrast,
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
