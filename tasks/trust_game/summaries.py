"""The trust game's scored documents, and everything that is reported of them.

A record is the contribution of one document; its `details` are all numbers over some records, with
intervals and n, for the results file.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from otherminds.metrics.ranges import Ranges
from otherminds.metrics.trust_game import (
    RANKINGS,
    STRATEGIES,
    Forecast,
    Played,
    Stated,
    chance_median_rho,
    detectable_eta_squared,
    elicited_parse_rate,
    noise_eta_squared,
    summarize_conditioned,
    summarize_forecasts,
    summarize_population,
)
from otherminds.metrics.trust_game.ranges import RANGES, ranges_of
from otherminds.metrics.uncertainty import Estimate, bounded, mean_over_runs, partition
from otherminds.scoring.base import Record, Totals, plain

Sends = tuple[float | None, ...]
Facts = tuple[tuple[str, Any], ...]


class Summary(NamedTuple):
    """The numbers that are reported of some records.

    estimates   by the metrics' names
    counts      by names that begin with n_
    breakdowns  by `by_<name>`, parts and their estimates
    others      further entries of the results file
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    breakdowns: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
    others: Mapping[str, Any]


class Reported(Record):
    """A record of which one `Summary` says everything."""

    __slots__ = ()

    @staticmethod
    @abstractmethod
    def summary(records: Sequence[Any]) -> Summary:
        """The numbers that are reported of some records."""

    @classmethod
    def totals(cls, records: Sequence[Any]) -> Totals:
        """The estimates and counts of the summary."""
        found = cls.summary(records)
        return Totals(found.estimates, found.counts)

    @classmethod
    def details(cls, records: Sequence[Any]) -> dict[str, Any]:
        """All of the summary; by_attribute and by_trustee have the estimates of each of these."""
        found = cls.summary(records)
        ranges = _ranges(found.others.get("setting", {}))
        return {
            "estimates": plain(found.estimates, ranges),
            "counts": dict(found.counts),
            **{
                name: {part: plain(own, ranges) for part, own in parts.items()}
                for name, parts in found.breakdowns.items()
            },
            **found.others,
        }


@dataclass(frozen=True, slots=True)
class RolePlay(Reported):
    """A role-play: the persona, its levels (attribute, level), what it sent in each run, and in which
    setting."""

    persona_id: str
    levels: tuple[tuple[str, str], ...]
    sends: Sends
    setting: Facts

    def played(self) -> Played:
        """As the metrics take it."""
        return Played(self.persona_id, dict(self.levels), self.sends)

    def single_runs(self) -> list[RolePlay]:
        """The same role-play with the send of each run."""
        return [replace(self, sends=(send,)) for send in self.sends]

    @staticmethod
    def summary(records: Sequence[RolePlay | Elicitation]) -> Summary:
        """Consistency of statements with sends, by attribute too."""
        return _population_summary(records)


@dataclass(frozen=True, slots=True)
class Elicitation(Reported):
    """The statements on one attribute under one strategy."""

    strategy: str
    stated: Stated

    def single_runs(self) -> list[Elicitation]:
        """The same attribute with the statement of each run."""
        return [replace(self, stated=one) for one in self.stated.single_runs()]

    @staticmethod
    def summary(records: Sequence[RolePlay | Elicitation]) -> Summary:
        """Consistency of statements with sends, by attribute too."""
        return _population_summary(records)


class Prior(NamedTuple):
    """The prior of one attribute that a persona was shown.

    scores    of its levels, in their natural order; None where there was no order to give
    spearman  of the order with the stated one
    """

    attribute: str
    levels: tuple[str, ...]
    scores: tuple[float, ...] | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class Conditioned(Reported):
    """A role-play by a persona who was shown the orders of some attributes' levels.

    priors         of evaluated attributes
    unconditioned  sends of the persona when shown none
    target         the Spearman correlation that the orders should have with the stated ones; None for
                   the stated ones themselves
    """

    role_play: RolePlay
    priors: tuple[Prior, ...]
    unconditioned: float | None
    target: float | None

    def single_runs(self) -> list[Conditioned]:
        """The same role-play with the send of each run."""
        return [replace(self, role_play=played) for played in self.role_play.single_runs()]

    @staticmethod
    def summary(records: Sequence[Conditioned]) -> Summary:
        """Consistency with the configured orders, by attribute too."""
        return _conditioned_summary(records)


@dataclass(frozen=True, slots=True)
class Sent(Reported):
    """A forecast, or what was sent in one round, and in which setting."""

    persona_id: str
    sends: Sends
    setting: Facts

    def single_runs(self) -> list[Sent]:
        """The same with the send of each run."""
        return [replace(self, sends=(send,)) for send in self.sends]

    @staticmethod
    def summary(records: Sequence[Sent]) -> Summary:
        """The amounts sent."""
        return _sent_summary(records)


@dataclass(frozen=True, slots=True)
class Game(Reported):
    """Six rounds of one persona with one trustee, the forecasts of them, and in which setting."""

    forecasts: tuple[Forecast, ...]
    setting: Facts

    @property
    def last(self) -> Sends:
        """The amount that each run sent in the last round."""
        return self.forecasts[-1].actual

    def single_runs(self) -> list[Game]:
        """The same game with the last round of each run."""
        rounds = [
            [
                pair._replace(forecast=(one,), actual=(sent,))
                for one, sent in zip(pair.forecast, pair.actual, strict=True)
            ]
            for pair in self.forecasts
        ]
        return [replace(self, forecasts=run) for run in zip(*rounds, strict=True)]

    @staticmethod
    def summary(records: Sequence[Game]) -> Summary:
        """Errors of the forecasts, by trustee too."""
        return _games_summary(records)


def _population_summary(records: Sequence[RolePlay | Elicitation]) -> Summary:
    played = [one.played() for one in records if isinstance(one, RolePlay)]
    asked = [one for one in records if isinstance(one, Elicitation)]
    stated = {name: [one.stated for one in asked if one.strategy == name] for name in STRATEGIES}
    if not played:
        asked_alone = {"parse_rate_elicited": elicited_parse_rate([one.stated for one in asked])}
        notes = [*_unread(stated), _NO_ROLE_PLAY]
        return Summary(asked_alone, {"n_personas": 0.0}, {}, {"notes": notes})
    found = summarize_population(played, stated)
    by_attribute: dict[str, dict[str, Estimate]] = {}
    levels: dict[str, int] = {}
    people: dict[str, int] = {}
    undefined: list[tuple[str, str]] = []
    for strategy, own in found.by_strategy.items():
        for name, one in own.by_attribute.items():
            by_attribute.setdefault(name, {})[f"rho_{strategy}"] = one.rho
            by_attribute[name][f"delta_eta2_{strategy}"] = one.delta_eta_squared
            if strategy in RANKINGS:
                by_attribute[name][f"delta_contrast_{strategy}"] = one.delta_contrast
            by_attribute[name]["eta2"] = one.simulated_eta_squared
            by_attribute[name]["omega2"] = one.simulated_omega_squared
            levels[name], people[name] = one.n_levels, one.n_personas
            undefined += _why(name, f"ρ, {strategy}", one.rho_undefined)
            undefined += _why(name, f"|Δη²|, {strategy}", one.delta_undefined)
    skipped = {
        strategy: {name: one.skipped_draws for name, one in own.by_attribute.items()}
        for strategy, own in found.by_strategy.items()
    }
    setting = _setting(one.setting for one in records if isinstance(one, RolePlay))
    others = {
        "setting": setting,
        "levels": levels,
        "detectable": _detectable(levels, people),
        "notes": [
            *_unread(stated),
            *_told_once(undefined),
            *_levels(setting, levels),
            *_noise(levels, people),
        ],
        "bootstrap": {"draws": found.draws, "skipped_draws": skipped},
    }
    return Summary(found.estimates, found.counts, {"by_attribute": by_attribute}, others)


def _conditioned_summary(records: Sequence[Conditioned]) -> Summary:
    kept = _complete(records)
    by_attribute: dict[str, list[Played]] = {}
    priors: dict[str, Prior] = {}
    for record in kept:
        for given in record.priors:
            by_attribute.setdefault(given.attribute, []).append(record.role_play.played())
            priors[given.attribute] = given
    everyone = {
        one.role_play.persona_id: one.role_play.played()._replace(sends=(one.unconditioned,))
        for one in kept
    }
    # Effect sizes are not compared here: an order has none.
    prior = [Stated(name, own.levels, (own.scores,), (None,)) for name, own in priors.items()]
    together = len(kept[0].priors) > 1
    conditioned = [one.role_play.played() for one in kept] if together else by_attribute
    found = summarize_conditioned(conditioned, list(everyone.values()), prior)
    undefined: list[tuple[str, str]] = []
    for name, one in found.gain.by_attribute.items():
        undefined += _why(name, "ρ", one.rho_undefined)
        undefined += _why(name, "ρ when told nothing", one.unconditioned_undefined)
    spearman = {name: own.spearman for name, own in priors.items()}
    others = {
        "setting": _setting(one.role_play.setting for one in records),
        "told": "all" if together else "single",
        "levels": {name: one.n_levels for name, one in found.gain.by_attribute.items()},
        "prior_spearman": spearman,
        "notes": [*_missed(records[0].target, spearman), *_told_once(undefined)],
        "bootstrap": {
            "draws": found.draws,
            "skipped_draws": {
                name: one.skipped_draws for name, one in found.gain.by_attribute.items()
            },
        },
    }
    parts = {
        name: {
            "rho": one.rho,
            "rho_unconditioned": one.rho_unconditioned,
            "rho_gain": one.rho_gain,
        }
        for name, one in found.gain.by_attribute.items()
    }
    return Summary(found.estimates, found.counts, {"by_attribute": parts}, others)


def _complete(records: Sequence[Conditioned]) -> list[Conditioned]:
    """The records of personas who were shown every attribute that any persona was shown.

    Where each is shown alone, a limit cuts off the last persona in the middle, and attributes are
    compared on the same personas.
    """
    prompts = Counter(record.role_play.persona_id for record in records)
    most = max(prompts.values())
    return [record for record in records if prompts[record.role_play.persona_id] == most]


def _sent_summary(records: Sequence[Sent]) -> Summary:
    people = partition([one.persona_id for one in records])
    amounts = np.array([one.sends for one in records], dtype=np.float64)
    estimates = {
        "send": bounded(mean_over_runs(amounts, people), 0.0, math.inf),
        "parse_rate": bounded(
            mean_over_runs(np.where(np.isnan(amounts), 0.0, 1.0), people), 0.0, 1.0
        ),
    }
    others = {"setting": _setting(one.setting for one in records)}
    return Summary(estimates, {"n_personas": float(people.count)}, {}, others)


def _games_summary(records: Sequence[Game]) -> Summary:
    forecasts = [pair for record in records for pair in record.forecasts]
    found = summarize_forecasts(forecasts)
    every = [
        Sent(one.persona_id, one.actual, record.setting)
        for record in records
        for one in record.forecasts
    ]
    estimates = {**found.estimates, "send": _sent_summary(every).estimates["send"]}
    by_trustee: dict[str, dict[str, Estimate]] = {
        name: {"mae": one} for name, one in found.errors.by_archetype.items()
    }
    setting = _setting(one.setting for one in records)
    error = _ranges(setting)["mae"]
    curves = [
        {
            "axis": "round",
            "x": number,
            "metric": f"MAE in dollars, trustee {name}",
            **{field: getattr(error.cut(one), field) for field in ("value", "low", "high", "n")},
        }
        for (name, number), one in found.errors.by_both.items()
    ]
    others = {
        "setting": setting,
        "curves": curves,
        "notes": [] if found.counts["n_pairs"] else [_NO_PAIR],
        "bootstrap": {"draws": found.draws},
    }
    return Summary(estimates, found.counts, {"by_trustee": by_trustee}, others)


def _setting(found: Iterable[Facts]) -> dict[str, Any]:
    """The one setting of all games of a task."""
    return dict(next(iter(found)))


def _ranges(setting: Mapping[str, Any]) -> Ranges:
    """The ranges of all metrics in a setting; amounts have no end where it states no endowment."""
    return ranges_of(setting["endowment"]) if "endowment" in setting else RANGES


def _detectable(
    levels: Mapping[str, int], people: Mapping[str, int]
) -> dict[str, dict[str, float]]:
    """By attribute, the η² that noise alone makes and the one that so many personas can tell from it."""
    return {
        name: {
            "noise_eta2": noise_eta_squared(count, people[name]),
            "detectable_eta2": detectable_eta_squared(count, people[name]),
        }
        for name, count in levels.items()
        if 2 <= count < people[name]
    }


def _levels(setting: Mapping[str, Any], levels: Mapping[str, int]) -> list[str]:
    """By which levels people are told apart, and how many there are: with few, ρ has few values."""
    if not levels:
        return []
    counts = ", ".join(f"{name} {count}" for name, count in levels.items())
    return [f"Levels of the set '{setting['levels']}', by attribute: {counts}."]


def _noise(levels: Mapping[str, int], people: Mapping[str, int]) -> list[str]:
    """The expected numbers if no attribute had an effect."""
    found = _detectable(levels, people)
    if not found:
        return []
    noise = [one["noise_eta2"] for one in found.values()]
    least = [one["detectable_eta2"] for one in found.values()]
    chance = chance_median_rho([levels[name] for name in found])
    return [
        f"If no attribute had an effect, η² would be {min(noise):.3f} to {max(noise):.3f} on average "
        f"with {max(people.values())} personas, and the median ρ within ±{chance:.2f} in 95 % of cases. "
        f"An effect is found in 80 % of cases from η² = {min(least):.3f} to {max(least):.3f} on, by "
        "attribute."
    ]


def _unread(stated: Mapping[str, Sequence[Stated]]) -> list[str]:
    """How much of what was stated could be read, where that is little: ρ rests on the rest."""
    read = {
        strategy: [scores is not None for one in asked for scores in one.scores]
        for strategy, asked in stated.items()
        if asked
    }
    every = [one for own in read.values() for one in own]
    if not every or sum(every) >= _MANY_READ * len(every):
        return []
    parts = ", ".join(f"{name} {sum(own)} of {len(own)}" for name, own in read.items())
    return [
        f"Of {len(every)} statements on attributes, {sum(every)} could be read ({parts}): ρ and |Δη²| "
        "say more about the format than about the model."
    ]


def _why(attribute: str, what: str, reason: str | None) -> list[tuple[str, str]]:
    return [] if reason is None else [(f"{what}: {reason}", attribute)]


def _told_once(undefined: Sequence[tuple[str, str]]) -> list[str]:
    """The undefined values and why, with all attributes that they concern."""
    found: dict[str, list[str]] = {}
    for what, attribute in undefined:
        found.setdefault(what, []).append(attribute)
    return [f"Not defined for {', '.join(names)}: {what}." for what, names in found.items()]


def _missed(target: float | None, spearman: Mapping[str, float | None]) -> list[str]:
    """Where no ranking has the ρ that was wanted: with few levels, there are few values."""
    if target is None:
        return []
    far = [
        f"{name} {value:.2f}"
        for name, value in spearman.items()
        if value is not None and abs(value - target) > _CLOSE
    ]
    if not far:
        return []
    return [
        f"No ranking of these attributes' levels has a ρ of {target} with the elicited one; they were "
        f"told the closest there is: {', '.join(far)}."
    ]


# Of all statements; below, the run says so, as it does of role-plays.
_MANY_READ = 0.9

# A ρ of 0.79 is 0.8 for all that personas can make of it.
_CLOSE = 0.05

_NO_PAIR = "There is no error to measure: no round has both a forecast and a send that can be read."
_NO_ROLE_PLAY = (
    "No role-play was run: consistency needs them. Leave --limit out, or raise it above the number of "
    "elicitations."
)
