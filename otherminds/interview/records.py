"""Sessions as the database keeps them: what grows apart from the rest, and the graph ready to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from otherminds.interview import graphs
from otherminds.interview.session import STANCE, Session
from otherminds.interview.store import Record, Summary, now

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
    """The belief graph of a session as JSON (`otherminds.metrics.graphs`), without the interview."""
    return graphs.graph_of(session).model_dump_json(
        exclude={"qa_history", "topic"}, exclude_none=True
    )


def _list(parts: Mapping[int, str]) -> str:
    return f"[{','.join(parts[number] for number in sorted(parts))}]"
