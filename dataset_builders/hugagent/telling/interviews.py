"""The interviews of a population's first people, as plans and turns, to be measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.telling.interview import tell
from otherminds.dataset_builders.hugagent.world import minds, parameters, people
from otherminds.dataset_builders.hugagent.world.claims import InterviewPlan, ToldTurn
from otherminds.dataset_builders.hugagent.world.plan import draw_plan


class Told(NamedTuple):
    """One interview: its plan and how it was told."""

    plan: InterviewPlan
    turns: Sequence[ToldTurn]


def interviews(seed: int, count: int) -> Iterator[Told]:
    """Those of the first `count` people of a seed, three each, one person after the other."""
    known, fitted = content.load(), parameters.load()
    for number in range(count):
        person = people.draw_person(agent_stream(seed, number, Purpose.PERSON), number, known)
        familiar: set[str] = set()
        for place, name in enumerate(TOPICS):
            mind = minds.draw_mind(seed, person, place, known.topics[name], fitted[name])
            rng = agent_stream(seed, number, Purpose.STRUCTURE, place)
            plan = draw_plan(rng, person, mind, familiar)
            yield Told(plan, tell(agent_stream(seed, number, Purpose.TEXT, place), plan))
