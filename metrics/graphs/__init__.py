"""Causal belief graphs: their schema, and how well one graph gives another back. See docs/graphs.md."""

from __future__ import annotations

from otherminds.metrics.graphs.conversion import (
    from_agent,
    from_release,
    release_records,
    to_agent,
    to_release,
)
from otherminds.metrics.graphs.schema import (
    GRADES,
    QA,
    BeliefGraph,
    Edge,
    Evidence,
    Fault,
    GraphError,
    Link,
    Node,
    graph_of,
    read_graph,
)

__all__ = [
    "GRADES",
    "QA",
    "BeliefGraph",
    "Edge",
    "Evidence",
    "Fault",
    "GraphError",
    "Link",
    "Node",
    "from_agent",
    "from_release",
    "graph_of",
    "read_graph",
    "release_records",
    "to_agent",
    "to_release",
]
