"""Role-plays by personas who are told how much people send who differ in one attribute.

What they are told is what the model said itself of that attribute (`trust_game_self_conditioned`), or a
ranking perturbed to a given rank correlation with it (`trust_game_imposed_…`). One document is one
persona and one attribute, and holds what the persona sent when it was told nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import data, prompts
from otherminds.dataset_builders.trust.attributes import EVALUATED, Attribute
from otherminds.dataset_builders.trust.game import ENDOWMENT
from otherminds.documents import dataset_of
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust.elicitation import parse_ranking
from otherminds.metrics.trust.perturbation import perturbed
from otherminds.metrics.trust.send import parse_send
from otherminds.stages import Samples, answers, reached, unreached
from otherminds.trust_game import population
from otherminds.trust_game.personas import (
    PERSONA,
    SAMPLE,
    endowment_of,
    load_personas,
)

PRIORS = ("ranking", "ranking_in_context")
"""The elicitations whose ranking can be given back."""

_PROMPT = "trust_game__conditioned"

_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        *PERSONA,
        ("attribute", pa.string()),
        ("label", pa.string()),
        ("attribute_levels", pa.list_(pa.string())),
        ("prior", pa.list_(pa.string())),
        ("target_spearman", pa.float64()),
        ("spearman", pa.float64()),
        ("unconditioned", pa.float64()),
        ("is_reached", pa.bool_()),
        ("endowment", pa.float64()),
    ]
)


def documents(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    target: float | None = None,
    prior: str = "ranking_in_context",
    perturbation_seed: int = 0,
    endowment: float = ENDOWMENT,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of the conditioned tasks: one per persona and evaluated attribute.

    stages             the task before, `trust_game_population`, from the metadata of the YAML
    samples            its sample file, from `--metadata`
    target             from the YAML: Spearman's ρ of the ranking that is given with the elicited one;
                       none for the elicited one itself
    prior              whose ranking: one of PRIORS
    perturbation_seed  of the choice between rankings with the same ρ

    An attribute of which no ranking could be read has documents without one: they are asked as the
    others and counted, so that every model answers the same documents.
    Raises OtherMindsError for samples of other personas or another endowment, and for missing ones.
    """
    if prior not in PRIORS:
        raise OtherMindsError(f"There is no prior '{prior}': give {' or '.join(PRIORS)}.")
    everyone = load_personas(personas, **wanted)
    dollars = endowment_of(endowment)
    played = population.needed(everyone, stage_limit)
    asked = population.rows(played, dollars)
    texts = dict(
        zip(
            (doc["item_id"] for doc in asked),
            answers(asked, stage=stages[-1], samples=samples),
            strict=True,
        )
    )
    given = [
        _given(attribute, texts[f"{prior}-{attribute.name}"], target, perturbation_seed)
        for attribute in EVALUATED
    ]
    sends = {
        persona["persona_id"]: parse_send(
            texts[f"{population.ROLE_PLAY}-{persona['persona_id']}"], dollars
        )
        for persona in played
    }
    within = reached(stage_limit, len(everyone) * len(EVALUATED))
    docs = [
        {
            "item_id": f"{persona['persona_id']}-{attribute.name}",
            **persona,
            "attribute": attribute.name,
            "label": attribute.label,
            "attribute_levels": list(attribute.levels),
            **told,
            "unconditioned": sends.get(persona["persona_id"]),
            "endowment": dollars,
        }
        for persona in everyone
        for attribute, told in zip(EVALUATED, given, strict=True)
    ]
    rows = [{**doc, "is_reached": place < within} for place, doc in enumerate(docs)]
    return {data.SPLIT: dataset_of(rows, _SCHEMA)}


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of a conditioned role-play.

    Raises OtherMindsError for a document that the stage before was not run for.
    """
    if not doc["is_reached"]:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


def _given(
    attribute: Attribute, text: str | None, target: float | None, seed: int
) -> dict[str, Any]:
    """The levels from the one that sends least to the one that sends most, as personas are told."""
    told: dict[str, Any] = {"prior": None, "target_spearman": target, "spearman": None}
    stated = parse_ranking(text, attribute.levels)
    if stated is None:
        return told
    order = [attribute.levels.index(level) for level in stated.order]
    spearman = 1.0
    if target is not None:
        # Each attribute draws for itself, whichever others could be read.
        digest = hashlib.sha256(f"{seed}-{attribute.name}".encode()).digest()
        found = perturbed(order, target, seed=int.from_bytes(digest[:4], "big"))
        order, spearman = list(found.order), found.spearman
    return {**told, "prior": [attribute.levels[place] for place in order], "spearman": spearman}
