"""The trust game inside lm-eval.

`process_results` is `population` for the role-plays and elicitations of the population level,
`conditioned` for role-plays by personas who are told a ranking, `sends` for a forecast or one round of
the game, and `rounds` for the last round, where all six are scored against their forecasts. Every other
name that a task YAML uses is an aggregation: a metric, a count (`n_…`), or `<metric>_stderr`, which
lm-eval prints as the metric's ±.

An answer that cannot be read is left out of every mean and ρ, and counted in a parse rate. Where ρ or η²
is not defined (all sends are equal, say), the notes of the results say so and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from otherminds.dataset_builders.trust.game import ARCHETYPES, ROUNDS
from otherminds.metrics.clusters import partition
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.trust import (
    STRATEGIES,
    Dollars,
    Forecast,
    Played,
    Ranking,
    Stated,
    elicited_parse_rate,
    parse_dollars,
    parse_ranking,
    parse_send,
    summarize_conditioned,
    summarize_forecasts,
    summarize_population,
)
from otherminds.metrics.trust.run_means import mean_over_runs
from otherminds.scoring.base import (
    Aggregation,
    ItemScores,
    aggregation,
    item_scores,
    numbers,
    plain,
    with_errors,
)

Doc = Mapping[str, Any]
Results = Sequence[Sequence[str | None]]
Sends = tuple[float | None, ...]


class Summary(NamedTuple):
    """What is reported of some records.

    estimates   by the metrics' names
    counts      by names that begin with n_
    breakdowns  by `by_<name>`, parts and their estimates
    others      further entries of the results file
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    breakdowns: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
    others: Mapping[str, Any]


class RolePlay(NamedTuple):
    """A role-play: the persona, its levels (attribute, level), and what it sent in each run."""

    persona_id: str
    levels: tuple[tuple[str, str], ...]
    sends: Sends

    def played(self) -> Played:
        """As the metrics take it."""
        return Played(self.persona_id, dict(self.levels), self.sends)

    def single_runs(self) -> list[RolePlay]:
        """The same role-play with the send of each run."""
        return [self._replace(sends=(send,)) for send in self.sends]

    @staticmethod
    def details(records: Sequence[RolePlay | Elicitation]) -> dict[str, Any]:
        """All estimates with intervals and n; by_attribute has those of each attribute."""
        return _details(_population_summary(records))


class Elicitation(NamedTuple):
    """What was stated of one attribute under one strategy."""

    strategy: str
    stated: Stated

    def single_runs(self) -> list[Elicitation]:
        """The same attribute with the statement of each run."""
        runs = zip(self.stated.scores, self.stated.eta_squared, strict=True)
        each = [self.stated._replace(scores=(one,), eta_squared=(eta,)) for one, eta in runs]
        return [self._replace(stated=stated) for stated in each]

    @staticmethod
    def details(records: Sequence[RolePlay | Elicitation]) -> dict[str, Any]:
        """All estimates with intervals and n; by_attribute has those of each attribute."""
        return _details(_population_summary(records))


class Conditioned(NamedTuple):
    """A role-play by a persona who was told a ranking of an attribute's levels.

    prior          scores of the levels in that ranking; None where there was none to tell
    unconditioned  what the persona sent when it was told nothing
    spearman       of the ranking with the elicited one
    target         what that should have been; None for the elicited one itself
    """

    attribute: str
    attribute_levels: tuple[str, ...]
    role_play: RolePlay
    prior: tuple[float, ...] | None
    unconditioned: float | None
    spearman: float | None
    target: float | None

    def single_runs(self) -> list[Conditioned]:
        """The same role-play with the send of each run."""
        return [self._replace(role_play=played) for played in self.role_play.single_runs()]

    @staticmethod
    def details(records: Sequence[Conditioned]) -> dict[str, Any]:
        """All estimates with intervals and n; by_attribute has those of each attribute."""
        return _details(_conditioned_summary(records))


class Sent(NamedTuple):
    """A forecast, or what was sent in one round."""

    persona_id: str
    sends: Sends

    def single_runs(self) -> list[Sent]:
        """The same with the send of each run."""
        return [self._replace(sends=(send,)) for send in self.sends]

    @staticmethod
    def details(records: Sequence[Sent]) -> dict[str, Any]:
        """All estimates with intervals and n."""
        return _details(_sent_summary(records))


class Game(NamedTuple):
    """Six rounds of one persona with one trustee, and the forecasts of them."""

    forecasts: tuple[Forecast, ...]

    def single_runs(self) -> list[Game]:
        """The same game with the last round of each run."""
        rounds = [
            [told._replace(forecast=(one,), actual=(sent,)) for one, sent in _pairs(told)]
            for told in self.forecasts
        ]
        return [Game(run) for run in zip(*rounds, strict=True)]

    @staticmethod
    def details(records: Sequence[Game]) -> dict[str, Any]:
        """All estimates with intervals and n; by_trustee has those of each trustee."""
        return _details(_games_summary(records))


def population(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score the answers (one per run) to a role-play or an elicitation."""
    levels = tuple(doc["attribute_levels"])
    read: Sequence[Ranking | Dollars | None]
    match doc["kind"]:
        case "role_play":
            played = _role_play(doc, results)
            own = {"send": list(played.sends), "parse_rate": _read(played.sends)}
            return item_scores(played, own, _POPULATION)
        case "dollars":
            read = [parse_dollars(text, levels, doc["endowment"]) for text in results[0]]
        case _:
            read = [parse_ranking(text, levels) for text in results[0]]
    stated = Stated(
        attribute=doc["attribute"],
        levels=levels,
        scores=tuple(None if one is None else one.scores for one in read),
        eta_squared=tuple(None if one is None else one.eta_squared for one in read),
    )
    return item_scores(
        Elicitation(doc["kind"], stated),
        {"parse_rate_elicited": _read(stated.scores)},
        _POPULATION,
    )


def conditioned(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score the answers (one per run) of a persona who was told a ranking."""
    played = _role_play(doc, results)
    levels, prior = tuple(doc["attribute_levels"]), doc["prior"]
    record = Conditioned(
        attribute=doc["attribute"],
        attribute_levels=levels,
        role_play=played,
        prior=None if prior is None else tuple(float(prior.index(level)) for level in levels),
        unconditioned=doc["unconditioned"],
        spearman=doc["spearman"],
        target=doc["target_spearman"],
    )
    own = {"send": list(played.sends), "parse_rate": _read(played.sends)}
    return item_scores(record, own, _CONDITIONED)


def sends(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score a forecast, or the answers (one per run) of one round."""
    record = Sent(doc["persona_id"], _sends(doc, results))
    own = {"send": list(record.sends), "parse_rate": _read(record.sends)}
    return item_scores(record, own, _SENT)


def rounds(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score the answers (one per run) of the last round, with the rounds before and the forecasts."""
    last = _sends(doc, results)
    # The rounds before, and the forecasts, were answered once: all runs of the last round share them.
    sent = [(played["sent"],) * len(last) for played in doc["history"]] + [last]
    stated = [(amount,) * len(last) for amount in doc["forecasts"]]
    pairs = enumerate(zip(stated, sent, strict=True), start=1)
    record = Game(
        tuple(
            Forecast(doc["persona_id"], doc["archetype"], number, told, actual)
            for number, (told, actual) in pairs
        )
    )
    own = {"send": list(last), "parse_rate": _read(last)}
    return item_scores(record, own, _GAMES)


def _role_play(doc: Doc, results: Results) -> RolePlay:
    levels = tuple((entry["attribute"], entry["level"]) for entry in doc["levels"])
    return RolePlay(doc["persona_id"], levels, _sends(doc, results))


def _sends(doc: Doc, results: Results) -> Sends:
    return tuple(parse_send(text, doc["endowment"]) for text in results[0])


def _pairs(told: Forecast) -> Iterator[tuple[float | None, float | None]]:
    return zip(told.forecast, told.actual, strict=True)


def _read(values: Sequence[Any]) -> list[float | None]:
    return [float(value is not None) for value in values]


def _population_summary(records: Sequence[RolePlay | Elicitation]) -> Summary:
    played = [one.played() for one in records if isinstance(one, RolePlay)]
    asked = [one for one in records if isinstance(one, Elicitation)]
    stated = {name: [one.stated for one in asked if one.strategy == name] for name in STRATEGIES}
    if not played:
        asked_alone = {"parse_rate_elicited": elicited_parse_rate([one.stated for one in asked])}
        return Summary(asked_alone, {"n_personas": 0.0}, {}, {"notes": [_NO_ROLE_PLAY]})
    found = summarize_population(played, stated)
    by_attribute: dict[str, dict[str, Estimate]] = {}
    levels: dict[str, int] = {}
    undefined: list[tuple[str, str]] = []
    for strategy, own in found.by_strategy.items():
        for name, one in own.by_attribute.items():
            by_attribute.setdefault(name, {})[f"rho_{strategy}"] = one.rho
            by_attribute[name][f"delta_eta2_{strategy}"] = one.delta_eta_squared
            by_attribute[name]["eta2"] = one.simulated_eta_squared
            levels[name] = one.n_levels
            undefined += _why(name, f"ρ, {strategy}", one.rho_undefined)
            undefined += _why(name, f"|Δη²|, {strategy}", one.delta_undefined)
    skipped = {
        strategy: {name: one.skipped_draws for name, one in own.by_attribute.items()}
        for strategy, own in found.by_strategy.items()
    }
    others = {
        "levels": levels,
        "notes": _told_once(undefined),
        "bootstrap": {"draws": found.draws, "skipped_draws": skipped},
    }
    return Summary(found.estimates, found.counts, {"by_attribute": by_attribute}, others)


def _conditioned_summary(records: Sequence[Conditioned]) -> Summary:
    by_attribute: dict[str, list[Conditioned]] = {}
    for record in _complete(records):
        by_attribute.setdefault(record.attribute, []).append(record)
    told = {name: [one.role_play.played() for one in own] for name, own in by_attribute.items()}
    everyone = {
        one.role_play.persona_id: one.role_play.played()._replace(sends=(one.unconditioned,))
        for own in by_attribute.values()
        for one in own
    }
    prior = [
        # Effect sizes are not compared here: a ranking has none.
        Stated(name, own[0].attribute_levels, (own[0].prior,), (None,))
        for name, own in by_attribute.items()
    ]
    found = summarize_conditioned(told, list(everyone.values()), prior)
    undefined: list[tuple[str, str]] = []
    for name, one in found.gain.by_attribute.items():
        undefined += _why(name, "ρ", one.rho_undefined)
        undefined += _why(name, "ρ when told nothing", one.unconditioned_undefined)
    spearman = {name: own[0].spearman for name, own in by_attribute.items()}
    others = {
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
    """The records of personas who were told of every attribute that anybody was told of.

    A limit cuts off the last persona in the middle, and attributes are compared on the same personas.
    """
    told = Counter(record.role_play.persona_id for record in records)
    most = max(told.values())
    return [record for record in records if told[record.role_play.persona_id] == most]


def _sent_summary(records: Sequence[Sent]) -> Summary:
    people = partition([one.persona_id for one in records])
    amounts = np.array([one.sends for one in records], dtype=np.float64)
    estimates = {
        "send": mean_over_runs(amounts, people),
        "parse_rate": mean_over_runs(np.where(np.isnan(amounts), 0.0, 1.0), people),
    }
    return Summary(estimates, {"n_personas": float(people.count)}, {}, {})


def _games_summary(records: Sequence[Game]) -> Summary:
    forecasts = [pair for record in records for pair in record.forecasts]
    found = summarize_forecasts(forecasts)
    every = [Sent(one.persona_id, one.actual) for one in forecasts]
    estimates = {**found.estimates, "send": _sent_summary(every).estimates["send"]}
    by_trustee: dict[str, dict[str, Estimate]] = {
        name: {"mae": one} for name, one in found.errors.by_archetype.items()
    }
    curves = [
        {
            "axis": "round",
            "x": number,
            "metric": f"MAE in dollars, trustee {name}",
            **{field: getattr(one, field) for field in ("value", "low", "high", "n")},
        }
        for (name, number), one in found.errors.by_both.items()
    ]
    others = {
        "curves": curves,
        "notes": [] if found.counts["n_pairs"] else [_NO_PAIR],
        "bootstrap": {"draws": found.draws},
    }
    return Summary(estimates, found.counts, {"by_trustee": by_trustee}, others)


def _why(attribute: str, what: str, reason: str | None) -> list[tuple[str, str]]:
    return [] if reason is None else [(f"{what}: {reason}", attribute)]


def _told_once(undefined: Sequence[tuple[str, str]]) -> list[str]:
    """What is not defined and why, with all attributes that this is said of."""
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


def _details(summary: Summary) -> dict[str, Any]:
    return {
        "estimates": plain(summary.estimates),
        "counts": dict(summary.counts),
        **{
            name: {part: plain(found) for part, found in parts.items()}
            for name, parts in summary.breakdowns.items()
        },
        **summary.others,
    }


_POPULATION = (
    *with_errors(f"rho_{name}" for name in STRATEGIES),
    *with_errors(f"delta_eta2_{name}" for name in STRATEGIES),
    *with_errors(("send", "parse_rate", "parse_rate_elicited")),
    *(f"n_attributes_{name}" for name in STRATEGIES),
    "n_personas",
)
_CONDITIONED = (
    *with_errors(("rho", "rho_unconditioned", "rho_gain", "send", "parse_rate")),
    *("n_attributes", "n_without_prior", "n_personas"),
)
_SENT = (*with_errors(("send", "parse_rate")), "n_personas")
_GAMES = (
    *with_errors(("mae", "mae_slope")),
    *with_errors(f"mae_{one.name}" for one in ARCHETYPES),
    *with_errors(f"mae_round{number}" for number in range(1, ROUNDS + 1)),
    *with_errors(("send", "parse_rate", "parse_rate_forecast")),
    *("n_pairs", "n_personas"),
)
# A ρ of 0.79 is 0.8 for all that personas can make of it.
_CLOSE = 0.05

_NO_PAIR = "There is no error to measure: no round has both a forecast and a send that can be read."
_NO_ROLE_PLAY = (
    "No role-play was run: consistency needs them. Leave --limit out, or raise it above the number of "
    "elicitations."
)

_SUMMARIES: Mapping[type, Callable[[Sequence[Any]], Summary]] = {
    RolePlay: _population_summary,
    Elicitation: _population_summary,
    Conditioned: _conditioned_summary,
    Sent: _sent_summary,
    Game: _games_summary,
}


def _numbers(records: tuple[Any, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use; NaN for what was not measured."""
    summary = _SUMMARIES[type(records[0])](records)
    return numbers(summary.estimates, summary.counts, _NAMES)


_NAMES = frozenset({*_POPULATION, *_CONDITIONED, *_SENT, *_GAMES})


def __getattr__(name: str) -> Aggregation:
    if name in _NAMES:
        return aggregation(_numbers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
