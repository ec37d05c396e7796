from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.graphs import (
    HIGHER_IS_BETTER,
    METRICS,
    MOTIFS,
    RANGES,
    BeliefGraph,
    MotifCorpus,
    edge_scores,
    edit_cost,
    exact_edit_cost,
    match,
    motif_agreement,
    motif_counts,
    motif_similarity,
    node_scores,
    normalized_edit_distance,
    reachability,
    read_graph,
    scores,
    tightness,
    total_effects,
)
from otherminds.metrics.graphs.matching import pair_scores
from otherminds.metrics.graphs.motifs import counts_of
from otherminds.types import FloatArray
from tests.helpers.belief_graphs import alike, drawn, graphs, renamed, without

# b --(+.8)--> S <--(-.4)-- c          Weights of trust: a→b .5, b→S 1, c→S .25, a→c .25: 2 in all.
# ^                         ^
# +---(+.5)--- a ---(-.5)---+
GOLD = drawn("a +.5 b @.5", "b +.8 S @1", "c -.4 S @.25", "a -.5 c @.25")

# b --(-.6)--> S <--(+.5)-- d          b→S has the wrong sign, c→a points the wrong way, d is nobody's.
# ^                                    Weights of trust: a→b .5, b→S .25, c→a .25, d→S 1: 2 in all.
# +---(+.7)--- a <--(-.5)-- c
READ = drawn("a +.7 b @.5", "b -.6 S @.25", "c -.5 a @.25", "d +.5 S @1")


def motifs(graph: BeliefGraph) -> dict[str, int]:
    counts = dict(zip(MOTIFS, motif_counts(graph).tolist(), strict=True))
    return {name: int(count) for name, count in counts.items() if count}


def test_nodes_by_hand() -> None:
    # Three of four predicted factors are right, and all of three are found.
    found = node_scores(match(GOLD, READ)).plain
    assert (found.precision, found.recall) == (0.75, 1)
    assert found.f1 == pytest.approx(6 / 7)


def test_soft_nodes_by_hand() -> None:
    # a–x 0.8 and b–b 1: Σ = 1.8; of two predicted 0.9, of three gold ones 0.6: 2·0.9·0.6/1.5 = 0.72.
    similar = np.array([[0.8, 0.0], [0.0, 0.0], [0.0, 0.0]])
    found = node_scores(match(drawn(alone="k l m"), drawn(alone="x l"), similar)).soft
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.9, 0.6, 0.72))


def test_calibration_of_nodes_by_hand() -> None:
    # k is right at 0.9, l right at 0.6, m says nothing, x wrong at 0.5: (0.01 + 0.16 + 0.25) / 3.
    data = drawn(alone="k l m x").model_dump()
    for key, confidence in (("k", 0.9), ("l", 0.6), ("x", 0.5)):
        data["nodes"][key]["confidence"] = confidence
    assert node_scores(match(drawn(alone="k l m"), read_graph(data))).brier == pytest.approx(0.14)
    assert math.isnan(node_scores(match(GOLD, READ)).brier)


def test_edges_by_hand() -> None:
    found = edge_scores(match(GOLD, READ))
    # Four edges each. The same way: a→b, b→S. Joined at all: c–a too. With its sign: a→b.
    assert found.undirected.f1 == 0.75
    assert (found.directed.f1, found.n_directed) == (0.5, 2)
    assert (found.signed.precision, found.signed.recall, found.signed.f1) == (0.25, 0.25, 0.25)
    # |.5 − .7| = .2 and |.8 + .6| = 1.4.
    assert found.sign_accuracy == 0.5
    assert found.modifier_mae == pytest.approx(0.8)


def test_soft_edges_by_hand() -> None:
    found = edge_scores(match(GOLD, READ))
    # Signed: .5 of 2 and .5 of 2. Directed: (.5 + .25)/2 = .375 and (.5 + 1)/2 = .75, so F1
    # 2·.375·.75/1.125. Undirected: (.5 + .25 + .25)/2 = .5 and (.5 + 1 + .25)/2 = .875.
    assert found.soft_signed.f1 == 0.25
    assert (found.soft_directed.precision, found.soft_directed.recall) == (0.375, 0.75)
    assert found.soft_directed.f1 == pytest.approx(0.5)
    assert found.soft_undirected.f1 == pytest.approx(2 * 0.5 * 0.875 / 1.375)


def test_edges_without_effect_are_none_and_unknown_strength_has_no_error() -> None:
    found = edge_scores(match(drawn("k +1 S", "l 0 S"), drawn("k +1 S", "l 0 S", "l 0 k")))
    assert (found.signed.f1, found.n_directed) == (1, 1)
    data = drawn("k +.5 S").model_dump()
    data["edges"]["e1"]["strength"] = None
    unknown = edge_scores(match(drawn("k +1 S"), read_graph(data)))
    assert unknown.sign_accuracy == 1
    assert math.isnan(unknown.modifier_mae)


def test_nothing_to_measure_is_not_zero() -> None:
    empty = drawn()
    found = scores(match(empty, empty))
    undefined = {name for name, value in found.items() if math.isnan(value)}
    assert undefined == set(METRICS) - {"motif_similarity", "edit_distance"}
    assert (found["motif_similarity"], found["edit_distance"]) == (1, 0)
    missed = scores(match(GOLD, empty))
    zero = ("edge_f1", "edge_recall", "edge_soft_f1", "node_f1", "reachability", "motif_f1")
    assert [missed[name] for name in zero] == [0] * 6
    assert math.isnan(missed["edge_precision"])
    assert math.isnan(missed["sign_acc"])
    # What nobody said is wrong where there was nothing to say.
    assert scores(match(empty, GOLD))["edge_f1"] == 0


def test_reach_by_hand() -> None:
    # a: .5·.8 + (−.5)(−.4) = .6. With a→b at −.5: −.4 + .2 = −.2. With b→S at −.4 too: −.2 + .2 = 0.
    assert total_effects(GOLD).effects == pytest.approx({"a": 0.6, "b": 0.8, "c": -0.4})
    flipped = drawn("a -.5 b", "b +.8 S", "c -.4 S", "a -.5 c")
    assert total_effects(flipped).effects["a"] == pytest.approx(-0.2)
    balanced = drawn("a +.5 b", "b -.4 S", "c -.4 S", "a -.5 c")
    assert total_effects(balanced).signs == {"a": 0, "b": -1, "c": -1}
    # Gold pairs: a+ b+ c−. Read a− b+ c−: two of three, and of the three said.
    found = reachability(match(GOLD, flipped))
    assert (found.recall, found.precision) == (2 / 3, 2 / 3)
    # Nobody is wrong about a, whose paths cancel.
    assert reachability(match(balanced, balanced)).recall == 1
    # In READ: a −, b −, c + and d +, and none of them as it is.
    assert reachability(match(GOLD, READ)).f1 == 0


def test_reach_in_a_cycle_by_hand() -> None:
    # a ⇄ b, and both act on S: a: .5 + (1)(−.25) = .25; b: −.25 + (−1)(.5) = −.75.
    ring = drawn("a +1 b", "b -1 a", "a +.5 S", "b -.25 S")
    found = total_effects(ring)
    assert found.effects == pytest.approx({"a": 0.25, "b": -0.75})
    assert found.longest is None
    # Two paths of one edge, two of two: with room for three, the longer ones are left out.
    cut = total_effects(ring, most_paths=3)
    assert (cut.longest, cut.effects) == (1, {"a": 0.5, "b": -0.25})
    # What the stance moves in turn is no path to it.
    assert total_effects(drawn("S +1 a", "a +1 S")).effects == {"a": 1}


@given(graphs())
def test_reach_is_the_sum_over_all_simple_paths(graph: BeliefGraph) -> None:
    directed: nx.DiGraph[str] = nx.DiGraph()
    directed.add_nodes_from(graph.nodes)
    for edge in graph.effects:
        directed.add_edge(edge.source, edge.target, modifier=edge.modifier)
    sums = {}
    for key in graph.factors:
        paths = list(nx.all_simple_edge_paths(directed, key, graph.stance_node))
        if paths:
            sums[key] = sum(
                math.prod(directed.edges[ends]["modifier"] for ends in path) for path in paths
            )
    assert total_effects(graph).effects == pytest.approx(sums)


def test_reach_of_huge_and_tangled_graphs_ends() -> None:
    # 2^1000 paths without a cycle; and everything tied to everything.
    ladder = [f"{a}{n} +1 {b}{n + 1}" for n in range(1_000) for a in "xy" for b in "xy"]
    far = total_effects(drawn(*ladder, "x1000 +1 S", "y1000 +1 S"))
    assert far.longest is None
    assert far.effects["x0"] == 2.0**1000
    names = [f"n{number}" for number in range(60)]
    tangle = drawn(*(f"{a} +1 {b}" for a, b in permutations(names, 2)), "n0 +1 S")
    found = total_effects(tangle)
    # 1 path of one edge, 59 of two, 59·58 of three, 59·58·57 of four: too many.
    assert found.longest == 3
    assert found.effects["n0"] == 1


def test_motifs_by_hand() -> None:
    # b: a→b→S; c: a→c→S; a: b←a→c; S: b→S←c. Stance chains: b, c; a by b, a by c.
    assert motifs(GOLD) == {
        "chain ++": 1,
        "chain --": 1,
        "fork +-": 1,
        "collider +-": 1,
        "stance +": 1,
        "stance -": 1,
        "stance ++": 1,
        "stance --": 1,
    }
    # b: a→b→S; a: c→a→b; S: b→S←d. Stance chains: b, d; a by b; c by a and b.
    assert motifs(READ) == {
        "chain +-": 1,
        "chain -+": 1,
        "collider +-": 1,
        "stance +": 1,
        "stance -": 1,
        "stance +-": 1,
        "stance -+-": 1,
    }
    # In common, of 1/8 and 1/7 each: collider +-, stance +, stance −.
    assert motif_similarity(motif_counts(GOLD), motif_counts(READ)) == pytest.approx(3 / 8)
    # a→b is the one right edge, and no motif of its own.
    assert motif_agreement(match(GOLD, READ)).f1 == 0
    # Without c→S are left: a→b→S, b←a→c, b alone into S, a by b: 2·4 / (8 + 4).
    found = motif_agreement(match(GOLD, without(GOLD, "e3")))
    assert (found.precision, found.recall, found.f1) == (1, 0.5, pytest.approx(2 / 3))


def test_motif_similarity_of_graphs_without_motifs() -> None:
    none = motif_counts(drawn("a +1 b"))
    assert none.shape == (24,)
    assert not none.any()
    assert motif_similarity(none, none) == 1
    assert motif_similarity(none, motif_counts(GOLD)) == 0


@given(graphs())
def test_motifs_are_counted_as_if_one_by_one(graph: BeliefGraph) -> None:
    found: Counter[str] = Counter()
    marks = {1: "+", -1: "-"}
    edges = [(edge.source, edge.target, marks[edge.polarity]) for edge in graph.effects]
    for one, other in combinations(edges, 2):
        if len({*one[:2], *other[:2]}) < 3:
            continue
        either = "".join(sorted((one[2], other[2])))
        if one[0] == other[0]:
            found[f"fork {either}"] += 1
        elif one[1] == other[1]:
            found[f"collider {either}"] += 1
        else:
            first, second = (one, other) if one[1] == other[0] else (other, one)
            if first[1] == second[0]:
                found[f"chain {first[2]}{second[2]}"] += 1
    for length in (1, 2, 3):
        for path in permutations(edges, length):
            passed = [path[0][0], *(edge[1] for edge in path)]
            joined = all(one[1] == other[0] for one, other in pairwise(path))
            if joined and passed[-1] == "S" and len(set(passed)) == length + 1:
                found[f"stance {''.join(edge[2] for edge in path)}"] += 1
    assert motifs(graph) == {name: found[name] for name in MOTIFS if found[name]}


def test_what_an_edge_would_complete_is_usual_or_not() -> None:
    # The interview: b→S is known; would a→b complete something? In the corpus of four, a→b→S occurs
    # twice; a→b alone once more. So 2/4.
    asked = drawn("b +1 S", alone="a")
    corpus = MotifCorpus.of(
        [
            drawn("a +1 b", "b +1 S"),
            drawn("a +.2 b", "b +.1 S", "c -1 S"),
            drawn("a +1 b", "b -1 S"),
            drawn("c +1 S"),
        ]
    )
    assert corpus.support(asked, "a", "b", 1) == 0.5
    assert corpus.support(asked, "a", "b", -1) == 0
    # c→S is itself a stance chain, which one of four has with +.
    assert corpus.support(drawn(alone="c"), "c", "S", 1) == 0.25
    # a→b alone is no motif: it completes nothing.
    assert corpus.support(drawn(alone="a b"), "a", "b", 1) == 0
    assert MotifCorpus.of([]).support(asked, "a", "b", 1) == 0
    with pytest.raises(MetricError, match="two nodes"):
        corpus.support(asked, "a", "a", 1)
    with pytest.raises(MetricError, match="1 or -1"):
        corpus.support(asked, "a", "b", 0)
    with pytest.raises(MetricError, match="topics"):
        MotifCorpus.of([drawn(topic="x"), drawn(topic="y")])


def test_edit_distance_by_hand() -> None:
    # d is to go (1), so are c→a and d→S (2), c→S and a→c are missing (2), b→S has the wrong sign (1).
    found = match(GOLD, READ)
    assert edit_cost(found) == 6
    # (4 nodes + 4 edges) + (5 nodes + 4 edges)
    assert normalized_edit_distance(found) == 6 / 17
    assert exact_edit_cost(GOLD, READ, threshold=0.7) == 6


def test_the_bound_may_be_above_the_exact_distance() -> None:
    # Labels: x is as near to a (.9) as it is near to b (.8); the matching takes a, which has no edge.
    # With b it would be: a to add, nothing else. With a: b to add, x→S to remove, b→S to add.
    gold, read = drawn("b +1 S", alone="a"), drawn("x +1 S")
    similar = np.array([[0.8], [0.9]])
    assert gold.factors == ("b", "a")

    def near(first: object, second: object) -> FloatArray:
        return similar

    assert edit_cost(match(gold, read, near)) == 3
    assert exact_edit_cost(gold, read, near, threshold=0.7) == 1
    # (3 − 1) / (3 nodes + 1 edge + 2 nodes + 1 edge)
    tight = tightness([(gold, read)], near, threshold=0.7)
    assert (tight.n, tight.exact, tight.excess, tight.largest) == (1, 0, 2 / 7, 2 / 7)


def least_cost(gold: BeliefGraph, other: BeliefGraph) -> int:
    """The least cost over all one-to-one assignments of factors that match, by trying them all."""
    like = pair_scores(gold, other, alike, threshold=0.3) > 0
    edges = {(edge.source, edge.target): edge.polarity for edge in gold.effects}
    best = 10**6
    places = [*range(len(other.factors)), *[None] * len(gold.factors)]
    for chosen in set(permutations(places, len(gold.factors))):
        if any(place is not None and not like[row, place] for row, place in enumerate(chosen)):
            continue
        same = {other.stance_node: gold.stance_node}
        for key, place in zip(gold.factors, chosen, strict=True):
            if place is not None:
                same[other.factors[place]] = key
        read = {
            (same.get(edge.source), same.get(edge.target)): edge.polarity for edge in other.effects
        }
        wrong = sum(edges[ends] != read[ends] for ends in edges.keys() & read.keys())
        right = len(edges.keys() & read.keys())
        cost = len(gold.nodes) + len(other.nodes) - 2 * len(same) + wrong
        best = min(best, cost + len(edges) + len(other.effects) - 2 * right)
    return best


@given(graphs(3), graphs(3))
def test_the_exact_distance_is_the_least_and_the_bound_is_above(
    gold: BeliefGraph, other: BeliefGraph
) -> None:
    exact = exact_edit_cost(gold, other, alike, threshold=0.3)
    assert exact == least_cost(gold, other)
    assert exact <= edit_cost(match(gold, other, alike, threshold=0.3))


def test_exact_distances_are_for_small_graphs() -> None:
    big = drawn(*(f"n{number} +1 S" for number in range(8)))
    with pytest.raises(MetricError, match="9 nodes"):
        exact_edit_cost(GOLD, big, threshold=0.7)
    with pytest.raises(EmptyInput, match="up to 8 nodes"):
        tightness([(GOLD, big)], threshold=0.7)
    found = tightness([(GOLD, big), *[(GOLD, READ)] * 5], threshold=0.7, sample=3)
    assert (found.n, found.eligible, found.exact) == (3, 5, 1)


def test_errors_and_distances_alone_are_better_where_they_are_lower() -> None:
    lower = {name for name, is_higher in HIGHER_IS_BETTER.items() if not is_higher}
    assert lower == {"modifier_mae", "node_brier", "edit_distance"}
    assert set(scores(match(GOLD, READ))) == set(METRICS)


@given(graphs())
def test_a_graph_gives_itself_back(graph: BeliefGraph) -> None:
    for name, value in scores(match(graph, graph, alike)).items():
        assert math.isnan(value) or value == (0 if name in ("modifier_mae", "edit_distance") else 1)


@given(graphs(), graphs(), st.randoms(use_true_random=False))
def test_no_metric_depends_on_ids_or_order(
    gold: BeliefGraph, other: BeliefGraph, rng: object
) -> None:
    keys = list(other.nodes)
    order = list(range(len(keys)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    again = renamed(other, {key: f"z{place}" for place, key in enumerate(reversed(keys))}, order)
    before = scores(match(gold, other, alike, threshold=0.3))
    assert scores(match(gold, again, alike, threshold=0.3)) == pytest.approx(before, nan_ok=True)


SYMMETRIC = set(METRICS) - {
    *("edge_precision", "edge_recall", "node_precision", "node_recall", "node_brier"),
    "reachability",
}


@given(graphs(), graphs())
def test_exchanged_graphs_agree_as_well(gold: BeliefGraph, other: BeliefGraph) -> None:
    one, two = (
        scores(match(*pair, alike, threshold=0.3)) for pair in ((gold, other), (other, gold))
    )
    for name in SYMMETRIC:
        assert one[name] == pytest.approx(two[name], nan_ok=True)
    assert one["edge_precision"] == pytest.approx(two["edge_recall"], nan_ok=True)
    assert one["node_precision"] == pytest.approx(two["node_recall"], nan_ok=True)


@given(graphs(), st.data())
def test_each_true_edge_that_is_missing_costs(graph: BeliefGraph, data: st.DataObject) -> None:
    assume(len(graph.effects) > 1)
    order = data.draw(st.permutations([edge.id for edge in graph.effects]))
    falling = ("edge_f1", "edge_recall", "edge_f1_directed", "edge_soft_f1", "edge_f1_undirected")
    last: dict[str, float] = {}
    for gone in range(len(order) + 1):
        found = scores(match(graph, without(graph, *order[:gone])))
        for name in (*falling, "edit_distance", "motif_f1"):
            value, before = found[name], last.get(name, math.nan)
            if math.isnan(value) or math.isnan(before):
                continue
            if name == "edit_distance":
                assert value > before
            elif name in ("edge_f1", "edge_recall", "edge_f1_directed", "edge_soft_f1"):
                assert value < before
            else:
                assert value <= before
        last = found


@given(graphs(), graphs())
def test_stricter_edges_agree_less_and_all_stay_in_range(
    gold: BeliefGraph, other: BeliefGraph
) -> None:
    found = scores(match(gold, other, alike, threshold=0.3))
    for name, value in found.items():
        low, high = RANGES[name]
        assert math.isnan(value) or low <= value <= high
    for soft in ("", "soft_"):
        strict = [found[f"edge_{soft}f1{kind}"] for kind in ("", "_directed", "_undirected")]
        assert math.isnan(strict[0]) or strict == sorted(strict)


def test_thousands_of_nodes_are_scored() -> None:
    star = drawn(*(f"n{number} +1 S" for number in range(3_000)))
    found = scores(match(GOLD, star))
    assert found["edge_f1"] == 0
    # All pairs of 3,000 edges meet at the stance.
    assert counts_of([(f"n{k}", "S", 1) for k in range(3_000)], "S").sum() == 3_000 + 4_498_500
