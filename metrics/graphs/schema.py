"""Causal belief graphs: what a person thinks matters, and what they think leads to what.

The field names are those of the HugAgent paper (§C, §D): `nodes` and `edges` are objects by id. A graph
that was made is sound: every number is in its range, every edge joins two known nodes, there are no
self-loops and no parallel edges. Cycles are allowed here, because simulated people have some;
`validation.problems` finds them, where a graph has to be without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from otherminds.metrics.errors import MetricError
from otherminds.strict import Strict

Unit: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
"""A number from 0 to 1."""

Signed: TypeAlias = Annotated[float, Field(strict=True, ge=-1, le=1, allow_inf_nan=False)]
"""A number from −1 to 1."""

Sign: TypeAlias = Literal[-1, 0, 1]
Id: TypeAlias = Annotated[str, Field(strict=True, min_length=1)]
Text: TypeAlias = Annotated[str, Field(strict=True)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0)]
Grade: TypeAlias = Literal["stated", "hinted", "implied"]


class Fault(NamedTuple):
    """What is wrong with a graph.

    name   of the fault, such as `self-loop`
    where  the part of the graph that has it
    says   the fault in words
    """

    name: str
    where: str
    says: str


class GraphError(MetricError):
    """What was given is no graph; `faults` are all that were found, in the order of the data."""

    _SHOWN = 5

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        shown = [f"{one.name} at {one.where}: {one.says}" for one in self.faults[: self._SHOWN]]
        more = len(self.faults) - len(shown)
        rest = f"; and {more} more" if more else ""
        super().__init__(f"This is no belief graph: {'; '.join(shown)}{rest}.")


class Node(Strict):
    """A concept that a person's reasoning is about, or the stance.

    label           a short noun phrase in the person's words
    confidence      that the person holds it; None where nobody said
    importance      how much it matters to them
    frequency       in how many answers they mention it
    source_qa       ids of the answers that show it
    incoming_edges  ids of the edges into it; filled in where they are not given
    outgoing_edges  ids of the edges out of it; the same
    """

    id: Id
    label: Annotated[str, Field(strict=True, pattern=r"\S")]
    confidence: Unit | None = None
    importance: Unit | None = None
    frequency: Count | None = None
    source_qa: tuple[Id, ...] = ()
    incoming_edges: tuple[Id, ...] | None = None
    outgoing_edges: tuple[Id, ...] | None = None
    status: Literal["candidate", "belief", "anchor", "stance"] | None = None
    semantic_role: Literal["external_state", "internal_affect", "behavioral_intention"] | None = (
        None
    )
    layer: Literal["experience", "value", "stance"] | None = None
    created_at_qa: Id | None = None
    promoted_at_qa: Id | None = None


class Evidence(Strict):
    """One answer that shows an edge."""

    qa_id: Id
    confidence: Unit
    modifier: Signed | None = None
    quote_span: Text | tuple[Count, Count] | None = None


class Edge(Strict):
    """The person's belief that more of `source` raises or lowers `target`.

    modifier              sign and strength: > 0 raises, < 0 lowers, 0 has no effect
    polarity              the sign of `modifier`; filled in where it is not given
    strength              how strong; |modifier| where it is not given, None where nobody asked yet
    aggregate_confidence  overall belief in the link
    grade                 how firmly the interview shows it (simulated people)
    """

    id: Id
    source: Id
    target: Id
    aggregate_confidence: Unit
    modifier: Signed
    polarity: Sign
    strength: Unit | None
    evidence: tuple[Evidence, ...] = ()
    grade: Grade | None = None

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        modifier = given.get("modifier")
        if isinstance(modifier, bool) or not isinstance(modifier, int | float):
            # Its own field says what is wrong with it.
            return {"polarity": 0, "strength": None, **given}
        return {"polarity": sign_of(modifier), "strength": min(abs(modifier), 1.0), **given}

    @model_validator(mode="after")
    def _consistent(self) -> Edge:
        if self.polarity != sign_of(self.modifier):
            raise PydanticCustomError(
                "polarity", f"polarity {self.polarity} is not the sign of modifier {self.modifier}"
            )
        return self


class Pair(Strict):
    """A link that one answer names."""

    source: Id
    target: Id
    confidence: Unit
    modifier: Signed | None = None


class AsksAbout(Strict):
    """Why a question was asked."""

    node: Id | None = None
    edge: Id | None = None
    priority: Annotated[int, Field(strict=True, ge=1, le=4)] | None = None
    template: Id | None = None


class Version(Strict):
    """An earlier version of an answer."""

    answer: Text
    at: datetime | None = None


class QA(Strict):
    """One question and the person's answer, word for word."""

    id: Id
    question: Text
    answer: Text
    number: Count | None = None
    kind: Id | None = None
    form: Literal["context", "polarity"] | None = None
    asks_about: AsksAbout | None = None
    extracted_pairs: tuple[Pair, ...] = ()
    edited: tuple[Version, ...] = ()
    input_mode: Literal["text", "voice"] | None = None
    latency_ms: Count | None = None
    asked_at: datetime | None = None
    answered_at: datetime | None = None


class BeliefGraph(Strict):
    """A person's causal belief graph on one topic.

    nodes           by id, the stance among them
    edges           by id
    stance_node     the id of the stance
    qa_history      the interview; given as a list or as an object by id
    rejected_edges  edges that an interviewer left out, because they would have closed a cycle
    """

    nodes: dict[Id, Node]
    edges: dict[Id, Edge]
    stance_node: Id
    agent_id: Id | None = None
    topic: Id | None = None
    demographics: dict[str, Text] = Field(default_factory=dict)
    qa_history: tuple[QA, ...] = ()
    rejected_edges: tuple[Edge, ...] = ()

    @field_validator("nodes", "edges", mode="before")
    @classmethod
    def _by_id(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        return {key: _with_id(key, one) for key, one in given.items()}

    @field_validator("qa_history", mode="before")
    @classmethod
    def _as_list(cls, given: Any) -> Any:
        if isinstance(given, Mapping):
            return tuple(_with_id(key, one) for key, one in given.items())
        return given

    @field_validator("demographics", mode="before")
    @classmethod
    def _as_object(cls, given: Any) -> Any:
        if isinstance(given, list | tuple) and all(
            isinstance(one, Mapping) and set(one) == {"attribute", "value"} for one in given
        ):
            return {one["attribute"]: one["value"] for one in given}
        return given

    @model_validator(mode="after")
    def _sound(self) -> BeliefGraph:
        faults = [*_node_faults(self), *_edge_faults(self)]
        if not faults:
            faults = list(self._tie())
        if faults:
            raise PydanticCustomError("graph", "a graph with faults", {"faults": faults})
        return self

    def _tie(self) -> Iterable[Fault]:
        """Fill in the lists of edges of every node, and yield those that were given wrong."""
        incoming: dict[str, list[str]] = {key: [] for key in self.nodes}
        outgoing: dict[str, list[str]] = {key: [] for key in self.nodes}
        for key, edge in self.edges.items():
            outgoing[edge.source].append(key)
            incoming[edge.target].append(key)
        tied = {}
        for key, node in self.nodes.items():
            true = {"incoming_edges": incoming[key], "outgoing_edges": outgoing[key]}
            for name, ids in true.items():
                given = getattr(node, name)
                if given is not None and sorted(given) != sorted(ids):
                    yield Fault("edge-list", f"nodes.{key}", f"{name} is not what the edges say")
            tied[key] = node.model_copy(update={name: tuple(ids) for name, ids in true.items()})
        object.__setattr__(self, "nodes", tied)

    @property
    def stance(self) -> Node:
        """The node of the stance."""
        return self.nodes[self.stance_node]

    @property
    def factors(self) -> tuple[str, ...]:
        """The ids of all nodes but the stance, in the order of the data."""
        return tuple(key for key in self.nodes if key != self.stance_node)

    @property
    def effects(self) -> tuple[Edge, ...]:
        """The edges with a sign. An edge with modifier 0 says that there is no effect."""
        return tuple(edge for edge in self.edges.values() if edge.polarity != 0)

    def into_stance(self) -> dict[str, Edge]:
        """The edges with a sign that act on the stance directly, by their source."""
        return {edge.source: edge for edge in self.effects if edge.target == self.stance_node}

    def keeping(self, kept: Callable[[Edge], bool], *, isolated: bool = False) -> BeliefGraph:
        """The graph of the edges that `kept` accepts, with the nodes that they join and the stance.

        isolated  keep all nodes, those without an edge included
        """
        edges = {key: edge for key, edge in self.edges.items() if kept(edge)}
        used = {self.stance_node}
        for edge in edges.values():
            used |= {edge.source, edge.target}
        nodes = {
            key: node.model_copy(update={"incoming_edges": None, "outgoing_edges": None})
            for key, node in self.nodes.items()
            if isolated or key in used
        }
        return BeliefGraph(**{**_fields(self), "nodes": nodes, "edges": edges})


class Link(NamedTuple):
    """An edge in short: ids of its nodes, its modifier, and the confidence in it."""

    source: str
    target: str
    modifier: float
    confidence: float = 1.0


GRADES: Final[tuple[Grade, ...]] = ("stated", "hinted")
"""The grades of the edges that a reader of an interview can find."""


def graph_of(
    labels: Mapping[str, str], links: Iterable[Link], *, stance_node: str, **more: Any
) -> BeliefGraph:
    """A graph from labels by node id, the stance's among them, and links.

    Edges get the ids e1, e2, … in the given order; `more` are further fields of `BeliefGraph`. Raises
    GraphError for what is no sound graph.
    """
    edges = {
        f"e{number}": {
            "source": link.source,
            "target": link.target,
            "modifier": link.modifier,
            "aggregate_confidence": link.confidence,
        }
        for number, link in enumerate(links, start=1)
    }
    nodes = {key: {"label": label} for key, label in labels.items()}
    return read_graph({**more, "nodes": nodes, "edges": edges, "stance_node": stance_node})


def read_graph(data: Any) -> BeliefGraph:
    """The graph that an object of the schema describes. Raises GraphError, which names all faults."""
    try:
        return BeliefGraph.model_validate(data)
    except ValidationError as error:
        raise GraphError(_faults_of(error)) from None


def sign_of(modifier: float) -> Sign:
    """1, −1 or 0; 0 for NaN too."""
    if modifier > 0:
        return 1
    return -1 if modifier < 0 else 0


def _with_id(key: Any, one: Any) -> Any:
    if isinstance(one, Mapping) and "id" not in one:
        return {"id": key, **one}
    return one


def _fields(graph: BeliefGraph) -> dict[str, Any]:
    return {name: getattr(graph, name) for name in type(graph).model_fields}


def _node_faults(graph: BeliefGraph) -> Iterable[Fault]:
    if graph.stance_node not in graph.nodes:
        yield Fault("no-stance", "stance_node", f"'{graph.stance_node}' is no node")
    for key, node in graph.nodes.items():
        if node.id != key:
            yield Fault("other-id", f"nodes.{key}", f"its id is '{node.id}'")
        if node.status == "stance" and key != graph.stance_node:
            yield Fault("second-stance", f"nodes.{key}", f"the stance is '{graph.stance_node}'")


def _edge_faults(graph: BeliefGraph) -> Iterable[Fault]:
    seen: dict[tuple[str, str], str] = {}
    for key, edge in graph.edges.items():
        where = f"edges.{key}"
        if edge.id != key:
            yield Fault("other-id", where, f"its id is '{edge.id}'")
        for end in (edge.source, edge.target):
            if end not in graph.nodes:
                yield Fault("unknown-node", where, f"'{end}' is no node")
        if edge.source == edge.target:
            yield Fault("self-loop", where, f"'{edge.source}' leads to itself")
        first = seen.setdefault((edge.source, edge.target), key)
        if first != key:
            yield Fault("parallel-edge", where, f"joins the same nodes the same way as '{first}'")


_NAMES: Final = {
    "missing": "missing",
    "extra_forbidden": "unknown-field",
    "finite_number": "not-finite",
    "greater_than_equal": "out-of-range",
    "less_than_equal": "out-of-range",
    "polarity": "polarity",
    "string_pattern_mismatch": "empty-label",
}


def _faults_of(error: ValidationError) -> Iterable[Fault]:
    for one in error.errors(include_url=False, include_input=False):
        if one["type"] == "graph":
            yield from one["ctx"]["faults"]
            continue
        where = ".".join(str(part) for part in one["loc"]) or "the graph"
        yield Fault(_NAMES.get(one["type"], "wrong-type"), where, one["msg"])
