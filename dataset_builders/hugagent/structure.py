"""Statistics of belief networks, as a small table to lay beside those of human ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.population import (
    LEAST_FACTOR_EDGES,
    LEAST_STANCE_EDGES,
)


def table(agents: pa.Table) -> pa.Table:
    """Mean, standard deviation, least and largest of each statistic over people, by topic.

    `agents` is the configuration of that name. Columns: topic, statistic, n (people), mean, sd
    (with n − 1; NaN for one person), low, high.
    """
    graphs: dict[str, list[Mapping[str, Any]]] = {}
    rows = zip(agents.column("topic").to_pylist(), agents.column("graph").to_pylist(), strict=True)
    for topic, graph in rows:
        graphs.setdefault(topic, []).append(graph)
    return pa.Table.from_pylist(
        [
            _summary(topic, name, [statistic(graph) for graph in found])
            for topic, found in graphs.items()
            for name, statistic in _STATISTICS.items()
        ]
    )


def is_sound(graph: Mapping[str, Any]) -> bool:
    """Whether a network is weakly connected and rich enough to ask about."""
    edges = [(edge["source"], edge["target"]) for edge in graph["edges"]]
    names = {node["name"] for node in graph["nodes"]}
    stances = [node["name"] for node in graph["nodes"] if node["is_stance"]]
    if len(stances) != 1 or len(names) != len(graph["nodes"]) or not edges:
        return False
    network: nx.DiGraph[str] = nx.DiGraph(edges)
    into_stance = sum(target == stances[0] for _, target in edges)
    return (
        set(network) == names
        and nx.is_weakly_connected(network)
        and into_stance >= LEAST_STANCE_EDGES
        and len(edges) - into_stance >= LEAST_FACTOR_EDGES
    )


def density(nodes: int, edges: int) -> float:
    """Edges as a share of the n(n − 1) that a directed graph could have."""
    return edges / (nodes * (nodes - 1))


def anchor_ratio(graph: Mapping[str, Any]) -> float:
    """The share of edges that act on the stance."""
    stance = next(node["name"] for node in graph["nodes"] if node["is_stance"])
    return _mean(edge["target"] == stance for edge in graph["edges"])


def _summary(topic: str, statistic: str, values: list[float]) -> dict[str, Any]:
    return {
        "topic": topic,
        "statistic": statistic,
        "n": len(values),
        "mean": float(np.mean(values)),
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else float("nan"),
        "low": min(values),
        "high": max(values),
    }


def _mean(values: Any) -> float:
    return float(np.mean([float(value) for value in values]))


_STATISTICS: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "nodes": lambda graph: float(len(graph["nodes"])),
    "edges": lambda graph: float(len(graph["edges"])),
    "density": lambda graph: density(len(graph["nodes"]), len(graph["edges"])),
    "degree": lambda graph: 2.0 * len(graph["edges"]) / len(graph["nodes"]),
    "importance": lambda graph: _mean(node["importance"] for node in graph["nodes"]),
    "evidence": lambda graph: _mean(node["evidence"] for node in graph["nodes"]),
    "confidence": lambda graph: _mean(edge["confidence"] for edge in graph["edges"]),
    "weight": lambda graph: _mean(edge["weight"] for edge in graph["edges"]),
    "positive_share": lambda graph: _mean(edge["sign"] == 1 for edge in graph["edges"]),
    "negative_share": lambda graph: _mean(edge["sign"] == -1 for edge in graph["edges"]),
    "anchor_ratio": anchor_ratio,
}
