"""What holds of every drawn belief network."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import graph
from otherminds.dataset_builders.hugagent.schema import (
    Beta,
    LogNormal,
    Poisson,
    Statistics,
    TruncatedNormal,
)

seeds = st.integers(0, 2**32)


def statistics(edges: float = 2.9, spread: float = 0.3) -> Statistics:
    return Statistics(
        nodes=TruncatedNormal(mean=11, sd=3, low=8, high=15),
        edges=LogNormal(log_mean=edges, log_sd=spread),
        importance=Beta(a=2.5, b=2),
        evidence=Poisson(rate=1.6),
        confidence=Beta(a=5, b=2),
        weight=Beta(a=2, b=2),
        zero_sign=0.04,
    )


def drawn(seed: int, found: Statistics | None = None) -> nx.DiGraph[int]:
    return graph.draw_structure(np.random.default_rng(seed), found or statistics())


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_networks_are_connected_and_rich_enough(seed: int) -> None:
    network = drawn(seed)
    stance = network.graph["stance"]
    assert 8 <= network.number_of_nodes() <= 15
    assert nx.is_weakly_connected(network)
    assert network.in_degree(stance) >= 4
    assert network.out_degree(stance) == 0
    assert network.number_of_edges() - network.in_degree(stance) >= 4
    assert not any(network.has_edge(target, source) for source, target in network.edges)
    assert not list(nx.selfloop_edges(network))


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_hub_is_the_most_important_node_and_the_best_tied_spoke(seed: int) -> None:
    # With so few edges wanted, the backbone alone is drawn (a tree of n − 1 edges).
    network = drawn(seed, statistics(edges=0.0, spread=0.001))
    hub = network.graph["hub"]
    importance = nx.get_node_attributes(network, "importance")
    assert importance[hub] == max(importance.values())
    assert network.degree(hub) >= 1


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_stance_is_one_of_the_three_best(seed: int) -> None:
    network = drawn(seed)
    degrees = dict(network.degree())
    scores = {
        node: 0.7 * data["importance"] + 0.3 * degrees[node] / max(degrees.values())
        for node, data in network.nodes(data=True)
    }
    third = sorted(scores.values())[-3]
    chosen = graph.draw_stance(np.random.default_rng(seed), network)
    assert scores[chosen] >= third - 1e-5


def test_the_best_node_is_the_likeliest_stance() -> None:
    network = nx.DiGraph([(0, 1), (2, 1), (3, 1)])
    for node, importance in enumerate((0.4, 0.9, 0.5, 0.1)):
        network.nodes[node]["importance"] = importance
    # Scores: 0.28 + 0.1, 0.63 + 0.3, 0.35 + 0.1, 0.07 + 0.1; node 3 is never among the best three.
    assert graph.stance_scores(network) == pytest.approx({0: 0.38, 1: 0.93, 2: 0.45, 3: 0.17})
    rng = np.random.default_rng(0)
    chosen = [graph.draw_stance(rng, network) for _ in range(300)]
    assert chosen.count(3) == 0
    assert chosen.count(1) > 250


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(14, 30))
def test_the_edge_count_is_met(seed: int, count: int) -> None:
    network = drawn(seed, statistics(edges=float(np.log(count)), spread=1e-9))
    nodes = network.number_of_nodes()
    # At least a tree, at most every pair once; edges added for the stance or factors come on top.
    assert network.number_of_edges() >= min(max(count, nodes - 1), nodes * (nodes - 1) // 2)
    assert network.number_of_edges() <= max(count, nodes - 1) + 8


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_same_stream_same_network(seed: int) -> None:
    first, second = drawn(seed), drawn(seed)
    assert nx.utils.graphs_equal(first, second)
    assert first.graph == second.graph
