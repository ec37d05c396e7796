"""Sessions as the database keeps them: the parts that grow apart from the rest, and the graph ready to read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from otherminds.interview.session import QA, STANCE, Event, Session, State
from otherminds.interview.store import Record, Summary, now
from otherminds.metrics import graphs

_APART: Final = frozenset({"config", "qas", "events"})


def record_of(session: Session) -> Record:
    """The record of a session."""
    created = session.created_at.isoformat() if session.created_at else now()
    summary = Summary(
        id=session.session_id,
        participant_id=session.participant_id,
        topic=session.topic,
        status=session.status,
        stage=session.stage,
        progress=session.progress,
        answers=session.answered,
        nodes=sum(one != STANCE for one in session.state.nodes),
        config_hash=session.config_hash,
        created=created,
        updated=session.updated_at.isoformat() if session.updated_at else created,
    )
    return Record(
        summary,
        state=session.model_dump_json(exclude=set(_APART)),
        graph=graph_json(session),
        qas={qa.number: qa.model_dump_json() for qa in session.qas},
        events={number: one.model_dump_json() for number, one in enumerate(session.events)},
    )


def config_json(session: Session) -> str:
    """The configuration of a session, as the database keeps it under its hash."""
    return session.config.model_dump_json()


def session_of(record: Record, config: str) -> Session:
    """The session of a record that was read whole, and of its configuration."""
    parts = {"config": config, "qas": _list(record.qas), "events": _list(record.events)}
    inner = ",".join(f'"{name}":{text}' for name, text in parts.items())
    return Session.model_validate_json(f"{record.state[:-1]},{inner}}}")


def graph_json(session: Session) -> str:
    """The belief graph of a session, in the schema of `otherminds.metrics.graphs`, without the interview."""
    return json.dumps(graph_data(session.state), ensure_ascii=False)


def graph_data(state: State) -> dict[str, Any]:
    """The belief graph of a state as an object of the schema of `otherminds.metrics.graphs`.

    A link whose direction nobody told has modifier 0 there.
    """
    return {
        "stance_node": STANCE,
        "nodes": {
            key: node.model_dump(mode="json", exclude={"aliases", "order"})
            for key, node in state.nodes.items()
        },
        "edges": {key: _edge(edge) for key, edge in state.edges.items()},
        "rejected_edges": [
            _edge_of(f"r{number}", one.source, one.target, one.evidence)
            for number, one in enumerate(state.rejected, start=1)
        ],
    }


def belief_graph(session: Session, *, interview: bool = True) -> graphs.BeliefGraph:
    """The belief graph of a session; raises GraphError where it is none, which would be a fault of ours.

    interview  with the answers that it was read from
    """
    data = {**graph_data(session.state), "agent_id": session.participant_id, "topic": session.topic}
    if interview:
        data["qa_history"] = [qa_data(qa) for qa in session.qas if qa.answer is not None]
    return graphs.read_graph(data)


def qa_data(qa: QA) -> dict[str, Any]:
    """A question and its answer in the schema of `otherminds.metrics.graphs`."""
    about = {
        "node": qa.target.node,
        "edge": qa.target.edge,
        "priority": qa.priority,
        "template": qa.template or None,
    }
    return {
        "id": qa.id,
        "number": qa.number,
        "question": qa.question,
        "answer": qa.answer,
        "kind": qa.kind,
        "form": qa.form,
        "asks_about": about,
        "edited": [one.model_dump() for one in qa.edited],
        "input_mode": qa.input_mode,
        "latency_ms": qa.latency_ms,
        "asked_at": qa.asked_at,
        "answered_at": qa.answered_at,
    }


def _edge(edge: Any) -> dict[str, Any]:
    found = edge.model_dump(mode="json", exclude={"polarity", "evidence"})
    return {**found, "evidence": [_evidence(one) for one in edge.evidence]}


def _edge_of(key: str, source: str, target: str, evidence: Any) -> dict[str, Any]:
    """A refused link with its evidence; its modifier is that of the first that tells a direction."""
    told = next((one for one in evidence if one.polarity is not None), None)
    return {
        "id": key,
        "source": source,
        "target": target,
        "aggregate_confidence": max((one.confidence for one in evidence), default=0.0),
        "modifier": _modifier(told) or 0.0,
        "strength": None if told is None else told.strength,
        "evidence": [_evidence(one) for one in evidence],
    }


def _evidence(one: Any) -> dict[str, Any]:
    return {
        "qa_id": one.qa_id,
        "confidence": one.confidence,
        "modifier": _modifier(one),
        "quote_span": one.quote_span or None,
    }


def _modifier(one: Any) -> float | None:
    if one is None or one.polarity is None or one.strength is None:
        return None
    return float(one.polarity * one.strength)


def _list(parts: Mapping[int, str]) -> str:
    return f"[{','.join(parts[number] for number in sorted(parts))}]"


def events_of(record: Record) -> list[Event]:
    """The events of a record."""
    return [Event.model_validate_json(text) for _, text in sorted(record.events.items())]
