"""The trust game inside lm-eval.

`process_results` is `population` for the role-plays and elicitations of the population level,
`conditioned` for role-plays by personas who are given orders, `sends` for a forecast or one round of
the game, and `rounds` for the last round, where all six are scored against their forecasts. Every other
name that a task YAML uses is an aggregation: a metric, a count (`n_…`), or `<metric>_stderr`, which
lm-eval prints as the metric's ±.

An answer that cannot be read is left out of every mean and ρ, and counted in a parse rate. Where ρ or η²
is not defined (all sends are equal, say), the notes of the results say so and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds.dataset_builders.trust_game.game import ARCHETYPES, ROUNDS
from otherminds.metrics.trust_game import (
    RANKINGS,
    STRATEGIES,
    Dollars,
    Forecast,
    Ranking,
    Stated,
    parse_dollars,
)
from otherminds.scoring.base import (
    Aggregation,
    ItemScores,
    aggregation,
    item_scores,
    numbers,
    with_errors,
)
from otherminds.tasks.trust_game.population import stated_ranking
from otherminds.tasks.trust_game.setting import setting_in
from otherminds.tasks.trust_game.summaries import (
    SUMMARIES,
    Conditioned,
    Elicitation,
    Facts,
    Game,
    Prior,
    RolePlay,
    Sends,
    Sent,
)

Doc = Mapping[str, Any]
Results = Sequence[Sequence[str | None]]


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
            read = [stated_ranking(doc, text) for text in results[0]]
    stated = Stated(
        attribute=doc["attribute"],
        levels=levels,
        scores=tuple(None if one is None else one.scores for one in read),
        eta_squared=tuple(None if one is None else one.eta_squared for one in read),
        contrast=tuple(None if one is None else one.contrast_eta_squared for one in read),
    )
    return item_scores(
        Elicitation(doc["kind"], stated),
        {"parse_rate_elicited": _read(stated.scores)},
        _POPULATION,
    )


def conditioned(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score the answers (one per run) of a persona who was given orders."""
    played = _role_play(doc, results)
    evaluated = {entry["attribute"] for entry in doc["levels"]}
    record = Conditioned(
        role_play=played,
        priors=tuple(_prior(one) for one in doc["priors"] if one["attribute"] in evaluated),
        unconditioned=doc["unconditioned"],
        target=doc["target_spearman"],
    )
    own = {"send": list(played.sends), "parse_rate": _read(played.sends)}
    return item_scores(record, own, _CONDITIONED)


def sends(doc: Doc, results: Results) -> dict[str, ItemScores]:
    """Score a forecast, or the answers (one per run) of one round."""
    record = Sent(doc["persona_id"], _sends(doc, results), _facts(doc))
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
        ),
        _facts(doc),
    )
    own = {"send": list(last), "parse_rate": _read(last)}
    return item_scores(record, own, _GAMES)


def _role_play(doc: Doc, results: Results) -> RolePlay:
    levels = tuple((entry["attribute"], entry["level"]) for entry in doc["levels"])
    return RolePlay(doc["persona_id"], levels, _sends(doc, results), _facts(doc))


def _prior(given: Mapping[str, Any]) -> Prior:
    levels, order = tuple(given["levels"]), given["order"]
    # The first of an order is the highest.
    scores = None if order is None else tuple(float(-order.index(level)) for level in levels)
    return Prior(given["attribute"], levels, scores, given["spearman"])


def _facts(doc: Doc) -> Facts:
    """What a table says of the setting, so that numbers of different ones are not compared."""
    given = (("prior", doc["prior"]),) if "prior" in doc else ()
    return (("levels", doc["level_set"]), *setting_in(doc).fields.items(), *given)


def _sends(doc: Doc, results: Results) -> Sends:
    setting = setting_in(doc)
    return tuple(setting.send(text) for text in results[0])


def _read(values: Sequence[Any]) -> list[float | None]:
    return [float(value is not None) for value in values]


_POPULATION = (
    *with_errors(f"rho_{name}" for name in STRATEGIES),
    *with_errors(f"delta_eta2_{name}" for name in STRATEGIES),
    *with_errors(f"rho_mean_{name}" for name in STRATEGIES),
    *with_errors(f"mae_eta2_{name}" for name in STRATEGIES),
    *with_errors(f"mae_contrast_{name}" for name in RANKINGS),
    *with_errors(("send", "parse_rate", "parse_rate_elicited")),
    *(f"n_attributes_{name}" for name in STRATEGIES),
    "n_personas",
)
_CONDITIONED = (
    *with_errors(("rho", "rho_mean", "rho_unconditioned", "rho_gain", "send", "parse_rate")),
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


def _numbers(records: tuple[Any, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use; NaN for what was not measured."""
    summary = SUMMARIES[type(records[0])](records)
    return numbers(summary.estimates, summary.counts, _NAMES)


_NAMES = frozenset({*_POPULATION, *_CONDITIONED, *_SENT, *_GAMES})


def __getattr__(name: str) -> Aggregation:
    if name in _NAMES:
        return aggregation(_numbers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
