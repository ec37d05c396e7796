"""The trust game inside lm-eval.

`process_results` is `population` for the role-plays and elicitations of the population level,
`conditioned` for role-plays by personas with configured orders, `sends` for a forecast or one round of
the game, and `rounds` for the last round, where all six are scored against their forecasts.

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
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.tasks.trust_game.population import stated_ranking
from otherminds.tasks.trust_game.setting import setting_in
from otherminds.tasks.trust_game.summaries import (
    Conditioned,
    Elicitation,
    Facts,
    Game,
    Prior,
    RolePlay,
    Sends,
    Sent,
)
from otherminds.types import Doc


def _read_population(doc: Doc, texts: Texts) -> RolePlay | Elicitation:
    levels = tuple(doc["attribute_levels"])
    read: Sequence[Ranking | Dollars | None]
    match doc["kind"]:
        case "role_play":
            return _role_play(doc, texts)
        case "dollars":
            read = [parse_dollars(text, levels, doc["endowment"]) for text in texts]
        case _:
            read = [stated_ranking(doc, text) for text in texts]
    stated = Stated(
        attribute=doc["attribute"],
        levels=levels,
        scores=tuple(None if one is None else one.scores for one in read),
        eta_squared=tuple(None if one is None else one.eta_squared for one in read),
        contrast=tuple(None if one is None else one.contrast_eta_squared for one in read),
    )
    return Elicitation(doc["kind"], stated)


def _read_conditioned(doc: Doc, texts: Texts) -> Conditioned:
    evaluated = {entry["attribute"] for entry in doc["levels"]}
    return Conditioned(
        role_play=_role_play(doc, texts),
        priors=tuple(_prior(one) for one in doc["priors"] if one["attribute"] in evaluated),
        unconditioned=doc["unconditioned"],
        target=doc["target_spearman"],
    )


def _read_sends(doc: Doc, texts: Texts) -> Sent:
    return Sent(doc["persona_id"], _sends(doc, texts), _facts(doc))


def _read_rounds(doc: Doc, texts: Texts) -> Game:
    last = _sends(doc, texts)
    # The rounds before, and the forecasts, were answered once: all runs of the last round share them.
    sent = [(played["sent"],) * len(last) for played in doc["history"]] + [last]
    stated = [(amount,) * len(last) for amount in doc["forecasts"]]
    pairs = enumerate(zip(stated, sent, strict=True), start=1)
    return Game(
        tuple(
            Forecast(doc["persona_id"], doc["archetype"], number, forecast, actual)
            for number, (forecast, actual) in pairs
        ),
        _facts(doc),
    )


def _population_scores(record: RolePlay | Elicitation) -> Scores:
    if isinstance(record, Elicitation):
        return {"parse_rate_elicited": _is_read(record.stated.scores)}
    return _send_scores(record.sends)


def _send_scores(sends: Sends) -> Scores:
    return {"send": sends, "parse_rate": _is_read(sends)}


def _role_play(doc: Doc, texts: Texts) -> RolePlay:
    levels = tuple((entry["attribute"], entry["level"]) for entry in doc["levels"])
    return RolePlay(doc["persona_id"], levels, _sends(doc, texts), _facts(doc))


def _prior(given: Mapping[str, Any]) -> Prior:
    levels, order = tuple(given["levels"]), given["order"]
    # The first of an order is the highest.
    scores = None if order is None else tuple(float(-order.index(level)) for level in levels)
    return Prior(given["attribute"], levels, scores, given["spearman"])


def _facts(doc: Doc) -> Facts:
    """The setting as tables state it, so that numbers of different ones are not compared."""
    given = (("prior", doc["prior"]),) if "prior" in doc else ()
    return (("levels", doc["level_set"]), *setting_in(doc).fields.items(), *given)


def _sends(doc: Doc, texts: Texts) -> Sends:
    setting = setting_in(doc)
    return tuple(setting.send(text) for text in texts)


def _is_read(values: Sequence[Any]) -> list[float | None]:
    return [float(value is not None) for value in values]


_POPULATION = {
    **{f"rho_{name}": True for name in STRATEGIES},
    **{f"rho_mean_{name}": True for name in STRATEGIES},
    **{f"delta_eta2_{name}": False for name in STRATEGIES},
    **{f"mae_eta2_{name}": False for name in STRATEGIES},
    **{f"mae_contrast_{name}": False for name in RANKINGS},
    **{"send": None, "parse_rate": True, "parse_rate_elicited": True},
}
_CONDITIONED = {
    **{"rho": True, "rho_mean": True, "rho_unconditioned": None, "rho_gain": True},
    **{"send": None, "parse_rate": True},
}
_GAMES = {
    **{"mae": False, "mae_slope": None},
    **{f"mae_{one.name}": False for one in ARCHETYPES},
    **{f"mae_round{number}": False for number in range(1, ROUNDS + 1)},
    **{"send": None, "parse_rate": True, "parse_rate_forecast": True},
}

population = Scorer(
    metrics=_POPULATION,
    counts=(*(f"n_attributes_{name}" for name in STRATEGIES), "n_personas"),
    read=_read_population,
    scores=_population_scores,
).text

conditioned = Scorer(
    metrics=_CONDITIONED,
    counts=("n_attributes", "n_without_prior", "n_personas"),
    read=_read_conditioned,
    scores=lambda record: _send_scores(record.role_play.sends),
).text

sends = Scorer(
    metrics={"send": None, "parse_rate": True},
    counts=("n_personas",),
    read=_read_sends,
    scores=lambda record: _send_scores(record.sends),
).text

rounds = Scorer(
    metrics=_GAMES,
    counts=("n_pairs", "n_personas"),
    read=_read_rounds,
    scores=lambda record: _send_scores(record.last),
).text
