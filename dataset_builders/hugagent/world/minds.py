"""One simulated person on one topic: opinion, firmness, beliefs, and what the scenarios make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.hugagent.population import (
    GRADES,
    SCENARIOS_ASKED,
    Grade,
)
from otherminds.dataset_builders.hugagent.schema import Scenario, Topic
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.wording import VALUES
from otherminds.dataset_builders.hugagent.world import change, stances
from otherminds.dataset_builders.hugagent.world.claims import (
    EASILY_MOVED,
    SETTLED,
    STANCE_BUCKETS,
)
from otherminds.dataset_builders.hugagent.world.network import (
    COARSE_IS_RIGHT,
    Network,
    draw_network,
)
from otherminds.dataset_builders.hugagent.world.parameters import TopicParameters
from otherminds.dataset_builders.hugagent.world.people import Person

_OPINION_GRADES: Final = (0.72, 0.15, 0.13)
_MOVED_COUNTS: Final = ((1, 2, 3), (0.3, 0.45, 0.25))
_MAGNITUDES: Final = ((1, 2, 3), (0.15, 0.4, 0.45))
BUCKET_TOPS: Final = (3, 5, 8, 10)
"""The highest opinion in each of the four coarse levels at which people hint."""


@dataclass(frozen=True)
class Shown:
    """A level on a scale, how the interview tells it, and the level it tells (0: none)."""

    level: int
    grade: Grade
    told: int


@dataclass(frozen=True)
class Move:
    """A scenario as this person meets it, and what comes of it.

    moves   by factor, −3 (sharply down) to 3 (sharply up)
    pushed  the push on the person's stance, before firmness
    """

    scenario: Scenario
    moves: Mapping[str, int]
    pushed: float
    stance_after: int
    ratings_after: Mapping[str, int]


@dataclass(frozen=True)
class Mind:
    """A person's mind on one topic, and what an interview shows of it."""

    topic: Topic
    stance: Shown
    firmness: Shown
    values_told: Mapping[str, int]
    network: Network
    moves: tuple[Move, ...]


def draw_mind(
    seed: int, person: Person, topic_number: int, topic: Topic, known: TopicParameters
) -> Mind:
    """Draw one person's mind on a topic."""
    rng = agent_stream(seed, person.number, Purpose.BELIEFS, topic_number)
    opinion = pick_weighted(
        rng,
        stances.STANCES,
        list(stances.stance_chances(topic.topic, known, person.leaning)[person.profile]),
    )
    firmness = pick_weighted(
        rng, stances.FIRMNESSES, list(stances.firmness_chances(known)[opinion - 1])
    )
    chosen = sorted(
        int(one) for one in rng.permutation(len(topic.scenarios))[: SCENARIOS_ASKED[topic.topic]]
    )
    scenarios = [topic.scenarios[place] for place in chosen]
    engagement = pick_weighted(rng, range(len(stances.ENGAGEMENTS)), stances.ENGAGEMENT_SHARES)
    positive = {
        factor.name: float(stances.positive_chances(factor)[person.profile, opinion - 1])
        for factor in topic.factors
    }
    network = draw_network(
        agent_stream(seed, person.number, Purpose.STRUCTURE, topic_number),
        topic,
        known.structure,
        list(stances.rating_chances(known)[engagement]),
        positive,
        [one.factors for one in scenarios],
    )
    rng = agent_stream(seed, person.number, Purpose.SCENARIOS, topic_number)
    moves = tuple(
        _met(rng, scenario, network, opinion, firmness, known.upward) for scenario in scenarios
    )
    rng = agent_stream(seed, person.number, Purpose.EVIDENCE, topic_number)
    return Mind(
        topic,
        _shown_opinion(rng, opinion),
        _shown_firmness(rng, firmness),
        _values_told(rng, person),
        network,
        moves,
    )


def _met(
    rng: np.random.Generator,
    scenario: Scenario,
    network: Network,
    opinion: int,
    firmness: int,
    upward: float,
) -> Move:
    """Draw what a scenario moves; turned round where it would push the other way than drawn."""
    there = [name for name in scenario.factors if network.movable(name)]
    count = min(pick_weighted(rng, *_MOVED_COUNTS), len(there))
    moves = {
        name: pick(rng, (1, -1)) * pick_weighted(rng, *_MAGNITUDES)
        for name in shuffled(rng, there)[:count]
    }
    pushed = change.push(moves, {name: network.pull(name) for name in moves})
    if (pushed > 0) != chance(rng, upward) and pushed != 0:
        moves = {name: -step for name, step in moves.items()}
        pushed = -pushed
    ratings = {
        name: change.rating_after(name, reason.rating, moves, signs_onto(network, name))
        for name, reason in network.reasons.items()
    }
    return Move(scenario, moves, pushed, change.stance_after(opinion, pushed, firmness), ratings)


def signs_onto(network: Network, target: str) -> dict[str, int]:
    """The sign of each belief that acts on a node, by its source."""
    return {one.source: one.sign for one in network.acting_on(target)}


def askable(network: Network, moves: Mapping[str, int]) -> list[str]:
    """The reasons whose weight after a scenario follows from what is told."""
    return [
        name
        for name in network.reasons
        if all(one.told or one.source not in moves for one in network.acting_on(name))
    ]


def touched(network: Network, name: str, moves: Mapping[str, int]) -> bool:
    """Whether a scenario changes how much a reason counts, the ends of the scale apart."""
    return change.stirred(name, moves, signs_onto(network, name)) != 0


def stance_band(opinion: int) -> int:
    """The band, 1 to 5, of an opinion: 1–2, 3–4, 5–6, 7–8, 9–10."""
    return (opinion + 1) // 2


def stance_bucket(opinion: int) -> int:
    """The coarse level, 1 to 4, of an opinion."""
    return next(place for place, top in enumerate(BUCKET_TOPS, 1) if opinion <= top)


def neighbor(level: int, low: int, high: int, *, up: bool) -> int:
    """A level beside this one."""
    if level == low:
        return level + 1
    if level == high:
        return level - 1
    return level + (1 if up else -1)


def _shown_opinion(rng: np.random.Generator, opinion: int) -> Shown:
    grade = pick_weighted(rng, GRADES, _OPINION_GRADES)
    right, up = chance(rng, COARSE_IS_RIGHT), chance(rng, 0.5)
    bucket = stance_bucket(opinion)
    hinted = bucket if right else neighbor(bucket, 1, STANCE_BUCKETS, up=up)
    return Shown(opinion, grade, _by_grade(grade, stance_band(opinion), hinted))


def _shown_firmness(rng: np.random.Generator, firmness: int) -> Shown:
    """Levels that are told count from 1, so that 0 can stand for none."""
    grade = pick_weighted(rng, GRADES, _OPINION_GRADES)
    right, up = chance(rng, COARSE_IS_RIGHT), chance(rng, 0.5)
    hinted = firmness if right else neighbor(firmness, SETTLED, EASILY_MOVED, up=up)
    return Shown(firmness, grade, _by_grade(grade, firmness + 1, hinted + 1))


def _by_grade(grade: Grade, stated: int, hinted: int) -> int:
    return {"stated": stated, "hinted": hinted, "implied": 0}[grade]


def _values_told(rng: np.random.Generator, person: Person) -> dict[str, int]:
    """Two values come up; one that is held neither high nor low goes untold."""
    chosen: Sequence[str] = shuffled(rng, VALUES)[:2]
    return {name: person.values[name] for name in chosen if person.values[name]}
