"""What a sound graph may still be refused for: cycles, loose parts, too many edges, foreign labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx

from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.schema import BeliefGraph, Fault, GraphError, read_graph

LEAST_COVERAGE = 0.8
MOST_NODES = 1_000


def problems(
    graph: BeliefGraph,
    *,
    acyclic: bool = True,
    degrees: tuple[int, int | None] = (1, None),
    vocabulary: Iterable[str] | None = None,
    least_coverage: float = LEAST_COVERAGE,
    most_nodes: int = MOST_NODES,
) -> tuple[Fault, ...]:
    """What is wrong with a graph of people, after §P.8 of the paper; empty where nothing is.

    acyclic         whether cycles are a fault, as in graphs of people; simulated ones may have some
    degrees         the least and the most edges of a node; None: no limit
    vocabulary      labels that are known; with it, at least `least_coverage` of the factors, by
    normal form,
                    must be among them
    least_coverage  ours: 0.8
    most_nodes      a person holds fewer concepts

    Faults: `empty` (no factor), `too-many-nodes`, `cycle`, `unreachable` (no way from a node to the
    stance, in whatever direction its edges point), `degree`, `same-label` (two nodes with one normal
    form), `coverage`, `unknown-qa` (evidence from an answer that is not in the interview).
    """
    found = [*_size(graph, most_nodes)]
    if acyclic:
        found += _cycle(graph)
    found += [*_unreachable(graph), *_degrees(graph, *degrees), *_same_labels(graph)]
    if vocabulary is not None:
        found += _coverage(graph, vocabulary, least_coverage)
    return (*found, *_unknown_answers(graph))


def check(graph: BeliefGraph, **limits: Any) -> BeliefGraph:
    """The graph itself. Raises GraphError with what `problems` finds; `limits` are its arguments."""
    found = problems(graph, **limits)
    if found:
        raise GraphError(found)
    return graph


def loads(text: str) -> BeliefGraph:
    """The graph in a JSON text of the schema; raises as `strict_json` and `read_graph` do."""
    return read_graph(strict_json(text))


def strict_json(text: str) -> Any:
    """What a JSON text holds.

    Raises GraphError for whatever else it is: `not-json` (with comments, or with text around it, too),
    `duplicate-key`, `not-finite`.
    """
    repeated: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        repeated.extend(sorted({key for key in keys if keys.count(key) > 1}))
        return dict(pairs)

    def refuse(name: str) -> float:
        raise GraphError([Fault("not-finite", "the text", f"{name} is no number")])

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except GraphError:
        raise
    except (ValueError, RecursionError) as error:
        # Python's other words, about nesting and long numbers, tell nobody what to do.
        said, where = "something in it is too deep or too long", "the text"
        if isinstance(error, json.JSONDecodeError):
            said, where = error.msg, f"line {error.lineno}, column {error.colno}"
        raise GraphError(
            [Fault("not-json", where, f"give one JSON object and nothing else ({said})")]
        ) from None
    if repeated:
        raise GraphError(
            Fault("duplicate-key", "the text", f"'{key}' stands twice in one object")
            for key in repeated
        )
    return data


def _size(graph: BeliefGraph, most_nodes: int) -> Iterator[Fault]:
    if not graph.factors:
        yield Fault("empty", "nodes", "there is no node but the stance")
    if len(graph.nodes) > most_nodes:
        yield Fault("too-many-nodes", "nodes", f"{len(graph.nodes)}, of at most {most_nodes}")


def _cycle(graph: BeliefGraph) -> Iterator[Fault]:
    directed: nx.DiGraph[str] = nx.DiGraph()
    directed.add_edges_from((edge.source, edge.target) for edge in graph.edges.values())
    try:
        found = nx.find_cycle(directed)
    except nx.NetworkXNoCycle:
        return
    nodes = " → ".join([*(edge[0] for edge in found), found[0][0]])
    yield Fault("cycle", "edges", f"{nodes}: leave out the edge with the least evidence")


def _unreachable(graph: BeliefGraph) -> Iterator[Fault]:
    joined: nx.Graph[str] = nx.Graph()
    joined.add_nodes_from(graph.nodes)
    joined.add_edges_from((edge.source, edge.target) for edge in graph.edges.values())
    reached = nx.node_connected_component(joined, graph.stance_node)
    for key in graph.nodes:
        if key not in reached:
            yield Fault("unreachable", f"nodes.{key}", "nothing joins it to the stance")


def _degrees(graph: BeliefGraph, least: int, most: int | None) -> Iterator[Fault]:
    # A stance alone is empty, which is said already.
    for key, node in graph.nodes.items() if graph.factors else ():
        degree = len(node.incoming_edges or ()) + len(node.outgoing_edges or ())
        if degree < least:
            yield Fault("degree", f"nodes.{key}", f"{degree} edges, of at least {least}")
        elif most is not None and degree > most:
            yield Fault("degree", f"nodes.{key}", f"{degree} edges, of at most {most}")


def _same_labels(graph: BeliefGraph) -> Iterator[Fault]:
    first: dict[str, str] = {}
    for key, node in graph.nodes.items():
        same = first.setdefault(normal_form(node.label), key)
        if same != key:
            yield Fault("same-label", f"nodes.{key}", f"names what '{same}' names: merge them")


def _coverage(graph: BeliefGraph, vocabulary: Iterable[str], least: float) -> Iterator[Fault]:
    known = {normal_form(label) for label in vocabulary}
    labels = [graph.nodes[key].label for key in graph.factors]
    share = sum(normal_form(label) in known for label in labels) / len(labels) if labels else 1.0
    if share < least:
        foreign = next(label for label in labels if normal_form(label) not in known)
        yield Fault(
            "coverage",
            "nodes",
            f"{share:.0%} of the labels are in the vocabulary, of at least {least:.0%}; "
            f"'{foreign}' is not",
        )


def _unknown_answers(graph: BeliefGraph) -> Iterator[Fault]:
    if not graph.qa_history:
        return
    known = {qa.id for qa in graph.qa_history}
    named = [
        *((f"nodes.{key}", qa) for key, node in graph.nodes.items() for qa in node.source_qa),
        *(
            (f"edges.{key}", one.qa_id)
            for key, edge in graph.edges.items()
            for one in edge.evidence
        ),
    ]
    for where, qa in named:
        if qa not in known:
            yield Fault("unknown-qa", where, f"'{qa}' is no answer of the interview")
