"""One simulated person: who they are and, per topic, mind, interview and items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from otherminds.dataset_builders.hugagent.asking.items import (
    Asked,
    Item,
    draw_asked,
    draw_reasons,
)
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.population import SCENARIOS_ASKED
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.telling import tell
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.claims import InterviewPlan, ToldTurn
from otherminds.dataset_builders.hugagent.world.minds import Mind, draw_mind
from otherminds.dataset_builders.hugagent.world.people import Person, draw_person
from otherminds.dataset_builders.hugagent.world.plan import draw_plan


@dataclass(frozen=True)
class TopicRecord:
    """One person on one topic."""

    mind: Mind
    plan: InterviewPlan
    transcript: tuple[ToldTurn, ...]
    bsi: tuple[Item, ...]
    bdu: tuple[Item, ...]


@dataclass(frozen=True)
class Agent:
    """One person, with a record per topic in the order of TOPICS."""

    person: Person
    records: tuple[TopicRecord, ...]


def simulate(
    seed: int, number: int, quotas: Mapping[tuple[str, str], int], content: Content
) -> Agent:
    """Simulate person `number` (from 0) with the given items per task and topic.

    Raises ValueError where the person's beliefs do not give so many items.
    """
    person = draw_person(agent_stream(seed, number, Purpose.PERSON), number, content)
    familiar: set[str] = set()
    records = tuple(
        _on_topic(seed, topic, quotas, content, person, familiar) for topic in range(len(TOPICS))
    )
    return Agent(person, records)


def _on_topic(
    seed: int,
    topic_number: int,
    quotas: Mapping[tuple[str, str], int],
    content: Content,
    person: Person,
    familiar: set[str],
) -> TopicRecord:
    name = TOPICS[topic_number]
    known = parameters.load()[name]
    mind = draw_mind(seed, person, topic_number, content.topics[name], known)
    plan = draw_plan(
        agent_stream(seed, person.number, Purpose.PLAN, topic_number), person, mind, familiar
    )
    transcript = tell(agent_stream(seed, person.number, Purpose.TEXT, topic_number), plan)
    rng = agent_stream(seed, person.number, Purpose.ITEMS, topic_number)
    asked = draw_asked(rng, mind, quotas["bsi", name], known.positive_items)
    wanted = quotas["bdu", name] - 1 - SCENARIOS_ASKED[name]
    reasons = draw_reasons(rng, mind, wanted)
    if len(asked) < quotas["bsi", name] or len(reasons) < wanted:
        raise ValueError(
            f"{person.participant_id} on {name} has beliefs for {len(asked)} BSI items and "
            f"{len(reasons)} reasons, fewer than asked for: lower the counts in `items`."
        )
    writer = Asked(
        agent_stream(seed, person.number, Purpose.QUESTION_TEXT, topic_number), content, mind
    )
    return TopicRecord(mind, plan, transcript, tuple(writer.bsi(asked)), tuple(writer.bdu(reasons)))
