"""Belief graphs for tests: drawn in a line per edge, or by hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from otherminds.metrics.graphs import BeliefGraph, Edge, Link, graph_of, read_graph
from otherminds.types import FloatArray

STANCE = "S"
CONCEPTS = ("rent", "school", "traffic", "noise", "park", "tax", "shop", "view")


def drawn(*edges: str, alone: str = "", **more: Any) -> BeliefGraph:
    """A graph of lines such as "a +.5 b @.25": source, modifier, target and, if not 1, confidence.

    alone  further nodes, apart by spaces; every label is its node's id, and the stance is S
    """
    links = []
    for line in edges:
        source, modifier, target, *confidence = line.split()
        links.append(
            Link(source, target, float(modifier), *(float(one.lstrip("@")) for one in confidence))
        )
    ends = [end for link in links for end in link[:2]]
    labels = {key: key for key in (STANCE, *ends, *alone.split())}
    return graph_of(labels, links, stance_node=STANCE, **more)


def renamed(graph: BeliefGraph, names: Mapping[str, str], order: Sequence[int]) -> BeliefGraph:
    """The same graph with other ids of nodes and edges, which stand in another order."""
    nodes = {
        names[key]: {"label": node.label, "confidence": node.confidence}
        for key, node in graph.nodes.items()
    }
    keys = list(nodes)
    edges = [
        {
            "source": names[edge.source],
            "target": names[edge.target],
            "modifier": edge.modifier,
            "strength": edge.strength,
            "aggregate_confidence": edge.aggregate_confidence,
        }
        for edge in graph.edges.values()
    ]
    return read_graph(
        {
            "nodes": {keys[place]: nodes[keys[place]] for place in order},
            "edges": {f"x{9 - number}": edge for number, edge in reversed(list(enumerate(edges)))},
            "stance_node": names[graph.stance_node],
        }
    )


def without(graph: BeliefGraph, *edges: str) -> BeliefGraph:
    """The graph without some edges, with all its nodes."""

    def kept(edge: Edge) -> bool:
        return edge.id not in edges

    return graph.keeping(kept, isolated=True)


@st.composite
def graphs(draw: st.DrawFn, most: int = 5, labels: Sequence[str] = CONCEPTS) -> BeliefGraph:
    """Any sound graph of up to `most` factors, with cycles and edges without effect."""
    chosen = draw(st.lists(st.sampled_from(labels), max_size=most, unique=True))
    keys = [STANCE, *(f"n{number}" for number in range(len(chosen)))]
    pairs = [(one, other) for one in keys for other in keys if one != other]
    joined = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12)) if chosen else []
    tenths = st.integers(-10, 10).map(lambda number: number / 10)
    links = [
        Link(*ends, modifier=draw(tenths), confidence=draw(st.sampled_from((0.25, 0.5, 1.0))))
        for ends in joined
    ]
    return graph_of(
        dict(zip(keys, ["the stance", *chosen], strict=True)), links, stance_node=STANCE
    )


_RNG = np.random.default_rng(7)
_VECTORS = dict(zip(CONCEPTS, _RNG.standard_normal((len(CONCEPTS), 2)), strict=True))


def alike(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Similarities by made-up embeddings in the plane, where many labels are close to several others."""
    rows, columns = (
        np.array([_VECTORS[label] for label in labels]).reshape(-1, 2) for labels in (first, second)
    )
    lengths = np.outer(np.linalg.norm(rows, axis=1), np.linalg.norm(columns, axis=1))
    return np.asarray(rows @ columns.T / lengths)
