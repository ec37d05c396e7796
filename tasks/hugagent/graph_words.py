"""Belief graphs in words, for lists of samples: what leads to what, what is wrong, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.replies import FAULTS
from otherminds.metrics.graphs.schema import BeliefGraph, Edge

_RIGHT, _SIGN, _FOREIGN, _MISSING = "right", "wrong sign", "not in the person's graph", "missing"
_NO_FAULTS: Mapping[str, int] = MappingProxyType({})


def in_words(graph: BeliefGraph, faults: Mapping[str, int] = _NO_FAULTS) -> str:
    """How many edges a graph has, and which; and the faults of the reply that it was read from."""
    edges = [_words(edge, graph) for edge in graph.effects]
    said = f"{len(edges)} edge{'s' * (len(edges) != 1)}"
    return "; ".join([f"{said}: {edges[0]}" if edges else said, *edges[1:], *_faults(faults)])


def compared(matching: Matching, faults: Mapping[str, int] = _NO_FAULTS) -> str:
    """How many edges are right, which are wrong and how, which are missing; and the faults."""
    by_verdict: dict[str, list[str]] = {name: [] for name in (_SIGN, _FOREIGN, _MISSING, _RIGHT)}
    for edge in matching.predicted.effects:
        by_verdict[_verdict(matching, edge)].append(_words(edge, matching.predicted))
    by_verdict[_MISSING] = [
        _words(edge, matching.gold)
        for ends, edge in matching.gold_edges.items()
        if ends not in matching.predicted_edges
    ]
    right = len(by_verdict[_RIGHT])
    return "; ".join(
        [
            f"{right} of {len(matching.gold_edges)} edges right",
            *(f"{name}: {words}" for name, found in by_verdict.items() for words in found),
            *_faults(faults),
        ]
    )


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
        return _FOREIGN
    return _RIGHT if true.polarity == edge.polarity else _SIGN


def _faults(faults: Mapping[str, int]) -> Iterator[str]:
    for name, count in faults.items():
        yield f"fault: {FAULTS[name]} ({count:,})"
