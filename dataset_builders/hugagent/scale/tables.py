"""Simulated people as Arrow tables with the columns of `scale.features`, but for the subset mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders.hugagent.dynamics import LOWEST_RATING
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.scale.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.scale.simulate import Agent, TopicRecord
from otherminds.dataset_builders.hugagent.tables import SUBSET_COLUMN, TRACK
from otherminds.dataset_builders.hugagent.world.claims import digest
from otherminds.dataset_builders.hugagent.world.minds import Mind
from otherminds.dataset_builders.hugagent.world.plan import all_claims

_ITEM_FIELDS = (
    *("question", "options", "scale", "scale_labels", "reason_code", "reason_text"),
    *("question_id", "question_type", "answer", "evidence", "steps", "form"),
)


def item_table(agents: Sequence[Agent], task: str, topic_number: int, first: int) -> pa.Table:
    """The items of one task and topic about these people; ids are numbered from `first`."""
    records = [agent.records[topic_number] for agent in agents]
    per_person = [record.bsi if task == "bsi" else record.bdu for record in records]
    owner = pa.array(
        [place for place, items in enumerate(per_person) for _ in items], type=pa.int32()
    )
    items = [asdict(item) for items in per_person for item in items]
    topic = TOPICS[topic_number]

    def shared(name: str, values: list[Any]) -> pa.Array:
        """Converted once per person, however many items show it."""
        return pa.array(values, type=ITEM.field(name).type).take(owner)

    columns = {
        "item_id": [f"{TRACK}-{task}-{topic}-{first + at:04d}" for at in range(len(items))],
        "participant_id": shared("participant_id", [a.person.participant_id for a in agents]),
        "track": [TRACK] * len(items),
        "topic": [topic] * len(items),
        "task": [task] * len(items),
        "demographics": shared("demographics", [_facts(agent) for agent in agents]),
        "context": shared("context", [_context(record) for record in records]),
        "claims": shared("claims", [list(_claims(record)) for record in records]),
        **{field: [item[field] for item in items] for field in _ITEM_FIELDS},
    }
    return _table(columns, ITEM)


def agent_table(agents: Sequence[Agent], topic_number: int) -> pa.Table:
    """One row per person on one topic."""
    rows = [_agent_row(agent, topic_number) for agent in agents]
    return _table({name: [row[name] for row in rows] for name in rows[0]}, AGENT)


def _table(columns: dict[str, Any], full: pa.Schema) -> pa.Table:
    wanted = pa.schema([field for field in full if field.name != SUBSET_COLUMN])
    return pa.Table.from_pydict(columns, schema=wanted)


def _facts(agent: Agent) -> list[dict[str, str]]:
    return [{"attribute": name, "value": said} for name, said in agent.person.demographics.items()]


def _context(record: TopicRecord) -> list[dict[str, str]]:
    return [{"question": turn.question, "answer": turn.answer} for turn in record.transcript]


def _claims(record: TopicRecord) -> Iterator[dict[str, Any]]:
    known = all_claims(record.plan)
    for turn in record.transcript:
        for name in turn.claims:
            yield {"answer": digest(turn.answer), **asdict(known[name])}


def _agent_row(agent: Agent, topic_number: int) -> dict[str, Any]:
    record = agent.records[topic_number]
    return {
        "participant_id": agent.person.participant_id,
        "topic": TOPICS[topic_number],
        "demographics": _facts(agent),
        "values": {name: float(level) for name, level in agent.person.values.items()},
        "voice": asdict(agent.person.manner),
        **mind_row(record.mind),
        "claims": list(_claims(record)),
        "transcript": [
            {
                **{"question": turn.question, "answer": turn.answer},
                **{"kind": turn.kind, "masked": False},
            }
            for turn in record.transcript
        ],
    }


def mind_row(mind: Mind) -> dict[str, Any]:
    """What a row says of a mind."""
    network = mind.network
    return {
        "graph": {
            "nodes": [{**asdict(node), "is_stance": node.name == STANCE} for node in network.nodes],
            "edges": [
                {
                    **{"source": one.source, "target": one.target, "sign": one.sign},
                    **{"confidence": one.confidence, "weight": one.weight, "grade": one.grade},
                }
                for one in network.edges
            ],
        },
        "initial_stance": float(mind.stance.level),
        "stance_grade": mind.stance.grade,
        "firmness": mind.firmness.level,
        "firmness_grade": mind.firmness.grade,
        "fork": asdict(network.fork),
        "weights": _weights({name: one.rating for name, one in network.reasons.items()}),
        "interventions": [
            {
                "question_id": move.scenario.id,
                "deltas": [
                    {"factor": name, "delta": round(step / 3.0, 6)}
                    for name, step in move.moves.items()
                ],
                "stance_after": float(move.stance_after),
                "weights_after": _weights(move.ratings_after),
            }
            for move in mind.moves
        ],
    }


def _weights(ratings: Any) -> list[dict[str, Any]]:
    """Ratings as weights from 0 to 1: (rating − 1) / 4."""
    return [
        {"factor": name, "weight": (rating - LOWEST_RATING) / 4.0}
        for name, rating in ratings.items()
    ]
