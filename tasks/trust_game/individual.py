"""The individual level: the sends of a persona, round after round, and forecasts of them.

`rounds` plays: the task of each round is made from the answers to the rounds before, so that a persona
sees what it sent and what came back. Both balances begin anew in each round. `forecasts` asks, for each
persona, trustee and round, what the persona will send: from a summary of the rounds before as they were
played, knowing what the trustee is like (the paper's form), or before the first round, from what the
trustee does alone.

A round whose answer could not be read was not played: nothing was sent, and the next prompt says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import prompts
from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.trust_game.game import (
    ARCHETYPES,
    ENDOWMENT,
    ROUNDS,
    archetype,
    payoffs,
    returned,
)
from otherminds.errors import OtherMindsError
from otherminds.running.stages import Samples, answers, reached, unreached
from otherminds.tasks.trust_game.personas import PERSONA, SAMPLE, Persona, load_personas
from otherminds.tasks.trust_game.setting import SETTING, Setting, setting_in, setting_of

_PROMPT = "trust_game__round"

FORECAST_FORMS = ("summary", "rule")
"""What a forecast is made from: a summary of the rounds before (the paper's form), or no more than what
the trustee does."""

_TRUSTEE = (("archetype", pa.string()), ("round", pa.int32()), *SETTING)
_ROUND = pa.struct(
    [
        ("round", pa.int32()),
        ("sent", pa.float64()),
        ("returned", pa.float64()),
        ("earned", pa.float64()),
    ]
)
_FORECAST_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        *PERSONA,
        *_TRUSTEE,
        ("rounds", pa.int32()),
        ("history", pa.list_(_ROUND)),
        ("dollars_returned", pa.int32()),
        ("forecast_form", pa.string()),
    ]
)
_ROUND_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        *PERSONA,
        *_TRUSTEE,
        ("rounds", pa.int32()),
        ("history", pa.list_(_ROUND)),
        ("forecasts", pa.list_(pa.float64())),
    ]
)

Doc = dict[str, Any]


def forecasts(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    forecast_form: str = FORECAST_FORMS[0],
    endowment: float = ENDOWMENT,
    fractions: bool = False,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of `trust_game_forecast`: one per persona, trustee and round.

    stages         the tasks of the rounds before the last, from the metadata of the YAML
    samples        their sample files, from `--metadata`; not read for the form "rule"
    forecast_form  one of FORECAST_FORMS

    `stage_limit` is that of the last round, which has a document per persona and trustee.
    Raises OtherMindsError for samples of other personas or another setting, and for missing ones.
    """
    games = _games(load_personas(personas, whole=SAMPLE, **wanted), stage_limit)
    setting = setting_of(endowment, fractions)
    _check_form(forecast_form)
    played = []
    if forecast_form == "summary":
        played = _played(games, setting, stages[: ROUNDS - 1], samples)
    docs = _forecast_docs(games, setting, played)
    return {data.SPLIT: dataset_of(docs, _FORECAST_SCHEMA)}


def rounds(
    *,
    round: int,
    stages: Sequence[str] = (),
    samples: Samples = None,
    forecast_form: str = FORECAST_FORMS[0],
    endowment: float = ENDOWMENT,
    fractions: bool = False,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of one round: one per persona and trustee, with the rounds before.

    round    from 1 to ROUNDS, from the YAML
    stages   the tasks of the rounds before, from its metadata; after them, for the last round, the
             forecasts
    samples  their sample files, from `--metadata`

    Raises OtherMindsError for samples of other personas or another setting, and for missing ones.
    """
    everyone = load_personas(personas, whole=SAMPLE, **wanted)
    setting = setting_of(endowment, fractions)
    _check_form(forecast_form)
    games = _games(everyone, stage_limit)
    played = _played(games, setting, stages[: round - 1], samples)
    docs = played[-1]
    if round == ROUNDS:
        shown = played if forecast_form == "summary" else []
        docs = _with_forecasts(docs, _forecast_docs(games, setting, shown), stages[-1], samples)
        docs += [
            _round_doc(persona, trustee, ROUNDS, [], setting)
            for persona, trustee in _games(everyone, None)[len(games) :]
        ]
    return {data.SPLIT: dataset_of(docs, _ROUND_SCHEMA)}


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of a round; raises OtherMindsError for a document past the limit of earlier rounds."""
    if len(doc["history"]) < doc["round"] - 1:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


def _check_form(form: str) -> None:
    if form not in FORECAST_FORMS:
        raise OtherMindsError(
            f"forecast_form is {form!r}: give {' or '.join(FORECAST_FORMS)} in --metadata."
        )


def _games(everyone: Sequence[Persona], stage_limit: float | None) -> list[tuple[Persona, str]]:
    games = [(persona, trustee.name) for persona in everyone for trustee in ARCHETYPES]
    return games[: reached(stage_limit, len(games))]


def _played(
    games: Sequence[tuple[Persona, str]],
    setting: Setting,
    stages: Sequence[str],
    samples: Samples,
) -> list[list[Doc]]:
    """The documents of each round from the first to the one after `stages`."""
    docs = [_round_doc(persona, trustee, 1, [], setting) for persona, trustee in games]
    played = [docs]
    for stage in stages:
        sent = [setting.send(text) for text in answers(docs, stage=stage, samples=samples)]
        docs = [_next(doc, amount) for doc, amount in zip(docs, sent, strict=True)]
        played.append(docs)
    return played


def _forecast_docs(
    games: Sequence[tuple[Persona, str]], setting: Setting, played: Sequence[Sequence[Doc]]
) -> list[Doc]:
    """The forecasts, game by game, from the documents of each round, or from none of them."""
    return [
        {
            "item_id": f"{persona['persona_id']}-{trustee}-round{number}",
            **persona,
            "archetype": trustee,
            "round": number,
            **setting.fields,
            "rounds": ROUNDS,
            "history": played[number - 1][place]["history"] if played else [],
            "dollars_returned": archetype(trustee).dollars,
            "forecast_form": FORECAST_FORMS[0] if played else FORECAST_FORMS[1],
        }
        for place, (persona, trustee) in enumerate(games)
        for number in range(1, ROUNDS + 1)
    ]


def _round_doc(
    persona: Persona, trustee: str, number: int, history: list[Doc], setting: Setting
) -> Doc:
    return {
        "item_id": f"{persona['persona_id']}-{trustee}",
        **persona,
        "archetype": trustee,
        "round": number,
        **setting.fields,
        "rounds": ROUNDS,
        "history": history,
        "forecasts": [],
    }


def _next(doc: Doc, sent: float | None) -> Doc:
    """The document of the round after `doc`, in which `sent` was sent."""
    back = returned(sent or 0.0, archetype(doc["archetype"]))
    earned, _ = payoffs(sent or 0.0, back, doc["endowment"])
    played = {"round": doc["round"], "sent": sent, "returned": back, "earned": earned}
    return {**doc, "round": doc["round"] + 1, "history": [*doc["history"], played]}


def _with_forecasts(
    docs: Sequence[Doc], asked: Sequence[Doc], stage: str, samples: Samples
) -> list[Doc]:
    """The documents of the last round with the six forecasts of each game."""
    texts = answers(asked, stage=stage, samples=samples)
    stated = [setting_in(doc).send(text) for doc, text in zip(asked, texts, strict=True)]
    return [
        {**doc, "forecasts": stated[start : start + ROUNDS]}
        for doc, start in zip(docs, range(0, len(stated), ROUNDS), strict=True)
    ]
