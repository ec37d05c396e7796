"""The frames of units: people with their minds on all topics, what interviews tell of them, items.

The people are a stratified part of a population like that of the scale edition, drawn on seeds of their
own, so that nobody is in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Final

import numpy as np

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent.asking.items import Asked, draw_asked, draw_reasons
from otherminds.dataset_builders.hugagent.authored import exchanges
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.population import SCENARIOS_ASKED
from otherminds.dataset_builders.hugagent.quotas import allocate, draw_subset, scaled
from otherminds.dataset_builders.hugagent.scale.synthetic import ScaleSpec, stratum
from otherminds.dataset_builders.hugagent.scale.tables import mind_row
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.minds import (
    Mind,
    Shown,
    draw_mind,
    stance_bucket,
)
from otherminds.dataset_builders.hugagent.world.network import coarse_of
from otherminds.dataset_builders.hugagent.world.people import Person, draw_person
from otherminds.dataset_builders.hugagent.world.plan import all_claims, draw_plan

PEOPLE: Final = 24
"""How many units a construction has that is asked for no number [O]."""

POOL: Final = 20
"""So many people are drawn for each that is taken."""

FIRST_SEED: Final = 3_000_000_000
"""Seeds begin here: no release of the scale edition has one of these."""

_SCALE_PEOPLE: Final = 500
_ITEMS: Final[Mapping[str, Mapping[str, int]]] = {
    "bsi": {"healthcare": 1303, "surveillance": 1297, "zoning": 1302},
    "bdu": {"healthcare": 3888, "surveillance": 2610, "zoning": 3818},
}
"""Of 500 people of the scale edition [O]: a person of the core is asked as many."""


def frames(n: int, seed: int) -> list[Unit]:
    """So many units; they depend on the seed and on how many there are.

    Raises ValueError where somebody's beliefs do not give the items that are asked for.
    """
    spec = _spec(n, seed)
    quotas = allocate(spec)
    minds = [_minds(spec.seed, number) for number in range(spec.agents)]
    strata = [stratum(person, own) for person, own in minds]
    taken = [int(place) for place in np.flatnonzero(draw_subset(spec, strata))]
    return [
        _unit(
            place,
            spec.seed,
            *minds[number],
            {key: int(each[number]) for key, each in quotas.items()},
        )
        for place, number in enumerate(taken)
    ]


def _spec(n: int, seed: int) -> ScaleSpec:
    whole = ScaleSpec(_SCALE_PEOPLE, FIRST_SEED + seed, 0, _ITEMS)
    pool = scaled(whole, n * POOL)
    return ScaleSpec(pool.agents, pool.seed, n, pool.items)


@cache
def _minds(seed: int, number: int) -> tuple[Person, tuple[Mind, ...]]:
    content, known = vocabulary.load(), parameters.load()
    person = draw_person(agent_stream(seed, number, Purpose.PERSON), number, content)
    return person, tuple(
        draw_mind(seed, person, place, content.topics[name], known[name])
        for place, name in enumerate(TOPICS)
    )


def _unit(
    place: int,
    seed: int,
    person: Person,
    minds: tuple[Mind, ...],
    quotas: Mapping[tuple[str, str], int],
) -> Unit:
    frame: dict[str, Any] = {
        # Who it is in the population of the seed.
        "seed": seed,
        "number": person.number,
        "demographics": dict(person.demographics),
        "values": dict(person.values),
        "voice": asdict(person.manner),
        "topics": {
            name: _on_topic(seed, number, person, minds[number], quotas)
            for number, name in enumerate(TOPICS)
        },
    }
    return Unit(f"C{place + 1:04d}", frame)


def _on_topic(
    seed: int,
    topic: int,
    person: Person,
    drawn: Mind,
    quotas: Mapping[tuple[str, str], int],
) -> dict[str, Any]:
    name, mind = TOPICS[topic], as_shown(drawn)
    known = parameters.load()[name]
    rng = agent_stream(seed, person.number, Purpose.ITEMS, topic)
    asked = draw_asked(rng, mind, quotas["bsi", name], known.positive_items)
    wanted = quotas["bdu", name] - 1 - SCENARIOS_ASKED[name]
    reasons = draw_reasons(rng, mind, wanted)
    if len(asked) < quotas["bsi", name] or len(reasons) < wanted:
        raise ValueError(
            f"Person {person.number + 1} of seed {seed} has beliefs on {name} for {len(asked)} BSI "
            "items "
            f"and {len(reasons)} reasons, fewer than asked for. Give another seed."
        )
    plan = draw_plan(agent_stream(seed, person.number, Purpose.PLAN, topic), person, mind, set())
    writer = Asked(
        agent_stream(seed, person.number, Purpose.QUESTION_TEXT, topic), vocabulary.load(), mind
    )
    pairs = [(one.source, one.target) for one in asked]
    rng = agent_stream(seed, person.number, Purpose.TEXT, topic)
    return {
        "mind": mind_row(mind),
        "claims": [asdict(one) for one in all_claims(plan).values()],
        "exchanges": [asdict(one) for one in exchanges.draw(rng, plan, pairs)],
        "asked": [list(pair) for pair in pairs],
        "bsi": [_plain(asdict(one)) for one in writer.bsi(asked)],
        "bdu": [_plain(asdict(one)) for one in writer.bdu(reasons)],
    }


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """An item as JSON has it."""
    return {key: list(one) if isinstance(one, tuple) else one for key, one in item.items()}


def as_shown(mind: Mind) -> Mind:
    """The same mind, where a hint is coarse and does not mislead.

    In the scale edition a share of hints points the wrong way, which a grammar can do without its being
    noticed; an author who makes a person seem to lean where they do not would write another person.
    """
    network = mind.network
    edges = tuple(
        replace(one, hint=one.sign) if one.grade == "hinted" else one for one in network.edges
    )
    reasons = {
        name: replace(one, shown=coarse_of(one.rating)) if one.grade == "hinted" else one
        for name, one in network.reasons.items()
    }
    return replace(
        mind,
        stance=_true(mind.stance, stance_bucket(mind.stance.level)),
        firmness=_true(mind.firmness, mind.firmness.level + 1),
        network=replace(network, edges=edges, reasons=reasons),
    )


def _true(shown: Shown, hinted: int) -> Shown:
    return replace(shown, told=hinted) if shown.grade == "hinted" else shown
