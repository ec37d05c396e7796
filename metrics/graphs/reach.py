"""What moves the stance: the sign of every factor's total effect on it.

The total effect of a factor is the sum, over the paths from it to the stance, of the product of the
modifiers on the path; its sign is what more of the factor does to the stance. Ours, after the sketch
of the paper that a path's sign is the product of its edges' signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import networkx as nx

from otherminds.metrics.graphs.agreement import Agreement, agreement
from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.schema import BeliefGraph, Sign, sign_of

MOST_PATHS = 10_000
"""So many paths of a graph with cycles are followed; what is longer is left out."""

_TIE = 1e-9
"""A sum is 0 where it is this small a part of its terms' sizes: rounding decides no sign."""

_Path: TypeAlias = tuple[tuple[str, ...], float]
_Sum: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class TotalEffects:
    """The total effect of each factor from which a path leads to the stance.

    effects  by factor: Σ over paths of Π modifier
    signs    its sign by factor; 0 where the paths cancel each other
    longest  paths of at most so many edges were followed; None where all were
    """

    effects: Mapping[str, float]
    signs: Mapping[str, Sign]
    longest: int | None


def total_effects(graph: BeliefGraph, *, most_paths: int = MOST_PATHS) -> TotalEffects:
    """The total effect of every factor on the stance. Edges with modifier 0 are no path.

    A path visits no node twice, and ends where it first comes to the stance. Where the factors that
    reach the stance are without cycles, all paths count, however many. With cycles, paths are
    followed step by step: to all lengths of which there are at most `most_paths` paths together, and
    at least to length 1. Neither ids nor the order of nodes matter.
    """
    into: dict[str, list[tuple[str, float]]] = {key: [] for key in graph.nodes}
    for edge in graph.effects:
        if edge.source != graph.stance_node:
            into[edge.target].append((edge.source, edge.modifier))
    order = _order(graph.stance_node, into)
    if order is not None:
        sums, longest = _by_order(graph.stance_node, into, order), None
    else:
        sums, longest = _by_paths(graph.stance_node, into, most_paths)
    effects = {
        key: 0.0 if abs(total) <= _TIE * size else total
        for key in graph.factors
        if key in sums
        for total, size in [sums[key]]
    }
    return TotalEffects(effects, {key: sign_of(one) for key, one in effects.items()}, longest)


def reachability(matching: Matching) -> Agreement:
    """Agreement of the pairs (factor, sign of its total effect on the stance).

    recall is the share of gold pairs that were found. Factors without a path to the stance, or whose
    paths cancel each other, are no pair.
    """
    gold = _pairs(matching.gold)
    predicted = _pairs(matching.predicted)
    to_gold = matching.to_gold
    hits = sum(gold.get(to_gold.get(key, "")) == sign for key, sign in predicted.items())
    return agreement(hits, len(predicted), hits, len(gold))


def _pairs(graph: BeliefGraph) -> dict[str, Sign]:
    return {key: sign for key, sign in total_effects(graph).signs.items() if sign != 0}


_Into: TypeAlias = Mapping[str, list[tuple[str, float]]]


def _order(stance: str, into: _Into) -> list[str] | None:
    """Nodes that reach the stance, each after all that it acts on; None where they have a cycle."""
    reaching: nx.DiGraph[str] = nx.DiGraph()
    reaching.add_node(stance)
    left = [stance]
    while left:
        node = left.pop()
        for source, _ in into[node]:
            if source not in reaching:
                left.append(source)
            reaching.add_edge(node, source)
    try:
        return list(nx.topological_sort(reaching))
    except nx.NetworkXUnfeasible:
        return None


def _by_order(stance: str, into: _Into, order: list[str]) -> dict[str, _Sum]:
    terms: dict[str, list[_Sum]] = {key: [] for key in order}
    sums: dict[str, _Sum] = {}
    for node in order:
        sums[node] = (1.0, 1.0) if node == stance else _sum(terms[node])
        total, size = sums[node]
        for source, modifier in into[node]:
            terms[source].append((modifier * total, abs(modifier) * size))
    return sums


def _by_paths(stance: str, into: _Into, most_paths: int) -> tuple[dict[str, _Sum], int | None]:
    terms: dict[str, list[_Sum]] = {}
    paths: list[_Path] = [((stance,), 1.0)]
    followed = length = 0
    while True:
        # One more than may be followed is enough to know that there are too many.
        left = most_paths - followed if length else None
        longer = list(islice(_longer(paths, into), None if left is None else max(left, 0) + 1))
        if left is not None and len(longer) > left:
            return _sums(terms), length
        if not longer:
            return _sums(terms), None
        for path, product in longer:
            terms.setdefault(path[-1], []).append((product, abs(product)))
        followed, length, paths = followed + len(longer), length + 1, longer


def _longer(paths: list[_Path], into: _Into) -> Iterator[_Path]:
    for path, product in paths:
        for source, modifier in into[path[-1]]:
            if source not in path:
                yield (*path, source), product * modifier


def _sums(terms: Mapping[str, list[_Sum]]) -> dict[str, _Sum]:
    return {key: _sum(found) for key, found in terms.items()}


def _sum(terms: list[_Sum]) -> _Sum:
    return math.fsum(total for total, _ in terms), math.fsum(size for _, size in terms)
