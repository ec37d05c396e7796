"""Belief graphs from and to rows of the configuration `agents`, and the release schema of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import Field, ValidationError

from otherminds.metrics.graphs.schema import (
    BeliefGraph,
    Fault,
    GraphError,
    Id,
    Sign,
    Text,
    Unit,
    read_graph,
)
from otherminds.strict import Strict

Finite: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive: TypeAlias = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


class ReleaseNode(Strict):
    """A node of the release schema (paper, §P.9); `label` names it in the edges, unless it has an
    id."""

    label: Id
    importance: Unit | None = None
    id: Id | None = None


class ReleaseEdge(Strict):
    """An edge of the release schema; its modifier is sign · weight."""

    source: Id
    target: Id
    sign: Sign
    weight: Unit
    confidence: Unit


class ReleaseGraph(Strict):
    """`belief_graph` of the release schema."""

    nodes: tuple[ReleaseNode, ...]
    edges: tuple[ReleaseEdge, ...]
    stance_node: Id


class State(Strict):
    """Stance, 1–10, and the weights of the reasons, before or after an intervention."""

    stance: float = Field(strict=True, ge=1, le=10, allow_inf_nan=False)
    reason_weights: dict[str, Positive] = Field(default_factory=dict)


class Intervention(Strict):
    """What an intervention moves, by factor, and the words in which people read it."""

    deltas: dict[str, Finite]
    paraphrase: Text | None = None


class Turn(Strict):
    """A question of the interview and its answer."""

    question: Text
    answer: Text


class Release(Strict):
    """One record of the release schema: a person's graph on a topic, and one intervention, if any."""

    belief_graph: ReleaseGraph
    demographic: dict[str, Text] = Field(default_factory=dict)
    state_before: State | None = None
    state_after: State | None = None
    intervention: Intervention | None = None
    transcript: tuple[Turn, ...] = ()
    agent_id: Id | None = None
    topic: Id | None = None


def from_agent(row: Mapping[str, Any], label: Callable[[str], str] | None = None) -> BeliefGraph:
    """The graph of a row of the configuration `agents`, with the interview.

    label  words for the name of a factor; by default its name with spaces for underscores

    A node's id is its name; modifier = sign · weight, strength = weight, frequency = evidence. The row
    has no confidence in nodes. Raises GraphError where the row is no sound graph.
    """
    words = label or (lambda name: name.replace("_", " "))
    try:
        graph = row["graph"]
        stances = [node["name"] for node in graph["nodes"] if node["is_stance"]]
        if len(stances) != 1:
            raise GraphError([Fault("no-stance", "nodes", f"{len(stances)} nodes are the stance")])
        _refuse_twice([node["name"] for node in graph["nodes"]])
        data = {
            "agent_id": row.get("participant_id"),
            "topic": row.get("topic"),
            "demographics": row.get("demographics") or {},
            "stance_node": stances[0],
            "nodes": {
                node["name"]: {
                    "label": words(node["name"]),
                    "importance": node["importance"],
                    "frequency": node["evidence"],
                    "status": "stance" if node["is_stance"] else "belief",
                }
                for node in graph["nodes"]
            },
            "edges": {
                f"e{number}": {
                    "source": edge["source"],
                    "target": edge["target"],
                    "modifier": edge["sign"] * edge["weight"],
                    "strength": edge["weight"],
                    "aggregate_confidence": edge["confidence"],
                    "grade": edge.get("grade"),
                }
                for number, edge in enumerate(graph["edges"], start=1)
            },
            "qa_history": [
                {
                    "id": f"q{number}",
                    "number": number,
                    "question": turn["question"],
                    "answer": turn["answer"],
                    "kind": turn.get("kind"),
                }
                for number, turn in enumerate(row.get("transcript") or (), start=1)
            ],
        }
    except (KeyError, TypeError) as error:
        raise GraphError([Fault("missing", "the row", f"no row of `agents` ({error!r})")]) from None
    return read_graph(data)


def to_agent(graph: BeliefGraph) -> dict[str, list[dict[str, Any]]]:
    """The column `graph` of a row of the configuration `agents`; the inverse of `from_agent`.

    Nodes are named by their ids. Raises GraphError where a node has no importance or an edge no
    strength, which such a row must have.
    """
    faults = [
        Fault("missing", f"nodes.{key}", "no importance")
        for key, node in graph.nodes.items()
        if node.importance is None
    ] + [
        Fault("missing", f"edges.{key}", "no strength")
        for key, edge in graph.edges.items()
        if edge.strength is None
    ]
    if faults:
        raise GraphError(faults)
    return {
        "nodes": [
            {
                "name": key,
                "importance": node.importance,
                "evidence": node.frequency or 0,
                "is_stance": key == graph.stance_node,
            }
            for key, node in graph.nodes.items()
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "sign": edge.polarity,
                "confidence": edge.aggregate_confidence,
                "weight": edge.strength,
                "grade": edge.grade,
            }
            for edge in graph.edges.values()
        ],
    }


def from_release(record: Mapping[str, Any] | Release) -> BeliefGraph:
    """The graph of a record of the release schema, with the interview.

    Node ids are those of the record, and labels where it has none. Raises GraphError.
    """
    release = record if isinstance(record, Release) else _read_release(record)
    found = release.belief_graph
    keys = [node.id or node.label for node in found.nodes]
    _refuse_twice(keys)
    return read_graph(
        {
            "agent_id": release.agent_id,
            "topic": release.topic,
            "demographics": release.demographic,
            "stance_node": found.stance_node,
            "nodes": {
                key: {"label": node.label, "importance": node.importance}
                for key, node in zip(keys, found.nodes, strict=True)
            },
            "edges": {
                f"e{number}": {
                    "source": edge.source,
                    "target": edge.target,
                    "modifier": edge.sign * edge.weight,
                    "strength": edge.weight,
                    "aggregate_confidence": edge.confidence,
                }
                for number, edge in enumerate(found.edges, start=1)
            },
            "qa_history": [
                {"id": f"q{number}", "number": number, **turn.model_dump()}
                for number, turn in enumerate(release.transcript, start=1)
            ],
        }
    )


def to_release(
    graph: BeliefGraph,
    *,
    before: State | None = None,
    after: State | None = None,
    intervention: Intervention | None = None,
) -> Release:
    """A record of the release schema, with the states and the intervention where they are given.

    Lost are what the schema has no field for: confidence in nodes, evidence, grades. Where nobody asked
    for an edge's strength, |modifier| is its weight.
    """
    return Release(
        belief_graph=ReleaseGraph(
            nodes=tuple(
                ReleaseNode(id=key, label=node.label, importance=node.importance)
                for key, node in graph.nodes.items()
            ),
            edges=tuple(
                ReleaseEdge(
                    source=edge.source,
                    target=edge.target,
                    sign=edge.polarity,
                    weight=abs(edge.modifier) if edge.strength is None else edge.strength,
                    confidence=edge.aggregate_confidence,
                )
                for edge in graph.edges.values()
            ),
            stance_node=graph.stance_node,
        ),
        demographic=dict(graph.demographics),
        state_before=before,
        state_after=after,
        intervention=intervention,
        transcript=tuple(Turn(question=qa.question, answer=qa.answer) for qa in graph.qa_history),
        agent_id=graph.agent_id,
        topic=graph.topic,
    )


def release_records(row: Mapping[str, Any]) -> Iterator[Release]:
    """The records of the release schema of a row of `agents`: one for each intervention.

    Each intervention is one on the initial state, as the questionnaire asks. Raises GraphError.
    """
    graph = from_agent(row)
    before = State(stance=row["initial_stance"], reason_weights=_weights(row["weights"]))
    for asked in row["interventions"]:
        yield to_release(
            graph,
            before=before,
            after=State(
                stance=asked["stance_after"], reason_weights=_weights(asked["weights_after"])
            ),
            intervention=Intervention(
                deltas={one["factor"]: one["delta"] for one in asked["deltas"]}
            ),
        )


def _weights(pairs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {one["factor"]: one["weight"] for one in pairs}


def _refuse_twice(keys: Sequence[str]) -> None:
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise GraphError([Fault("same-id", f"nodes.{key}", "two nodes have it") for key in twice])


def _read_release(record: Mapping[str, Any]) -> Release:
    try:
        return Release.model_validate(record)
    except ValidationError as error:
        raise GraphError(
            Fault("release", ".".join(map(str, one["loc"])) or "the record", one["msg"])
            for one in error.errors(include_url=False, include_input=False)
        ) from None
