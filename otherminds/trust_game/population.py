"""The population level: what a model makes of all personas, and what it says of people like them.

One task holds three elicitations for each evaluated attribute, and a role-play of each persona:

    ranking             the attribute's levels by how much people trust, without a word of the game
    ranking_in_context  the same after the rules of the game, by how much people send
    dollars             mean and standard deviation of what 100 people of each level send
    role_play           what one persona sends, after belief, desire and intention
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import data
from otherminds.dataset_builders.trust.attributes import EVALUATED
from otherminds.dataset_builders.trust.game import ENDOWMENT
from otherminds.documents import dataset_of
from otherminds.metrics.trust import STRATEGIES
from otherminds.stages import reached
from otherminds.trust_game.personas import (
    PERSONA,
    SAMPLE,
    Persona,
    endowment_of,
    load_personas,
)

ROLE_PLAY = "role_play"

_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("kind", pa.string()),
        *PERSONA,
        ("attribute", pa.string()),
        ("label", pa.string()),
        ("attribute_levels", pa.list_(pa.string())),
        ("endowment", pa.float64()),
    ]
)


def documents(
    *,
    endowment: float = ENDOWMENT,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of `trust_game_population`: lm-eval's `custom_dataset`.

    `stage_limit` is that of a conditioned task, which has a document per persona and attribute.
    """
    played = needed(load_personas(personas, **wanted), stage_limit)
    return {data.SPLIT: dataset_of(rows(played, endowment_of(endowment)), _SCHEMA)}


def needed(played: Sequence[Persona], stage_limit: float | None) -> Sequence[Persona]:
    """The personas of the first `stage_limit` documents of a conditioned task."""
    within = reached(stage_limit, len(played) * len(EVALUATED))
    return played[: -(-within // len(EVALUATED))]


def rows(played: Sequence[Persona], endowment: float) -> list[dict[str, Any]]:
    """The documents for some personas."""
    nobody: Persona = {"persona_id": None, "persona": [], "levels": []}
    elicitations = [
        {
            "item_id": f"{strategy}-{attribute.name}",
            "kind": strategy,
            **nobody,
            "attribute": attribute.name,
            "label": attribute.label,
            "attribute_levels": list(attribute.levels),
            "endowment": endowment,
        }
        for strategy in STRATEGIES
        for attribute in EVALUATED
    ]
    role_plays = [
        {
            "item_id": f"{ROLE_PLAY}-{persona['persona_id']}",
            "kind": ROLE_PLAY,
            **persona,
            "attribute": None,
            "label": None,
            "attribute_levels": [],
            "endowment": endowment,
        }
        for persona in played
    ]
    return [*elicitations, *role_plays]
