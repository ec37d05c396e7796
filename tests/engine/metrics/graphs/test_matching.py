from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.graphs import (
    BeliefGraph,
    Cosines,
    Link,
    graph_of,
    match,
    normal_form,
    read_graph,
    scores,
)
from otherminds.metrics.graphs.matching import pair_scores
from tests.helpers.belief_graphs import alike, drawn, graphs, renamed


def graph(*labels: str) -> BeliefGraph:
    keys = [f"n{number}" for number in range(len(labels))]
    return graph_of({"S": "stance", **dict(zip(keys, labels, strict=True))}, [], stance_node="S")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Housing-costs", "housing cost"),
        ("POLICIES", "a policy"),
        ("taxes", "tax"),
        ("neighbour's trees", "neighbour tree"),
        ("job_freedom", "Job freedom!"),
        ("ｒｅｎｔ", "rent"),
        ("classes", "class"),
    ],
)
def test_the_same_concept_in_other_words(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"), [("gas", "ga"), ("bus", "bu"), ("crisis", "crisi"), ("the", "a"), ("!", "?")]
)
def test_other_concepts(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


@given(st.text())
def test_the_normal_form_is_its_own_normal_form_in_letters_of_ascii(text: str) -> None:
    once = normal_form(text.encode("ascii", "ignore").decode())
    assert normal_form(once) == once


def test_the_sum_decides_and_not_the_best_pair() -> None:
    # Labels: gold a, b; others a, c. "a" is "a" exactly (1), but a–c 0.9 and b–a 0.9 are 1.8 together.
    scores = np.array([[0.0, 0.9], [0.9, 0.2]])
    found = match(graph("a", "b"), graph("a", "c"), scores)
    assert [(pair.gold, pair.predicted, pair.similarity) for pair in found.pairs] == [
        ("n0", "n1", 0.9),
        ("n1", "n0", 0.9),
    ]
    # At 0.95 only the exact pair is left.
    (pair,) = match(graph("a", "b"), graph("a", "c"), scores, threshold=0.95).pairs
    assert (pair.gold, pair.predicted, pair.similarity) == ("n0", "n0", 1.0)


def test_a_cosine_at_the_threshold_matches_and_one_below_does_not() -> None:
    assert len(match(graph("a"), graph("b"), np.array([[0.7]])).pairs) == 1
    assert not match(graph("a"), graph("b"), np.array([[0.699]])).pairs
    assert len(match(graph("a"), graph("b"), np.array([[0.699]]), threshold=0.6).pairs) == 1


def test_the_stances_match_whatever_their_labels_and_no_factor_does() -> None:
    gold = drawn("a +1 S")
    other = graph_of({"x": "my view", "y": "S"}, [Link("y", "x", 1)], stance_node="x")
    found = match(gold, other)
    assert found.pairs == ()
    assert found.to_gold == {"x": "S"}


@given(graphs(4), graphs(4), st.sampled_from((0.3, 0.7, 1.0)))
def test_no_other_assignment_has_a_higher_sum(
    gold: BeliefGraph, other: BeliefGraph, threshold: float
) -> None:
    scores = pair_scores(gold, other, alike, threshold=threshold)
    if scores.shape[0] > scores.shape[1]:
        scores = scores.T
    rows, columns = scores.shape
    best = max(
        sum(scores[row, column] for row, column in enumerate(chosen))
        for chosen in permutations(range(columns), rows)
    )
    found = match(gold, other, alike, threshold=threshold)
    assert sum(pair.similarity for pair in found.pairs) == pytest.approx(best)
    assert all(pair.similarity > 0 for pair in found.pairs)
    assert len({pair.predicted for pair in found.pairs}) == len(found.pairs)


def labels_of(gold: BeliefGraph, other: BeliefGraph) -> set[tuple[str, str]]:
    found = match(gold, other, alike, threshold=0.3)
    return {(gold.nodes[one.gold].label, other.nodes[one.predicted].label) for one in found.pairs}


@given(graphs(), graphs(), st.randoms(use_true_random=False))
def test_ids_and_order_do_not_matter_nor_which_graph_comes_first(
    gold: BeliefGraph, other: BeliefGraph, rng: object
) -> None:
    keys = list(other.nodes)
    order = list(range(len(keys)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    again = renamed(other, {key: f"z{place}" for place, key in enumerate(reversed(keys))}, order)
    assert labels_of(gold, again) == labels_of(gold, other)
    assert {(b, a) for a, b in labels_of(other, gold)} == labels_of(gold, other)


def test_equal_labels_are_told_apart_by_their_edges_whatever_their_order() -> None:
    # Two nodes are called "cost"; one raises the stance, the other lowers it.
    labels = {"S": "S", "x": "cost", "y": "cost"}
    turned = {"S": "S", "y": "cost", "x": "cost"}
    links = [Link("x", "S", 1), Link("y", "S", -1)]
    one, other = (graph_of(found, links, stance_node="S") for found in (labels, turned))
    assert {(pair.gold, pair.predicted) for pair in match(one, other).pairs} == {
        ("x", "x"),
        ("y", "y"),
    }


def test_cosines_of_embeddings() -> None:
    cosines = Cosines(["a", "b", "nothing"], [[3.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    assert cosines(["a", "nothing"], ["b"]) == pytest.approx(np.array([[0.6], [0.0]]))
    assert cosines([], ["b"]).shape == (0, 1)
    with pytest.raises(MetricError, match="'c' has no embedding"):
        cosines(["c"], ["a"])
    with pytest.raises(MisalignedInput, match="one row per label"):
        Cosines(["a"], [[1.0], [2.0]])
    with pytest.raises(MetricError, match="NaN"):
        Cosines(["a"], [[np.nan]])


def test_wrong_similarities_are_refused() -> None:
    with pytest.raises(MisalignedInput, match=r"shape \(1, 2\)"):
        match(graph("a"), graph("b"), np.zeros((1, 2)))
    for wrong in (np.nan, 1.5, -2.0):
        with pytest.raises(MetricError, match="give cosines"):
            match(graph("a"), graph("b"), np.array([[wrong]]))
    for threshold in (0.0, -1.0, 1.1, np.nan):
        with pytest.raises(MetricError, match="Threshold"):
            match(graph("a"), graph("b"), threshold=threshold)


def test_thousands_of_nodes_are_matched() -> None:
    many = drawn(*(f"n{number} +1 S" for number in range(3_000)))
    found = match(drawn("n7 +1 S", "n8 -1 S"), many)
    assert [(pair.gold, pair.predicted) for pair in found.pairs] == [("n7", "n7"), ("n8", "n8")]


@given(graphs(), graphs(), st.data(), st.randoms(use_true_random=False))
def test_ids_and_order_do_not_matter_where_labels_are_the_same(
    gold: BeliefGraph, other: BeliefGraph, data: st.DataObject, rng: object
) -> None:
    few = st.sampled_from(("rent", "Rents", "park"))
    one, two = (
        relabelled(graph, [data.draw(few) for _ in graph.factors]) for graph in (gold, other)
    )
    keys = list(two.nodes)
    order = list(range(len(keys)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    again = renamed(two, {key: f"z{place}" for place, key in enumerate(reversed(keys))}, order)
    assert scores(match(one, again)) == pytest.approx(scores(match(one, two)), nan_ok=True)


def relabelled(made: BeliefGraph, labels: Sequence[str]) -> BeliefGraph:
    data = made.model_dump()
    for key, label in zip(made.factors, labels, strict=True):
        data["nodes"][key]["label"] = label
    return read_graph(data)
