"""Graph edit distance: how many changes make one graph the other.

The paper names the distance (§2.2); costs and normalisation are ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.graphs.matching import Matching, Similarity, match, pair_scores
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.uncertainty import SEED

MOST_NODES = 8
"""Graphs of up to so many nodes, the stance included, have their exact distance in short time."""

SAMPLE = 50

_NEVER = 1e6


def edit_cost(matching: Matching) -> int:
    """Changes that make the predicted graph the gold one, where its matched nodes stay what they are.

    1 for each node that is added or removed, 1 for each edge that is, 1 for each wrong sign; an edge
    that points the other way is removed and added. It is an upper bound of the graph edit distance,
    which is the least over all assignments of nodes that match.
    """
    gold, predicted = matching.gold_edges, matching.predicted_edges
    nodes = len(matching.gold.factors) + len(matching.predicted.factors) - 2 * len(matching.pairs)
    both = gold.keys() & predicted.keys()
    edges = len(gold) + len(matching.predicted.effects) - 2 * len(both)
    return nodes + edges + sum(gold[ends].polarity != predicted[ends].polarity for ends in both)


def size(matching: Matching) -> int:
    """|V| + |E| of both graphs, the stances included; edges with modifier 0 are not."""
    return sum(
        len(graph.nodes) + len(graph.effects) for graph in (matching.gold, matching.predicted)
    )


def normalized_edit_distance(matching: Matching) -> float:
    """`edit_cost` / (|V| + |E| + |V'| + |E'|): 0 for equal graphs, below 1 always.

    It stays below 1 because both stances are counted, which are the same node.
    """
    return edit_cost(matching) / size(matching)


def exact_edit_cost(
    gold: BeliefGraph,
    predicted: BeliefGraph,
    similarity: Similarity | None = None,
    *,
    threshold: float,
    most_nodes: int = MOST_NODES,
) -> int:
    """The graph edit distance itself, by networkx: the least `edit_cost` over all assignments.

    Nodes may be assigned to each other where their labels match at the `threshold`. It takes time
    that grows faster than exponentially: MetricError for graphs of more than `most_nodes` nodes.
    """
    largest = max(len(gold.nodes), len(predicted.nodes))
    if largest > most_nodes:
        raise MetricError(
            f"The exact distance of a graph of {largest} nodes: up to {most_nodes} are done."
        )
    bound = edit_cost(match(gold, predicted, similarity, threshold=threshold))
    alike = _alike(gold, predicted, similarity, threshold)

    def node_cost(one: dict[str, Any], other: dict[str, Any]) -> float:
        return 0.0 if (one["key"], other["key"]) in alike else _NEVER

    found = nx.graph_edit_distance(
        _networkx(gold),
        _networkx(predicted),
        node_subst_cost=node_cost,
        edge_subst_cost=lambda one, other: float(one["sign"] != other["sign"]),
        # It prunes what is not below this.
        upper_bound=bound + 0.5,
    )
    return bound if found is None else round(found)


@dataclass(frozen=True)
class Tightness:
    """How near the bound from the matching is to the exact distance, on a sample of pairs of graphs.

    n         pairs in the sample
    eligible  pairs of which both graphs have up to `most_nodes` nodes
    exact     share of the sample whose bound is the exact distance
    excess    mean of bound − exact distance, both normalised
    largest   the largest of these
    """

    n: int
    eligible: int
    most_nodes: int
    exact: float
    excess: float
    largest: float


def tightness(
    pairs: Sequence[tuple[BeliefGraph, BeliefGraph]],
    similarity: Similarity | None = None,
    *,
    threshold: float,
    sample: int = SAMPLE,
    most_nodes: int = MOST_NODES,
    seed: int = SEED,
) -> Tightness:
    """Compare the bound with the exact distance on `sample` pairs of small graphs, drawn with `seed`.

    Raises EmptyInput where no pair is small enough.
    """
    small = [pair for pair in pairs if max(len(graph.nodes) for graph in pair) <= most_nodes]
    if not small:
        raise EmptyInput(
            f"No pair of graphs of up to {most_nodes} nodes: there is nothing to compare."
        )
    chosen = np.random.default_rng(seed).permutation(len(small))[:sample]
    excess = []
    for place in sorted(chosen.tolist()):
        gold, predicted = small[place]
        matching = match(gold, predicted, similarity, threshold=threshold)
        exact = exact_edit_cost(
            gold, predicted, similarity, threshold=threshold, most_nodes=most_nodes
        )
        excess.append((edit_cost(matching) - exact) / size(matching))
    return Tightness(
        n=len(excess),
        eligible=len(small),
        most_nodes=most_nodes,
        exact=sum(one == 0 for one in excess) / len(excess),
        excess=math.fsum(excess) / len(excess),
        largest=max(excess),
    )


def _alike(
    gold: BeliefGraph, predicted: BeliefGraph, similarity: Similarity | None, threshold: float
) -> set[tuple[str, str]]:
    scores = pair_scores(gold, predicted, similarity, threshold=threshold)
    found = {
        (key, other)
        for key, row in zip(gold.factors, scores, strict=True)
        for other, score in zip(predicted.factors, row, strict=True)
        if score > 0
    }
    return found | {(gold.stance_node, predicted.stance_node)}


def _networkx(graph: BeliefGraph) -> nx.DiGraph[str]:
    made: nx.DiGraph[str] = nx.DiGraph()
    for key in graph.nodes:
        made.add_node(key, key=key)
    for edge in graph.effects:
        made.add_edge(edge.source, edge.target, sign=edge.polarity)
    return made
