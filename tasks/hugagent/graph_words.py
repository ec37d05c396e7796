"""Belief graphs in words, for lists of samples: what leads to what, what is wrong, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.replies import FAULTS
from otherminds.metrics.graphs.schema import BeliefGraph, Edge

_NO_FAULTS: Mapping[str, int] = MappingProxyType({})


def in_words(graph: BeliefGraph, faults: Mapping[str, int] = _NO_FAULTS) -> str:
    """The edges of a graph, and the faults of the reply that it was read from."""
    edges = [_words(edge, graph) for edge in graph.effects]
    return "; ".join([*(edges or ["no edges"]), *_faults(faults)])


def compared(matching: Matching, faults: Mapping[str, int] = _NO_FAULTS) -> str:
    """The edges of the other graph, each with what is wrong with it; the missing ones; the faults."""
    other = matching.predicted
    edges = [f"{_words(edge, other)} [{_verdict(matching, edge)}]" for edge in other.effects]
    missing = [
        f"missing: {_words(edge, matching.gold)}"
        for ends, edge in matching.gold_edges.items()
        if ends not in matching.predicted_edges
    ]
    return "; ".join([*(edges or ["no edges"]), *missing, *_faults(faults)])


def _words(edge: Edge, graph: BeliefGraph) -> str:
    source, target = (
        "the stance" if end == graph.stance_node else graph.nodes[end].label
        for end in (edge.source, edge.target)
    )
    return f"{source} {'raises' if edge.polarity > 0 else 'lowers'} {target}"


def _verdict(matching: Matching, edge: Edge) -> str:
    ends = (matching.to_gold.get(edge.source, ""), matching.to_gold.get(edge.target, ""))
    true = matching.gold_edges.get(ends)
    if true is None:
        return "not in the person's graph"
    return "right" if true.polarity == edge.polarity else "wrong sign"


def _faults(faults: Mapping[str, int]) -> Iterator[str]:
    for name, count in faults.items():
        yield f"fault: {FAULTS[name]} ({count:,})"
