"""Forward simulation: values derived by hand, and what holds for every graph."""

from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import MetricError
from otherminds.metrics.graphs.schema import BeliefGraph, Link, graph_of
from otherminds.metrics.graphs.simulation import do, stance_after, stance_variance


def graph(*links: Link) -> BeliefGraph:
    names = {end for link in links for end in (link.source, link.target)} | {"s"}
    return graph_of({name: name for name in sorted(names)}, links, stance_node="s")


# a ──0.8·0.5──> b ──−0.5·1──> s, a ──0.2·1──> s
CHAIN = graph(Link("a", "b", 0.8, 0.5), Link("b", "s", -0.5), Link("a", "s", 0.2))


def test_changes_run_along_all_paths() -> None:
    found = do(CHAIN, {"a": 1.0})
    # Δa = 0.5, Δb = 0.4 · 0.5 = 0.2, Δs = −0.5 · 0.2 + 0.2 · 0.5 = 0.
    assert found.changes == pytest.approx({"a": 0.5, "b": 0.2, "s": 0.0})
    assert list(found.changes) == ["a", "b", "s"]
    assert found.flagged == ("a", "b")
    assert found.stance == pytest.approx(0.0)
    assert found.ignored == ()


def test_nothing_acts_on_a_node_that_is_set() -> None:
    # b stays at its 0.5, so that only the direct effect is left: 0.2 · 0.5.
    assert do(CHAIN, {"a": 1.0, "b": 0.5}).stance == pytest.approx(0.1)
    assert do(CHAIN, {"b": 1.0}).changes["a"] == 0.0


def test_values_stay_between_0_and_1() -> None:
    strong = graph(Link("a", "b", 1.0), Link("c", "b", 1.0), Link("b", "s", 1.0))
    found = do(strong, {"a": 1.0, "c": 1.0}, {"b": 0.9})
    # b would come to 1.9; it has room for 0.1, and passes no more on.
    assert found.changes["b"] == pytest.approx(0.1)
    assert found.stance == pytest.approx(0.1)


def test_the_weakest_edge_of_a_round_is_left_out() -> None:
    # a → b → c → a, of which c → a counts 0.9 · 0.1.
    round_ = graph(
        Link("a", "b", 0.5), Link("b", "c", 0.4), Link("c", "a", 0.9, 0.1), Link("c", "s", 1.0)
    )
    found = do(round_, {"b": 1.0})
    # What goes into b is cut off, so that no round is left: Δc = 0.2, Δa = 0.09 · 0.2, Δs = 0.2.
    assert found.ignored == ()
    assert found.changes == pytest.approx({"b": 0.5, "c": 0.2, "s": 0.2, "a": 0.018})
    found = do(round_, {"s": 0.5})
    assert found.ignored == ("e3",)
    assert not any(found.changes.values())


_NODES = st.sampled_from("abcdefs")
_LINKS = st.dictionaries(
    st.tuples(_NODES, _NODES).filter(lambda ends: ends[0] != ends[1]),
    st.integers(1, 4),
    max_size=25,
)


@given(_LINKS)
def test_edges_of_rounds_are_left_out_from_the_weakest_on(
    links: dict[tuple[str, str], int],
) -> None:
    given_graph = graph(*(Link(*ends, size / 10) for ends, size in links.items()))
    # As the rule has it: the weakest edge of any round, again and again; by labels where two are alike.
    left, left_out = dict(links), []
    while True:
        joined = nx.DiGraph(list(left))
        parts = nx.strongly_connected_components(joined)
        rounds = [ends for part in parts for ends in left if {*ends} <= part]
        if not rounds:
            break
        weakest = min(rounds, key=lambda ends: (left[ends], *ends))
        left_out.append(weakest)
        del left[weakest]
    found = [given_graph.edges[key] for key in do(given_graph, {}).ignored]
    assert [(edge.source, edge.target) for edge in found] == left_out


def test_a_stance_moves_by_nine_points_per_unit() -> None:
    one = graph(Link("a", "s", 0.5))
    # 5 + 9 · 0.5 · 0.5 = 7.25; 5 − 2.25 = 2.75; no change of a: 5; at the top there is no room.
    assert stance_after(one, {"a": 1.0}, 5) == 7
    assert stance_after(one, {"a": 0.0}, 5) == 3
    assert stance_after(one, {}, 5) == 5
    assert stance_after(one, {"a": 1.0}, 10) == 10


@pytest.mark.parametrize("stance", range(1, 11))
def test_without_a_change_every_stance_stays(stance: int) -> None:
    assert stance_after(CHAIN, {"b": 0.5}, stance) == stance


def test_what_cannot_be_set_is_refused() -> None:
    with pytest.raises(MetricError, match="'z' is no node"):
        do(CHAIN, {"z": 1.0})
    for value in (math.nan, -0.1, 1.1):
        with pytest.raises(MetricError, match="from 0 to 1"):
            do(CHAIN, {"a": value})
    with pytest.raises(MetricError, match="from 1 to 10"):
        stance_after(CHAIN, {}, math.nan)
    with pytest.raises(MetricError, match="at least 2"):
        stance_variance(CHAIN, {"a": 1.0}, draws=1)


def test_certain_edges_leave_nothing_to_learn() -> None:
    sure, unsure = graph(Link("a", "s", 0.8, 1.0)), graph(Link("a", "s", 0.8, 0.5))
    assert stance_variance(sure, {"a": 1.0}) == 0.0
    # The edge is there or not: 0.4 or 0, with variance 0.4² · ½ · ½ = 0.04.
    assert stance_variance(unsure, {"a": 1.0}, draws=4000) == pytest.approx(0.04, rel=0.05)
    assert stance_variance(unsure, {"a": 1.0}) == stance_variance(unsure, {"a": 1.0})


@st.composite
def graphs(draw: st.DrawFn) -> BeliefGraph:
    nodes = ["a", "b", "c", "d", "s"]
    pairs = [(one, other) for one in nodes for other in nodes if one != other]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12))
    unit = st.floats(-1, 1)
    links = [Link(*pair, draw(unit), abs(draw(unit))) for pair in chosen]
    return graph_of({name: name for name in nodes}, links, stance_node="s")


@given(graphs(), st.floats(0, 1))
def test_every_graph_can_be_simulated(one: BeliefGraph, value: float) -> None:
    found = do(one, {"a": value})
    assert set(found.changes) == set(one.nodes)
    assert all(0 <= after <= 1 for after in found.after.values())
    assert found.changes["a"] == pytest.approx(value - 0.5)
    assert not any(do(one, {"a": 0.5}).changes.values())


@given(graphs())
def test_the_order_of_edges_does_not_matter(one: BeliefGraph) -> None:
    links = [
        Link(edge.source, edge.target, edge.modifier, edge.aggregate_confidence)
        for edge in reversed(one.edges.values())
    ]
    other = graph_of({key: key for key in reversed(one.nodes)}, links, stance_node="s")
    assert do(other, {"a": 1.0}).changes == pytest.approx(do(one, {"a": 1.0}).changes)
