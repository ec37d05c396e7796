"""Role-plays by personas who are shown orders of kinds of people by how much these trust.

The orders are those that the model stated itself (`trust_game_self_conditioned`), or are perturbed
to a given rank correlation with that (`trust_game_imposed_…`). They are neither norms nor findings
on people: a prior is imposed to see whether a model acts on it. One document is one persona, with
the orders of all ranked attributes, or one persona and one attribute (`prior_attributes`); it holds
what the persona sent without any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import prompts
from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.trust_game.attributes import Attribute
from otherminds.dataset_builders.trust_game.game import ENDOWMENT
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust_game import RANKINGS
from otherminds.metrics.trust_game.perturbation import perturbed
from otherminds.running.stages import Samples, answers, reached, unreached
from otherminds.tasks.trust_game import population
from otherminds.tasks.trust_game.personas import PERSONA, SAMPLE, levels_in, load_personas
from otherminds.tasks.trust_game.setting import SETTING, setting_of

_PROMPT = "trust_game__conditioned"

PRIOR = pa.struct(
    [
        ("attribute", pa.string()),
        ("label", pa.string()),
        ("levels", pa.list_(pa.string())),
        ("order", pa.list_(pa.string())),
        ("spearman", pa.float64()),
    ]
)
"""A document's prior of one attribute.

    levels    in natural order
    order     from highest to lowest, as personas are shown it; null where no ranking could be read
    spearman  Spearman's ρ of `order` with the ranking that the model stated; null with `order`
"""

_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        *PERSONA,
        ("prior", pa.string()),
        ("priors", pa.list_(PRIOR)),
        ("target_spearman", pa.float64()),
        ("unconditioned", pa.float64()),
        ("is_reached", pa.bool_()),
        *SETTING,
    ]
)


def documents(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    target: float | None = None,
    prior: str = "ranking_in_context",
    prior_attributes: str = population.PRIOR_ATTRIBUTES[0],
    perturbation_seed: int = 0,
    ranking_form: str = population.RANKING_FORMS[0],
    order_seed: int = 0,
    endowment: float = ENDOWMENT,
    fractions: bool = False,
    personas: str = SAMPLE,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of the conditioned tasks.

    stages             the task before, `trust_game_population`, from the metadata of the YAML
    samples            its sample file, from `--metadata`
    target             from the YAML: Spearman's ρ of the orders that are given with the stated ones;
                       none for the stated ones themselves
    prior              whose ranking: one of RANKINGS
    prior_attributes   one of population.PRIOR_ATTRIBUTES
    perturbation_seed  of the choice between orders with the same ρ

    An attribute of which no ranking could be read is left out of the prompt and counted, so that every
    model answers the same documents.
    Raises OtherMindsError for samples of other personas or another setting, and for missing ones.
    """
    if prior not in RANKINGS:
        raise OtherMindsError(f"There is no prior '{prior}': give {', '.join(RANKINGS)}.")
    everyone = load_personas(personas, **wanted)
    levels, setting = levels_in(everyone), setting_of(endowment, fractions)
    played = population.needed(everyone, prior_attributes, stage_limit)
    asked = population.rows(
        played, levels, setting, ranking_form=ranking_form, order_seed=order_seed
    )
    replies = answers(asked, stage=stages[-1], samples=samples)
    texts = {doc["item_id"]: (doc, text) for doc, text in zip(asked, replies, strict=True)}
    given = [
        _given(one, *texts[f"{prior}-{one.name}"], target, perturbation_seed)
        for one in levels.ranked
    ]
    sends = {
        persona["persona_id"]: setting.send(
            texts[f"{population.ROLE_PLAY}-{persona['persona_id']}"][1]
        )
        for persona in played
    }
    each = population.documents_per_persona(prior_attributes, levels)
    lots = [("", given)] if each == 1 else [(f"-{one['attribute']}", [one]) for one in given[:each]]
    within = reached(stage_limit, len(everyone) * each)
    docs = [
        {
            "item_id": f"{persona['persona_id']}{suffix}",
            **persona,
            "prior": prior,
            "priors": priors,
            "target_spearman": target,
            "unconditioned": sends.get(persona["persona_id"]),
            **setting.fields,
        }
        for persona in everyone
        for suffix, priors in lots
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
    attribute: Attribute,
    asked: Mapping[str, Any],
    text: str | None,
    target: float | None,
    seed: int,
) -> dict[str, Any]:
    """The levels of an attribute from highest to lowest, as personas are shown them."""
    found: dict[str, Any] = {
        "attribute": attribute.name,
        "label": attribute.label,
        "levels": list(attribute.levels),
        "order": None,
        "spearman": None,
    }
    stated = population.stated_ranking(asked, text)
    if stated is None or stated.order is None:
        return found
    # Perturbed from the lowest on: ρ does not depend on the direction.
    order = [attribute.levels.index(level) for level in reversed(stated.order)]
    spearman = 1.0
    if target is not None:
        # Each attribute draws for itself, whichever others could be read.
        digest = hashlib.sha256(f"{seed}-{attribute.name}".encode()).digest()
        imposed = perturbed(order, target, seed=int.from_bytes(digest[:4], "big"))
        order, spearman = list(imposed.order), imposed.spearman
    names = [attribute.levels[place] for place in reversed(order)]
    return {**found, "order": names, "spearman": spearman}
