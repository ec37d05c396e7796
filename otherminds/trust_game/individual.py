"""The individual level: what will a persona send, round after round, and what does it send?

`forecasts` asks, for each persona, trustee and round, what the persona will send. `rounds` plays: the
task of each round is made from the answers to the rounds before, so that a persona sees what it sent
and what came back. Both balances begin anew in each round.

A round whose answer could not be read was not played: nothing was sent, and the persona is told so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import data, prompts
from otherminds.dataset_builders.trust.game import (
    ARCHETYPES,
    ENDOWMENT,
    ROUNDS,
    archetype,
    payoffs,
    returned,
)
from otherminds.documents import dataset_of
from otherminds.metrics.trust.send import parse_send
from otherminds.stages import Samples, answers, reached, unreached
from otherminds.trust_game.personas import (
    PERSONA,
    SAMPLE,
    Persona,
    endowment_of,
    load_personas,
)

_PROMPT = "trust_game__round"

_TRUSTEE = (("archetype", pa.string()), ("round", pa.int32()), ("endowment", pa.float64()))
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
        ("dollars_returned", pa.int32()),
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
    endowment: float = ENDOWMENT,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of `trust_game_forecast`: one per persona, trustee and round.

    `stage_limit` is that of the last round, which has a document per persona and trustee.
    """
    games = _games(load_personas(personas, **wanted), stage_limit)
    docs = _forecast_docs(games, endowment_of(endowment))
    return {data.SPLIT: dataset_of(docs, _FORECAST_SCHEMA)}


def rounds(
    *,
    round: int,
    stages: Sequence[str] = (),
    samples: Samples = None,
    endowment: float = ENDOWMENT,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of one round: one per persona and trustee, with the rounds before.

    round    from 1 to ROUNDS, from the YAML
    stages   the tasks of the rounds before, from its metadata; before the last round, the forecasts too
    samples  their sample files, from `--metadata`

    Raises OtherMindsError for samples of other personas or another endowment, and for missing ones.
    """
    everyone = load_personas(personas, **wanted)
    dollars = endowment_of(endowment)
    games = _games(everyone, stage_limit)
    docs = [_round_doc(persona, trustee, 1, [], dollars) for persona, trustee in games]
    earlier = stages[len(stages) - (round - 1) :]
    for stage in earlier:
        sent = [parse_send(text, dollars) for text in answers(docs, stage=stage, samples=samples)]
        docs = [_next(doc, amount) for doc, amount in zip(docs, sent, strict=True)]
    if round == ROUNDS:
        docs = _with_forecasts(docs, games, stages[0], samples)
        docs += [
            _unreached(persona, trustee, dollars)
            for persona, trustee in _games(everyone, None)[len(games) :]
        ]
    return {data.SPLIT: dataset_of(docs, _ROUND_SCHEMA)}


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of a round; raises OtherMindsError for a document past the limit of earlier rounds."""
    if len(doc["history"]) < doc["round"] - 1:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


def _games(everyone: Sequence[Persona], stage_limit: float | None) -> list[tuple[Persona, str]]:
    games = [(persona, trustee.name) for persona in everyone for trustee in ARCHETYPES]
    return games[: reached(stage_limit, len(games))]


def _forecast_docs(games: Sequence[tuple[Persona, str]], endowment: float) -> list[Doc]:
    return [
        {
            "item_id": f"{persona['persona_id']}-{trustee}-round{number}",
            **persona,
            "archetype": trustee,
            "round": number,
            "endowment": endowment,
            "rounds": ROUNDS,
            "dollars_returned": archetype(trustee).dollars,
        }
        for persona, trustee in games
        for number in range(1, ROUNDS + 1)
    ]


def _round_doc(
    persona: Persona, trustee: str, number: int, history: list[Doc], endowment: float
) -> Doc:
    return {
        "item_id": f"{persona['persona_id']}-{trustee}",
        **persona,
        "archetype": trustee,
        "round": number,
        "endowment": endowment,
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


def _unreached(persona: Persona, trustee: str, endowment: float) -> Doc:
    return _round_doc(persona, trustee, ROUNDS, [], endowment)


def _with_forecasts(
    docs: Sequence[Doc],
    games: Sequence[tuple[Persona, str]],
    stage: str,
    samples: Samples,
) -> list[Doc]:
    if not docs:
        return []
    dollars = docs[0]["endowment"]
    texts = answers(_forecast_docs(games, dollars), stage=stage, samples=samples)
    stated = [parse_send(text, dollars) for text in texts]
    return [
        {**doc, "forecasts": stated[start : start + ROUNDS]}
        for doc, start in zip(docs, range(0, len(stated), ROUNDS), strict=True)
    ]
