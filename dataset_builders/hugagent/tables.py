"""Simulated people as Arrow tables with the columns of `features`, but for the subset mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders.hugagent.beliefs import Beliefs, Intervention, delta_of
from otherminds.dataset_builders.hugagent.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.items import Item
from otherminds.dataset_builders.hugagent.people import Person
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.simulate import Agent, TopicRecord
from otherminds.types import FloatArray

TRACK = "synthetic"
SUBSET_COLUMN = "in_subset_50"

_ITEM_FIELDS = (
    "question",
    "options",
    "scale",
    "scale_labels",
    "reason_code",
    "reason_text",
    "question_id",
    "question_type",
    "answer",
    "evidence",
)


def item_table(
    agents: Sequence[Agent], task: str, topic_number: int, first_number: int
) -> pa.Table:
    """The items of one task and topic about these people; ids are numbered from `first_number`."""
    records = [agent.records[topic_number] for agent in agents]
    per_person = [record.bsi if task == "bsi" else record.bdu for record in records]
    owner = pa.array(
        [place for place, items in enumerate(per_person) for _ in items], type=pa.int32()
    )
    items = [item for items in per_person for item in items]
    topic = records[0].topic
    # Demographics and context are converted once per person, however many items show them.
    columns = {
        "item_id": [
            f"{TRACK}-{task}-{topic}-{first_number + place:04d}" for place in range(len(items))
        ],
        "participant_id": _column("participant_id", [a.participant_id for a in agents]).take(owner),
        "track": [TRACK] * len(items),
        "topic": [topic] * len(items),
        "task": [task] * len(items),
        "demographics": _column("demographics", [_facts(a.person) for a in agents]).take(owner),
        "context": _column("context", [_context(record) for record in records]).take(owner),
        **{field: [_plain(item, field) for item in items] for field in _ITEM_FIELDS},
    }
    return _table(columns, ITEM)


def agent_table(agents: Sequence[Agent], topic_number: int) -> pa.Table:
    """One row per person on one topic."""
    rows = [_agent_row(agent, agent.records[topic_number]) for agent in agents]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return _table(columns, AGENT)


def _table(columns: Mapping[str, Any], full: pa.Schema) -> pa.Table:
    wanted = pa.schema([field for field in full if field.name != SUBSET_COLUMN])
    return pa.Table.from_pydict(dict(columns), schema=wanted)


def _column(name: str, values: list[Any]) -> pa.Array:
    return pa.array(values, type=ITEM.field(name).type)


def _plain(item: Item, field: str) -> Any:
    value = getattr(item, field)
    return list(value) if isinstance(value, tuple) else value


def _facts(person: Person) -> list[dict[str, str]]:
    return [{"attribute": name, "value": value} for name, value in person.demographics.items()]


def _context(record: TopicRecord) -> list[dict[str, str]]:
    return [
        {"question": turn.question, "answer": turn.answer}
        for turn in record.transcript
        if not turn.masked
    ]


def _agent_row(agent: Agent, record: TopicRecord) -> dict[str, Any]:
    beliefs, evidence, voice = record.beliefs, record.evidence, agent.person.voice
    return {
        "participant_id": agent.participant_id,
        "topic": record.topic,
        "demographics": _facts(agent.person),
        "values": dict(agent.person.values),
        "voice": {
            "verbosity": voice.verbosity,
            "certainty": voice.certainty,
            "register": voice.register,
            "phrase": voice.phrase,
            "habit": voice.habit,
        },
        "graph": {
            "nodes": [
                {
                    "name": node.name,
                    "importance": node.importance,
                    "evidence": node.evidence,
                    "is_stance": node.name == STANCE,
                }
                for node in beliefs.nodes
            ],
            "edges": [
                {
                    "source": edge.source,
                    "target": edge.target,
                    "sign": edge.sign,
                    "confidence": edge.confidence,
                    "weight": edge.weight,
                    "grade": evidence.edges[edge.key].grade,
                }
                for edge in beliefs.edges
            ],
        },
        "initial_stance": beliefs.stance,
        "stance_grade": evidence.stance_grade,
        "weights": _weights(beliefs, beliefs.weights),
        "interventions": [_intervention(beliefs, found) for found in beliefs.interventions],
        "transcript": [
            {
                "question": turn.question,
                "answer": turn.answer,
                "kind": turn.kind,
                "masked": turn.masked,
            }
            for turn in record.transcript
        ],
    }


def _intervention(beliefs: Beliefs, found: Intervention) -> dict[str, Any]:
    return {
        "question_id": found.scenario.id,
        "deltas": [
            {"factor": name, "delta": round(delta_of(magnitude), 6)}
            for name, magnitude in found.magnitudes.items()
        ],
        "stance_after": found.stance_after,
        "weights_after": _weights(beliefs, found.weights_after),
    }


def _weights(beliefs: Beliefs, weights: FloatArray) -> list[dict[str, Any]]:
    return [
        {"factor": name, "weight": float(weight)}
        for name, weight in zip(beliefs.reasons, weights, strict=True)
    ]
