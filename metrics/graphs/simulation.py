"""Forward simulation on a belief graph: what moves when one thing is set (paper, §E).

The rule is ours, as the paper gives none. Values of nodes lie in [0, 1]. `do(v := x)` removes all edges
into v and sets its value; changes run along the edges in topological order:

    x_c' = clip(x_c + Σ_p modifier_pc · confidence_pc · Δx_p, 0, 1)

A stance from 1 to 10 is the value (s − 1)/9, and so a change of 1 is nine points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx as nx
import numpy as np

from otherminds.metrics.errors import MetricError
from otherminds.metrics.graphs.schema import BeliefGraph, Edge

MIDDLE = 0.5
"""The value of a node that nobody knows anything of."""

FLAGGED = 0.1
"""Changes at least as large are flagged."""

LOWEST, HIGHEST = 1, 10


@dataclass(frozen=True)
class Simulation:
    """What moves.

    changes  of every node, by id, the largest first; the nodes that were set among them
    flagged  the nodes whose change is at least `FLAGGED` in size, in the same order
    stance   the change of the stance
    after    the values afterwards, by id
    ignored  edges that were left out, because they would close a cycle
    """

    changes: Mapping[str, float]
    flagged: tuple[str, ...]
    stance: float
    after: Mapping[str, float]
    ignored: tuple[str, ...]


def do(
    graph: BeliefGraph,
    settings: Mapping[str, float],
    values: Mapping[str, float] | None = None,
    *,
    flagged: float = FLAGGED,
) -> Simulation:
    """Set some nodes, and let the change run through the graph.

    settings  by id, the value that a node is set to, in [0, 1]
    values    the values before, by id; `MIDDLE` for a node without one
    flagged   the size from which on a change is flagged

    Where edges go round, the weakest of a round, by |modifier · confidence|, is left out until none is.
    Raises MetricError for a node that does not exist, and for a value that is not in [0, 1].
    """
    before = dict.fromkeys(graph.nodes, MIDDLE)
    before |= _checked(graph, values or {})
    set_to = _checked(graph, settings)
    # Nothing acts on a node that is set.
    acting = {key: one for key, one in graph.edges.items() if one.target not in set_to}
    kept, ignored = _acyclic(graph, acting)
    into: dict[str, list[Edge]] = {key: [] for key in graph.nodes}
    for edge in kept.values():
        into[edge.target].append(edge)
    after, changes = dict(before), dict.fromkeys(graph.nodes, 0.0)
    for key in _order(graph, kept):
        if key in set_to:
            after[key] = set_to[key]
        else:
            push = math.fsum(
                edge.modifier * edge.aggregate_confidence * changes[edge.source]
                for edge in into[key]
            )
            after[key] = min(max(before[key] + push, 0.0), 1.0)
        changes[key] = after[key] - before[key]
    order = sorted(changes, key=lambda key: (-abs(changes[key]), graph.nodes[key].label, key))
    return Simulation(
        changes={key: changes[key] for key in order},
        flagged=tuple(key for key in order if abs(changes[key]) >= flagged),
        stance=changes[graph.stance_node],
        after=after,
        ignored=ignored,
    )


def stance_after(graph: BeliefGraph, settings: Mapping[str, float], stance: float) -> int:
    """The answer from 1 to 10 after some nodes are set, from the stance before; halves go up.

    Raises MetricError as `do`, and for a stance that is not from 1 to 10.
    """
    if not LOWEST <= stance <= HIGHEST:
        raise MetricError(f"A stance of {stance}: give a number from {LOWEST} to {HIGHEST}.")
    points = HIGHEST - LOWEST
    start = (stance - LOWEST) / points
    found = do(graph, settings, {graph.stance_node: start})
    # The last bits of a sum must not decide which way a half goes.
    return math.floor(round(LOWEST + points * found.after[graph.stance_node], 9) + 0.5)


def stance_variance(
    graph: BeliefGraph, settings: Mapping[str, float], *, draws: int = 200, seed: int = 0
) -> float:
    """Variance of the change of the stance over graphs in which each edge is there by chance.

    Each draw keeps an edge with probability `aggregate_confidence`, and counts it in full. It is what
    remains to be learnt of the person's stance: an interview may end where it no longer falls.
    Raises MetricError as `do`, and for less than two draws.
    """
    if draws < 2:
        raise MetricError(f"{draws} draws have no variance: give at least 2.")
    rng = np.random.default_rng(seed)
    chances = np.array([edge.aggregate_confidence for edge in graph.edges.values()])
    moved = []
    for kept in rng.random((draws, len(chances))) < chances:
        there = {key for key, is_kept in zip(graph.edges, kept, strict=True) if is_kept}
        drawn = graph.model_copy(
            update={
                "edges": {
                    key: edge.model_copy(update={"aggregate_confidence": 1.0})
                    for key, edge in graph.edges.items()
                    if key in there
                }
            }
        )
        moved.append(do(drawn, settings).stance)
    return float(np.var(moved))


def _checked(graph: BeliefGraph, values: Mapping[str, float]) -> dict[str, float]:
    for key, value in values.items():
        if key not in graph.nodes:
            raise MetricError(f"'{key}' is no node of this graph: give one of its ids.")
        # Written so that NaN is refused, too.
        if not 0 <= value <= 1:
            raise MetricError(f"'{key}' cannot be set to {value}: give a number from 0 to 1.")
    return dict(values)


def _acyclic(
    graph: BeliefGraph, edges: Mapping[str, Edge]
) -> tuple[dict[str, Edge], tuple[str, ...]]:
    """The edges without those that close a cycle, and the ids of these."""
    left: nx.DiGraph[str] = nx.DiGraph()
    left.add_edges_from((edge.source, edge.target) for edge in edges.values())
    part = {
        node: number
        for number, nodes in enumerate(nx.strongly_connected_components(left))
        for node in nodes
    }
    within = [key for key, edge in edges.items() if part[edge.source] == part[edge.target]]
    left_out = []
    # What is on no round is on none later: the weakest on a round comes next in this order.
    for key in sorted(within, key=lambda key: _strength(graph, edges[key])):
        edge = edges[key]
        if nx.has_path(left, edge.target, edge.source):
            left.remove_edge(edge.source, edge.target)
            left_out.append(key)
    closing = set(left_out)
    return {key: edge for key, edge in edges.items() if key not in closing}, tuple(left_out)


def _strength(graph: BeliefGraph, edge: Edge) -> tuple[float, str, str]:
    labels = (graph.nodes[edge.source].label, graph.nodes[edge.target].label)
    return (abs(edge.modifier * edge.aggregate_confidence), *labels)


def _order(graph: BeliefGraph, edges: Mapping[str, Edge]) -> Iterable[str]:
    joined: nx.DiGraph[str] = nx.DiGraph()
    joined.add_nodes_from(graph.nodes)
    joined.add_edges_from((edge.source, edge.target) for edge in edges.values())
    return nx.topological_sort(joined)
