"""The trust game's numbers as results files and lm-eval name them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.trust_game.consistency import Consistency, consistency
from otherminds.metrics.trust_game.forecast import (
    Forecast,
    ForecastErrors,
    amounts,
    check_forecasts,
    forecast_errors,
    in_order,
)
from otherminds.metrics.trust_game.gain import Gain, RolePlays, gain, shown_of
from otherminds.metrics.trust_game.items import Played, Stated, check_played
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    bounded,
    clustered_mean,
    mean_over_runs,
    nothing,
    partition,
)
from otherminds.types import BoolArray

STRATEGIES = ("ranking", "ranking_in_context", "dollar_ranking", "dollars")
"""Ways of asking what a model believes of the levels of an attribute.

    ranking             the paper's trust ranking: by interpersonal trust, no word of the game
    ranking_in_context  the same question after the rules of the game
    dollar_ranking      ours: after the rules, by the dollars that such people give
    dollars             after the rules, mean and standard deviation of these dollars
"""

RANKINGS = STRATEGIES[:-1]
"""The strategies that ask for an order."""


@dataclass(frozen=True)
class PopulationSummary:
    """`trust_game_population` (see `summarize_population`).

    estimates    rho_<strategy> and delta_eta2_<strategy> (medians over attributes), rho_mean_<strategy>
                 and mae_eta2_<strategy> (means), mae_contrast_<strategy> (mean, of rankings), send
                 (dollars), parse_rate (role-play), parse_rate_elicited
    counts       n_personas, and for each strategy n_attributes_<strategy> (that rho rests on) and
                 n_attributes_delta_<strategy> (that delta_eta2 rests on)
    by_strategy  the breakdown by attribute of each strategy that was given
    runs, draws  K and the number of bootstrap draws
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    by_strategy: Mapping[str, Consistency]
    runs: int
    draws: int

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


@dataclass(frozen=True)
class ConditionedSummary:
    """`trust_game_self_conditioned` and `trust_game_imposed` (see `summarize_conditioned`).

    estimates    rho, rho_unconditioned, rho_gain (medians over attributes), rho_mean (mean), send
                 (dollars), parse_rate, both of the conditioned role-play
    counts       n_personas, n_attributes (that rho rests on), n_attributes_unconditioned,
                 n_attributes_gain, n_without_prior (attributes of which nothing was stated)
    gain         the breakdown by attribute
    runs, draws  K of the conditioned role-play, and the number of bootstrap draws
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    gain: Gain
    runs: int
    draws: int

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


@dataclass(frozen=True)
class ForecastSummary:
    """`trust_game_forecast` against `trust_game_rounds` (see `summarize_forecasts`).

    estimates    mae, mae_slope, mae_<archetype>, mae_round<number> (dollars; slope in dollars per
                 round), parse_rate (sends), parse_rate_forecast
    counts       n_personas, n_pairs, n_left_out, n_without_forecast, n_without_send
    errors       the same with the breakdown by archetype and round
    runs, draws  K and the number of bootstrap draws
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    errors: ForecastErrors
    runs: int
    draws: int

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


def summarize_population(
    played: Sequence[Played],
    stated: Mapping[str, Sequence[Stated]],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> PopulationSummary:
    """Everything reported of one role-played population and of what was stated of it.

    played  the role-play of every persona
    stated  by strategy (STRATEGIES), every attribute asked about, also where nothing could be read. A
            strategy that is missing, or without attributes, has NaN with n = 0. An attribute of which
            personas have no level is asked about, and not evaluated

    send and parse_rate are means over personas; parse_rate_elicited is the mean over all elicitations of
    all strategies, with attributes as clusters, because no persona is behind them.

    Raises as `consistency`, and MisalignedInput for another strategy.
    """
    runs = check_played(played)
    unknown = sorted(set(stated) - set(STRATEGIES))
    if unknown:
        raise MisalignedInput(
            f"Strategy {unknown[0]!r}: the strategies are {', '.join(STRATEGIES)}."
        )
    known = set(played[0].levels)
    by_strategy = {
        name: consistency(played, evaluated, draws=draws, seed=seed)
        for name in STRATEGIES
        if (evaluated := [one for one in stated.get(name, ()) if one.attribute in known])
    }
    estimates: dict[str, Estimate] = {}
    counts = {"n_personas": float(len(played))}
    for name in STRATEGIES:
        found = by_strategy.get(name)
        estimates[f"rho_{name}"] = found.rho if found else nothing()
        estimates[f"delta_eta2_{name}"] = found.delta_eta_squared if found else nothing()
        estimates[f"rho_mean_{name}"] = found.rho_mean if found else nothing()
        estimates[f"mae_eta2_{name}"] = found.mae_eta_squared if found else nothing()
        if name in RANKINGS:
            estimates[f"mae_contrast_{name}"] = found.mae_contrast if found else nothing()
        counts[f"n_attributes_{name}"] = float(found.n_attributes_rho if found else 0)
        counts[f"n_attributes_delta_{name}"] = float(found.n_attributes_delta if found else 0)
    estimates |= _role_play(played)
    asked = sorted(
        (one for name in STRATEGIES for one in stated.get(name, ())),
        key=lambda one: one.attribute,
    )
    estimates["parse_rate_elicited"] = elicited_parse_rate(asked)
    return PopulationSummary(estimates, counts, by_strategy, runs, draws)


def summarize_conditioned(
    conditioned: RolePlays,
    unconditioned: Sequence[Played],
    prior: Sequence[Stated],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> ConditionedSummary:
    """Everything reported of a role-play that was shown a prior, against the same without it.

    Arguments and errors as `gain`. Where each attribute was shown alone, send and parse_rate are over
    all these role-plays, with personas as clusters; they must then have equally many runs
    (MisalignedInput).
    """
    found = gain(conditioned, unconditioned, prior, draws=draws, seed=seed)
    plays: list[Played] = []
    if isinstance(conditioned, Mapping):
        for played in shown_of(conditioned, prior).values():
            plays += played
    else:
        plays += conditioned
    if len({len(one.sends) for one in plays}) > 1:
        raise MisalignedInput("The role-plays of different attributes differ in their runs.")
    without = sum(all(scores is None for scores in one.scores) for one in prior)
    return ConditionedSummary(
        estimates={
            "rho": found.rho,
            "rho_unconditioned": found.rho_unconditioned,
            "rho_gain": found.rho_gain,
            "rho_mean": found.rho_mean,
            **_role_play(plays),
        },
        counts={
            "n_personas": float(len(unconditioned)),
            "n_attributes": float(found.n_attributes),
            "n_attributes_unconditioned": float(found.n_attributes_unconditioned),
            "n_attributes_gain": float(found.n_attributes_gain),
            "n_without_prior": float(without),
        },
        gain=found,
        runs=len(plays[0].sends),
        draws=draws,
    )


def summarize_forecasts(
    forecasts: Sequence[Forecast], *, draws: int = DRAWS, seed: int = SEED
) -> ForecastSummary:
    """Everything reported of forecasts and of the rounds then played.

    Raises as `forecast_errors`.
    """
    runs = check_forecasts(forecasts)
    errors = forecast_errors(forecasts, draws=draws, seed=seed)
    ordered = in_order(forecasts)
    people = partition([one.persona_id for one in ordered])
    forecast, sent = (~np.isnan(one) for one in amounts(ordered))
    return ForecastSummary(
        estimates={
            "mae": errors.overall,
            "mae_slope": errors.slope,
            **{f"mae_{name}": found for name, found in errors.by_archetype.items()},
            **{f"mae_round{number}": found for number, found in errors.by_round.items()},
            "parse_rate": _rate(sent, people),
            "parse_rate_forecast": _rate(forecast, people),
        },
        counts={
            "n_personas": float(people.count),
            "n_pairs": errors.n_pairs,
            "n_left_out": errors.n_left_out,
            "n_without_forecast": errors.n_without_forecast,
            "n_without_send": errors.n_without_send,
        },
        errors=errors,
        runs=runs,
        draws=draws,
    )


def _role_play(played: Sequence[Played]) -> dict[str, Estimate]:
    """Mean send in dollars and share of sends that could be read; a persona may play several times."""
    ordered = sorted(played, key=lambda one: one.persona_id)
    people = partition([one.persona_id for one in ordered])
    # NumPy makes NaN of None.
    dollars = np.array([one.sends for one in ordered], dtype=np.float64)
    return {
        "send": bounded(mean_over_runs(dollars, people), 0.0, math.inf),
        "parse_rate": _rate(~np.isnan(dollars), people),
    }


def elicited_parse_rate(asked: Sequence[Stated]) -> Estimate:
    """Share of elicitations that could be read, attributes being the clusters; n = 0 without any."""
    if not asked:
        return nothing()
    shares = [np.mean([scores is not None for scores in one.scores]) for one in asked]
    return bounded(clustered_mean(shares, partition([one.attribute for one in asked])), 0.0, 1.0)


def _rate(read: BoolArray, people: Clusters) -> Estimate:
    """Share of what could be read (shape (N, K)), with an interval within 0..1."""
    return bounded(mean_over_runs(read.astype(np.float64), people), 0.0, 1.0)
