"""The population level: a model's sends for all personas, and its statements on people like them.

One task holds elicitations for each ranked attribute, and a role-play of each persona:

    ranking             the attribute's levels by interpersonal trust, without a word of the game
    ranking_in_context  the same question after the rules of the game
    dollar_ranking      after the rules, by how much people send
    dollars             mean and standard deviation of what 100 people of each level send
    role_play           what one persona sends, after belief, desire and intention

Religion is ranked too, because a prior holds its order (see `conditioned`); it is not evaluated, and not
asked about in dollars.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
from datasets import Dataset

from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.trust_game.attributes import Attribute, LevelSet
from otherminds.dataset_builders.trust_game.game import ENDOWMENT
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust_game import (
    RANKINGS,
    STRATEGIES,
    Ranking,
    parse_ascending_ranking,
    parse_ranking,
)
from otherminds.running.stages import reached
from otherminds.tasks.trust_game.personas import PERSONA, SAMPLE, Persona, levels_in, load_personas
from otherminds.tasks.trust_game.setting import SETTING, Setting, setting_of

ROLE_PLAY: Final = "role_play"

RANKING_FORMS: Final = ("descending", "ascending")
"""How a ranking is asked for: from highest to lowest with two effect sizes (the paper's form), or from
lowest to highest with one."""

PRIOR_ATTRIBUTES: Final = ("all", "single")
"""The priors in a conditioned prompt: orders of all ranked attributes (the paper's form), or of one."""

_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("kind", pa.string()),
        *PERSONA,
        ("attribute", pa.string()),
        ("label", pa.string()),
        ("attribute_levels", pa.list_(pa.string())),
        ("ranking_form", pa.string()),
        *SETTING,
    ]
)


def documents(
    *,
    endowment: float = ENDOWMENT,
    fractions: bool = False,
    personas: str = SAMPLE,
    ranking_form: str = RANKING_FORMS[0],
    order_seed: int = 0,
    prior_attributes: str = PRIOR_ATTRIBUTES[0],
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of `trust_game_population`: lm-eval's `custom_dataset`.

    `stage_limit` is that of a conditioned task, which has a document per persona, or per persona and
    evaluated attribute where `prior_attributes` is "single".
    Raises OtherMindsError for a key of `--metadata` with a value that there is not.
    """
    everyone = load_personas(personas, **wanted)
    played = needed(everyone, prior_attributes, stage_limit)
    docs = rows(
        played,
        levels_in(everyone),
        setting_of(endowment, fractions),
        ranking_form=ranking_form,
        order_seed=order_seed,
    )
    return {data.SPLIT: dataset_of(docs, _SCHEMA)}


def needed(
    everyone: Sequence[Persona], prior_attributes: str, stage_limit: float | None
) -> Sequence[Persona]:
    """The personas of the first `stage_limit` documents of a conditioned task."""
    each = documents_per_persona(prior_attributes, levels_in(everyone))
    within = reached(stage_limit, len(everyone) * each)
    return everyone[: -(-within // each)]


def documents_per_persona(prior_attributes: str, levels: LevelSet) -> int:
    """How many documents of a conditioned task are of one persona."""
    if prior_attributes not in PRIOR_ATTRIBUTES:
        raise OtherMindsError(
            f"prior_attributes is {prior_attributes!r}: give {' or '.join(PRIOR_ATTRIBUTES)} in "
            "--metadata."
        )
    return 1 if prior_attributes == "all" else len(levels.evaluated)


def rows(
    played: Sequence[Persona],
    levels: LevelSet,
    setting: Setting,
    *,
    ranking_form: str,
    order_seed: int,
) -> list[dict[str, Any]]:
    """The documents for some personas.

    ranking_form  one of RANKING_FORMS
    order_seed    of the order in which prompts list the levels
    """
    if ranking_form not in RANKING_FORMS:
        raise OtherMindsError(
            f"ranking_form is {ranking_form!r}: give {' or '.join(RANKING_FORMS)} in --metadata."
        )
    if not isinstance(order_seed, int) or isinstance(order_seed, bool):
        raise OtherMindsError(f"order_seed is {order_seed!r}: give a whole number in --metadata.")
    nobody: Persona = {
        "persona_id": None,
        "persona": [],
        "levels": [],
        "level_set": levels.name,
    }
    elicitations = [
        {
            "item_id": f"{strategy}-{attribute.name}",
            "kind": strategy,
            **nobody,
            "attribute": attribute.name,
            "label": attribute.label,
            "attribute_levels": listed(attribute, order_seed),
            "ranking_form": ranking_form if strategy in RANKINGS else None,
            **setting.fields,
        }
        for strategy in STRATEGIES
        for attribute in (levels.ranked if strategy in RANKINGS else levels.evaluated)
    ]
    role_plays = [
        {
            "item_id": f"{ROLE_PLAY}-{persona['persona_id']}",
            "kind": ROLE_PLAY,
            **persona,
            "attribute": None,
            "label": None,
            "attribute_levels": [],
            "ranking_form": None,
            **setting.fields,
        }
        for persona in played
    ]
    return [*elicitations, *role_plays]


def listed(attribute: Attribute, seed: int) -> list[str]:
    """The levels in the order in which a prompt lists them: by lot, and never the natural order or its
    reverse where there is another.

    A model that copies the list so answers at random, and not with an order that many would think
    right. All ways to ask list them alike, so that these differ in the question alone.
    """
    natural = list(attribute.levels)
    for attempt in range(_ATTEMPTS):
        order = sorted(
            natural,
            key=lambda level: rank(seed, "listed", attribute.name, str(attempt), level),
        )
        if len(natural) < 3 or order not in (natural, natural[::-1]):
            break
    return order


def stated_ranking(doc: Mapping[str, Any], text: str | None) -> Ranking | None:
    """The ranking in a reply to an elicitation, in the form that was asked for."""
    read = parse_ranking if doc["ranking_form"] == RANKING_FORMS[0] else parse_ascending_ranking
    return read(text, doc["attribute_levels"])


# Of three levels, one in three orders is the natural one or its reverse; 100 in a row never come.
_ATTEMPTS = 100
