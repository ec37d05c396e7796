"""Small signed patterns of a graph: triads, and chains into the stance.

The paper names motif metrics without defining them; the patterns, the two measures and `support` are
ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from otherminds.metrics.errors import MetricError
from otherminds.metrics.graphs.agreement import Agreement, agreement
from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.schema import BeliefGraph, Sign
from otherminds.types import FloatArray

SignedEdge: TypeAlias = tuple[str, str, Sign]
"""Source, target and sign, 1 or −1."""

LONGEST_CHAIN = 3

_MARKS: Final = {1: "+", -1: "-"}
_SIGNS: Final[tuple[Sign, ...]] = (1, -1)
_UNORDERED: Final = ("++", "+-", "--")

MOTIFS: Final[tuple[str, ...]] = (
    *(f"chain {first}{second}" for first, second in product("+-", repeat=2)),
    *(f"fork {signs}" for signs in _UNORDERED),
    *(f"collider {signs}" for signs in _UNORDERED),
    *(
        f"stance {''.join(signs)}"
        for length in range(1, LONGEST_CHAIN + 1)
        for signs in product("+-", repeat=length)
    ),
)
"""The 24 patterns. Triads of three different nodes: chain a → b → c with its two signs in order, fork
a ← b → c and collider a → b ← c with theirs in any. Stance chains: paths of 1 to 3 edges that end at
the stance, signs from the far end on. Other edges among the same nodes do not matter."""


def motif_counts(graph: BeliefGraph) -> FloatArray:
    """How often each of MOTIFS occurs in a graph, shape (24,); edges with modifier 0 do not count."""
    return counts_of(edges_of(graph), graph.stance_node)


def edges_of(graph: BeliefGraph) -> list[SignedEdge]:
    """The edges with a sign."""
    return [(edge.source, edge.target, edge.polarity) for edge in graph.effects]


def counts_of(edges: Iterable[SignedEdge], stance: str) -> FloatArray:
    """How often each of MOTIFS occurs among these edges, without parallel ones, shape (24,).

    Counted from the signs at each node, so that it takes time linear in the edges but for those among
    what is next to the stance.
    """
    around = _Around.of(edges)
    found: Counter[str] = Counter()
    _count_triads(around, found)
    _count_chains(around, stance, found)
    return np.array([found[name] for name in MOTIFS], dtype=np.float64)


def motif_similarity(first: FloatArray, second: FloatArray) -> float:
    """1 − ½·Σ_k |m_k/Σm − m'_k/Σm'| of two vectors of counts, 0 to 1.

    1 where both graphs have no motif, 0 where one of them has none.
    """
    sizes = float(first.sum()), float(second.sum())
    if 0 in sizes:
        return float(sizes == (0, 0))
    # Rounding may leave the range by an ulp.
    return max(0.0, float(1 - np.abs(first / sizes[0] - second / sizes[1]).sum() / 2))


def motif_agreement(matching: Matching) -> Agreement:
    """Agreement of the motifs themselves: the same nodes in the same places, joined by the same signs.

    A motif is right where all its edges are, so that the right ones are those among the right edges.
    """
    gold = edges_of(matching.gold)
    predicted = {(*ends, edge.polarity) for ends, edge in matching.predicted_edges.items()}
    stance = matching.gold.stance_node
    right = float(counts_of([edge for edge in gold if edge in predicted], stance).sum())
    return agreement(
        right,
        float(motif_counts(matching.predicted).sum()),
        right,
        float(counts_of(gold, stance).sum()),
    )


@dataclass(frozen=True)
class MotifCorpus:
    """The edges of a corpus of interviews on one topic, by labels in normal form.

    graphs  one set of edges per interview; the stance is the empty label
    """

    graphs: tuple[frozenset[SignedEdge], ...]

    @classmethod
    def of(cls, graphs: Iterable[BeliefGraph]) -> MotifCorpus:
        """The corpus of these graphs. Raises MetricError where they are on several topics."""
        given = tuple(graphs)
        topics = sorted({graph.topic or "" for graph in given})
        if len(topics) > 1:
            raise MetricError(
                f"Graphs on the topics {', '.join(topics)}: labels are compared, so give those of one."
            )
        return cls(tuple(_labelled(graph) for graph in given))

    def support(self, graph: BeliefGraph, source: str, target: str, sign: Sign) -> float:
        """s_motif: how usual what this edge would complete is among the interviews, 0 to 1.

        The motifs are the triads and stance chains of `graph` with the edge that contain it. Each has
        as its support the share of interviews that have all its edges, by labels and signs; s_motif
        is the largest support. 0 without interviews, and where the edge completes nothing. Raises
        MetricError for nodes that the graph lacks, a self-loop, or a sign other than 1 and −1.
        """
        if source not in graph.nodes or target not in graph.nodes or source == target:
            raise MetricError(
                f"No edge from {source!r} to {target!r}: give two nodes of the graph."
            )
        if sign not in _SIGNS:
            raise MetricError(f"Sign {sign!r}: give 1 or -1.")
        names = _names(graph)
        new = (names[source], names[target], sign)
        others = [edge for edge in _labelled(graph) if edge[:2] != new[:2]]
        holding = [edges for edges in self.graphs if new in edges]
        if not holding:
            return 0.0
        shares = [
            sum(motif <= edges for edges in holding) / len(self.graphs)
            for motif in _completed(new, others)
        ]
        return max(shares, default=0.0)


@dataclass(frozen=True)
class _Around:
    """By node, the sign of each edge: of those into it by source, of those out of it by target."""

    into: Mapping[str, Mapping[str, Sign]]
    out: Mapping[str, Mapping[str, Sign]]

    @classmethod
    def of(cls, edges: Iterable[SignedEdge]) -> _Around:
        into: dict[str, dict[str, Sign]] = {}
        out: dict[str, dict[str, Sign]] = {}
        for source, target, sign in edges:
            for node in (source, target):
                into.setdefault(node, {})
                out.setdefault(node, {})
            into[target][source] = sign
            out[source][target] = sign
        return cls(into, out)


def _count_triads(around: _Around, found: Counter[str]) -> None:
    for node, sources in around.into.items():
        targets = around.out[node]
        into, out = Counter(sources.values()), Counter(targets.values())
        for first, second in product(_SIGNS, repeat=2):
            found[f"chain {_MARKS[first]}{_MARKS[second]}"] += into[first] * out[second]
        # a → b → a is no chain.
        for other in sources.keys() & targets.keys():
            found[f"chain {_MARKS[sources[other]]}{_MARKS[targets[other]]}"] -= 1
        for name, signs in (("fork", out), ("collider", into)):
            plus, minus = signs[1], signs[-1]
            found[f"{name} ++"] += plus * (plus - 1) // 2
            found[f"{name} +-"] += plus * minus
            found[f"{name} --"] += minus * (minus - 1) // 2


def _count_chains(around: _Around, stance: str, found: Counter[str]) -> None:
    counts = {node: Counter(sources.values()) for node, sources in around.into.items()}
    for last, end in around.into.get(stance, {}).items():
        found[f"stance {_MARKS[end]}"] += 1
        for middle, mid in around.into[last].items():
            if middle == stance:
                continue
            tail = _MARKS[mid] + _MARKS[end]
            found[f"stance {tail}"] += 1
            sources = around.into[middle]
            for sign in _SIGNS:
                # The far end is neither the stance nor on the path already.
                passed = sum(sources.get(node) == sign for node in (stance, last))
                found[f"stance {_MARKS[sign]}{tail}"] += counts[middle][sign] - passed


def _names(graph: BeliefGraph) -> dict[str, str]:
    names = {key: normal_form(node.label) for key, node in graph.nodes.items()}
    names[graph.stance_node] = ""
    return names


def _labelled(graph: BeliefGraph) -> frozenset[SignedEdge]:
    names = _names(graph)
    return frozenset(
        (names[source], names[target], sign) for source, target, sign in edges_of(graph)
    )


def _completed(new: SignedEdge, others: Sequence[SignedEdge]) -> Iterable[frozenset[SignedEdge]]:
    """The triads and stance chains that contain `new`, each as its edges."""
    source, target, _ = new
    for other in others:
        if len({source, target, *other[:2]}) == 3:
            yield frozenset({new, other})
    into: dict[str, list[SignedEdge]] = {}
    for edge in (new, *others):
        into.setdefault(edge[1], []).append(edge)
    chains: list[tuple[SignedEdge, ...]] = [()]
    for _ in range(LONGEST_CHAIN):
        chains = [
            (edge, *chain)
            for chain in chains
            for edge in into.get(chain[0][0] if chain else "", ())
            if edge[0] not in {"", *(passed[0] for passed in chain)}
        ]
        yield from (frozenset(chain) for chain in chains if new in chain)
