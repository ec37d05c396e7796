"""The graph of a session in the schema of belief graphs, at the end and after every answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from otherminds.interview import network
from otherminds.interview.confidence import edge_of
from otherminds.interview.session import QA, STANCE, Edge, Evidence, Session, State
from otherminds.metrics.graphs.schema import BeliefGraph, read_graph


def graph_of(session: Session) -> BeliefGraph:
    """The graph at the end, with the interview; the tutorial is left out."""
    return _graph(session, session.state, answered(session))


def graphs_after_each(session: Session) -> Iterator[tuple[str, BeliefGraph]]:
    """The id of every answer that is read, and the graph after it, without the interview."""
    tutorial = {qa.id for qa in session.qas if qa.kind == "tutorial"}
    for qa_id, state in network.after_each(session):
        if qa_id not in tutorial:
            yield qa_id, _graph(session, state, ())


def answered(session: Session) -> tuple[QA, ...]:
    """The answered QAs, those of the tutorial apart."""
    return tuple(qa for qa in session.qas if qa.kind != "tutorial" and qa.answer is not None)


def _graph(session: Session, state: State, qas: tuple[QA, ...]) -> BeliefGraph:
    rejected = [
        edge_of(session.config.parameters, one.source, one.target, one.evidence)
        for one in state.rejected
    ]
    return read_graph(
        {
            "agent_id": session.participant_id,
            "topic": session.topic,
            "stance_node": STANCE,
            "nodes": {
                key: {
                    "label": node.label,
                    "confidence": node.confidence,
                    "importance": node.importance,
                    "frequency": node.frequency,
                    "source_qa": node.source_qa,
                    "status": node.status,
                    "semantic_role": node.semantic_role,
                    "layer": node.layer,
                    "created_at_qa": node.created_at_qa,
                    "promoted_at_qa": node.promoted_at_qa,
                }
                for key, node in state.nodes.items()
            },
            "edges": {key: _edge(edge) for key, edge in state.edges.items()},
            "rejected_edges": [{"id": edge.id, **_edge(edge)} for edge in rejected],
            "qa_history": [_qa(session, qa) for qa in qas],
        }
    )


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "source": edge.source,
        "target": edge.target,
        "aggregate_confidence": edge.aggregate_confidence,
        "modifier": edge.modifier,
        "polarity": edge.polarity or 0,
        "strength": edge.strength,
        "evidence": [_evidence(one) for one in edge.evidence],
    }


def _evidence(one: Evidence) -> dict[str, Any]:
    strength = 0.5 if one.strength is None else one.strength
    return {
        "qa_id": one.qa_id,
        "confidence": one.confidence,
        "modifier": None if one.polarity is None else one.polarity * strength,
        "quote_span": one.quote_span,
    }


def _qa(session: Session, qa: QA) -> dict[str, Any]:
    target = qa.target
    return {
        "id": qa.id,
        "number": qa.number,
        "question": qa.question,
        "answer": qa.answer,
        "kind": qa.kind,
        "form": qa.form,
        "asks_about": {
            "node": target.node,
            "edge": None if target.source is None else f"{target.source}-{target.node}",
            "priority": qa.priority,
            "template": qa.template or None,
        },
        "extracted_pairs": _pairs(session, qa),
        "edited": [{"answer": one.answer, "at": one.at} for one in qa.edited],
        "input_mode": qa.input_mode,
        "latency_ms": qa.latency_ms,
        "asked_at": qa.asked_at,
        "answered_at": qa.answered_at,
    }


def _pairs(session: Session, qa: QA) -> list[dict[str, Any]]:
    return [
        {
            "source": edge.source,
            "target": edge.target,
            "confidence": one.confidence,
            "modifier": _evidence(one)["modifier"],
        }
        for edge in session.state.edges.values()
        for one in edge.evidence
        if one.qa_id == qa.id
    ]
