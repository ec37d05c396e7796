"""One simulated person: who they are and, per topic, beliefs, interview and items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from otherminds.dataset_builders.hugagent.beliefs import Beliefs, draw_beliefs
from otherminds.dataset_builders.hugagent.evidence import Evidence, draw_evidence
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.interview import Interview
from otherminds.dataset_builders.hugagent.items import (
    Item,
    ItemWriter,
    draw_asked_edges,
    draw_reasons,
)
from otherminds.dataset_builders.hugagent.people import Person, draw_person
from otherminds.dataset_builders.hugagent.population import SCENARIOS_ASKED
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.small_talk import Turn
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream


@dataclass(frozen=True)
class TopicRecord:
    """One person on one topic."""

    topic: str
    beliefs: Beliefs
    evidence: Evidence
    transcript: tuple[Turn, ...]
    bsi: tuple[Item, ...]
    bdu: tuple[Item, ...]


@dataclass(frozen=True)
class Agent:
    """One person, with a record per topic in the order of TOPICS."""

    number: int
    person: Person
    records: tuple[TopicRecord, ...]

    @property
    def participant_id(self) -> str:
        """S0001 for the first person."""
        return f"S{self.number + 1:04d}"


def simulate(
    seed: int, number: int, quotas: Mapping[tuple[str, str], int], content: Content
) -> Agent:
    """Simulate person `number` (from 0) with the given items per task and topic."""
    person = draw_person(agent_stream(seed, number, Purpose.PERSON), content)
    familiar: set[str] = set()
    records = tuple(
        _on_topic(seed, number, topic, quotas, content, person, familiar)
        for topic in range(len(TOPICS))
    )
    return Agent(number, person, records)


def _on_topic(
    seed: int,
    number: int,
    topic_number: int,
    quotas: Mapping[tuple[str, str], int],
    content: Content,
    person: Person,
    familiar: set[str],
) -> TopicRecord:
    name = TOPICS[topic_number]
    topic = content.topics[name]
    beliefs = draw_beliefs(seed, number, topic_number, person, topic)
    evidence = draw_evidence(
        agent_stream(seed, number, Purpose.EVIDENCE, topic_number), person, beliefs
    )
    rng = agent_stream(seed, number, Purpose.ITEMS, topic_number)
    asked = draw_asked_edges(rng, topic, beliefs, quotas["bsi", name])
    reasons = draw_reasons(rng, beliefs, quotas["bdu", name] - 1 - SCENARIOS_ASKED[name])
    interview = Interview(
        agent_stream(seed, number, Purpose.TEXT, topic_number),
        content,
        topic,
        person,
        beliefs,
        evidence,
        [edge.key for edge in asked],
        familiar,
    )
    writer = ItemWriter(
        agent_stream(seed, number, Purpose.QUESTION_TEXT, topic_number),
        content,
        topic,
        beliefs,
        evidence,
    )
    return TopicRecord(
        name,
        beliefs,
        evidence,
        tuple(interview.conduct()),
        tuple(writer.bsi(asked)),
        tuple(writer.bdu(reasons)),
    )
