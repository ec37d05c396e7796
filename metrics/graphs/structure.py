"""What a graph looks like in numbers, whatever it says: after Fig. 19 of the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from otherminds.metrics.graphs.schema import BeliefGraph

STATISTICS: Final[Mapping[str, str]] = {
    "nodes": "|V|, the stance included",
    "edges": "|E|, those with modifier 0 included",
    "density": "|E| / (|V|·(|V| − 1))",
    "mean_degree": "2·|E| / |V|",
    "mean_importance": "mean importance of the nodes that have one",
    "mean_confidence": "mean aggregate_confidence of the edges",
    "anchor_ratio": "share of the factors that are anchors",
    "stance_in_degree": "edges with a sign that point to the stance",
    "mean_stance_modifier": "mean |modifier| of edges to the stance",
}
"""The statistics of a graph, and what they are."""


def structure(graph: BeliefGraph) -> dict[str, float]:
    """STATISTICS of one graph; NaN for a mean over nothing.

    `anchor_ratio` is NaN where no node has a status other than `belief` and `stance`: nobody looked for
    anchors then.
    """
    nodes, edges = len(graph.nodes), len(graph.edges)
    into = graph.into_stance().values()
    factors = [graph.nodes[key] for key in graph.factors]
    staged = any(node.status in ("anchor", "candidate") for node in factors)
    return {
        "nodes": float(nodes),
        "edges": float(edges),
        "density": edges / (nodes * (nodes - 1)) if nodes > 1 else math.nan,
        "mean_degree": 2 * edges / nodes,
        "mean_importance": _mean(
            [node.importance for node in graph.nodes.values() if node.importance is not None]
        ),
        "mean_confidence": _mean([edge.aggregate_confidence for edge in graph.edges.values()]),
        "anchor_ratio": (
            _mean([float(node.status == "anchor") for node in factors]) if staged else math.nan
        ),
        "stance_in_degree": float(len(into)),
        "mean_stance_modifier": _mean([abs(edge.modifier) for edge in into]),
    }


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
