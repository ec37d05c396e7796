from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from otherminds.metrics import jensen_shannon
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.graphs import (
    STATISTICS,
    BeliefGraph,
    Comparison,
    GraphSet,
    compare_sets,
    correlation,
    read_graph,
    similarity_across_topics,
    structure,
)
from tests.helpers.belief_graphs import drawn


def star(points: int, person: str, modifier: float = 1.0) -> BeliefGraph:
    """Every node points to the stance."""
    return drawn(*(f"n{number} {modifier} S" for number in range(points)), agent_id=person)


def stars(*points: int, prefix: str = "P") -> GraphSet:
    return GraphSet.of([star(one, f"{prefix}{number}") for number, one in enumerate(points)])


def compared(first: GraphSet, second: GraphSet, statistic: str, draws: int = 200) -> Comparison:
    return next(
        one for one in compare_sets(first, second, draws=draws) if one.statistic == statistic
    )


def test_structure_by_hand() -> None:
    # a --(+.5)--> b --(-1)--> S <--(0)-- c: three edges, two with a sign, one of these into S.
    data = drawn("a +.5 b @.5", "b -1 S @1", "c 0 S @.75").model_dump()
    for key, importance, status in (("a", 0.5, "anchor"), ("b", 1.0, "belief"), ("c", None, None)):
        data["nodes"][key] |= {"importance": importance, "status": status}
    assert structure(read_graph(data)) == {
        "nodes": 4,
        "edges": 3,
        "density": 3 / 12,
        "mean_degree": 6 / 4,
        "mean_importance": 0.75,
        "mean_confidence": 0.75,
        "anchor_ratio": 1 / 3,
        "stance_in_degree": 1,
        "mean_stance_modifier": 1,
    }
    empty = structure(drawn())
    assert (empty["nodes"], empty["edges"], empty["mean_degree"]) == (1, 0, 0)
    undefined = {name for name, value in empty.items() if math.isnan(value)}
    assert undefined == set(STATISTICS) - {"nodes", "edges", "mean_degree", "stance_in_degree"}


def test_distances_by_hand() -> None:
    # Edges 1 2 3 4 against 3 4 5 6. F − F' is largest at 2: 2/4 − 0. The pooled tenths of
    # 1 2 3 3 4 4 5 6 end at each of these values, so bins hold one each: 1/4 each, two shared.
    found = compared(stars(1, 2, 3, 4), stars(3, 4, 5, 6, prefix="Q"), "edges")
    assert found.first.mean.value == 2.5
    assert found.first.sd.value == pytest.approx(math.sqrt(1.25))
    assert found.first.skewness.value == pytest.approx(0)
    assert found.distances is not None
    assert found.distances.ks.value == 0.5
    assert found.distances.overlap.value == 0.5
    assert (found.distances.ks.n, found.distances.ks.n_clusters) == (8, 4)
    # Half of each is the other's too: JSD = ½.
    assert found.distances.js.value == pytest.approx(0.5)


def test_a_long_right_tail_has_a_skewness_above_zero() -> None:
    # 1 1 1 5: mean 2, deviations −1 −1 −1 3: variance 12/4 = 3, third moment 24/4 = 6, g = 6/3^1.5.
    found = compared(stars(1, 1, 1, 5), stars(2), "edges").first
    assert found.skewness.value == pytest.approx(6 / 3**1.5)
    assert math.isnan(compared(stars(2, 2), stars(2), "edges").first.skewness.value)


counts = st.lists(st.integers(0, 9), min_size=2, max_size=12)


@given(counts, counts)
def test_distances_are_those_of_scipy(one: list[int], other: list[int]) -> None:
    found = compared(stars(*one), stars(*other, prefix="Q"), "edges", draws=2).distances
    assert found is not None
    known = stats.ks_2samp(one, other, method="asymp")
    assert found.ks.value == pytest.approx(known.statistic)
    assert 0 <= found.overlap.value <= 1 + 1e-12
    assert 0 <= found.js.value <= 1
    back = compared(stars(*other), stars(*one, prefix="Q"), "edges", draws=2).distances
    assert back is not None
    for name in ("ks", "js", "overlap"):
        assert getattr(back, name).value == pytest.approx(getattr(found, name).value)


@given(counts)
def test_a_set_is_no_distance_from_itself(one: list[int]) -> None:
    found = compared(stars(*one), stars(*one, prefix="Q"), "edges", draws=2).distances
    assert found is not None
    assert (found.ks.value, found.js.value) == (0, 0)
    assert found.overlap.value == pytest.approx(1)
    assert found.p_value == 1


def test_histograms_are_of_the_pooled_tenths() -> None:
    one = [float(number) for number in range(20)]
    other = [float(number) for number in range(10, 30)]
    first = [drawn(f"a +{(value + 1) / 40} S", agent_id=f"P{value}") for value in one]
    second = [drawn(f"a +{(value + 1) / 40} S", agent_id=f"Q{value}") for value in other]
    found = compared(GraphSet.of(first), GraphSet.of(second), "mean_stance_modifier").distances
    assert found is not None
    edges = np.quantile([*one, *other], np.arange(1, 10) / 10, method="inverted_cdf")
    known = [
        np.bincount(np.searchsorted(edges, side, side="left"), minlength=10)
        for side in (one, other)
    ]
    assert found.js.value == pytest.approx(jensen_shannon(*known))
    assert found.overlap.value == pytest.approx(np.minimum(*known).sum() / 20)


def test_dealing_people_tells_chance_from_difference() -> None:
    rng = np.random.default_rng(5)
    same = compared(
        stars(*rng.integers(2, 9, 40)), stars(*rng.integers(2, 9, 40), prefix="Q"), "edges"
    )
    apart = compared(
        stars(*rng.integers(2, 9, 40)), stars(*rng.integers(5, 12, 40), prefix="Q"), "edges"
    )
    assert same.distances is not None
    assert apart.distances is not None
    assert same.distances.p_value > 0.05
    assert apart.distances.p_value < 0.01
    assert apart.distances.ks.value > apart.distances.null[0]
    assert apart.distances.overlap.value < apart.distances.null[2]


def test_a_persons_graphs_go_together() -> None:
    # One person with forty graphs is one person: nothing is known about the spread.
    many = GraphSet.of([star(number % 4 + 1, "P1") for number in range(40)])
    found = compared(many, stars(1, 2, 3), "edges")
    assert math.isnan(found.first.mean.stderr)
    assert found.first.mean.n == 40
    assert found.distances is not None
    assert math.isnan(found.distances.ks.stderr)


def test_what_a_set_lacks_is_not_compared() -> None:
    found = compared(stars(1, 2), stars(3, prefix="Q"), "mean_importance")
    assert found.distances is None
    assert found.first.mean.n == 0
    with pytest.raises(EmptyInput):
        GraphSet.of([])
    with pytest.raises(MetricError, match="agent_id"):
        GraphSet.of([drawn("a +1 S")])


def test_similarity_across_topics_by_hand() -> None:
    # x: chain ++, stance +, stance ++; y: the same shape in other words; z: only stance −.
    x = drawn("a +1 b", "b +1 S", agent_id="P1", topic="x")
    y = drawn("k +1 l", "l +1 S", agent_id="P1", topic="y")
    z = drawn("k -1 S", agent_id="P1", topic="z")
    alone = drawn("k -1 S", agent_id="P2", topic="z")
    # x–y 1, x–z 0, y–z 0.
    assert similarity_across_topics([x, y, z, alone]) == pytest.approx({"P1": 1 / 3})
    with pytest.raises(MisalignedInput, match="P1 has two graphs on x"):
        similarity_across_topics([x, x])
    with pytest.raises(MetricError, match="no topic"):
        similarity_across_topics([drawn(agent_id="P1")])


def test_correlation_by_hand() -> None:
    # Deviations −1 0 1 and −1 1 0: Σ = 1, both squares 2: r = ½, and the ranks are the values.
    similar = {"P1": 0.1, "P2": 0.2, "P3": 0.3, "P4": 0.9, "P5": math.nan}
    score = {"P1": 1.0, "P2": 3.0, "P3": 2.0, "P5": 1.0, "P6": 2.0}
    found = correlation(similar, score)
    assert found.people == ("P1", "P2", "P3")
    assert found.pearson.value == pytest.approx(0.5)
    assert found.spearman.value == pytest.approx(0.5)
    assert math.isnan(correlation(similar, dict.fromkeys(similar, 1.0)).pearson.value)
    with pytest.raises(EmptyInput, match="2 people"):
        correlation({"P1": 1, "P2": 2}, score)


def test_a_correlation_that_is_there_has_an_interval_above_zero() -> None:
    rng = np.random.default_rng(1)
    x = rng.random(60)
    similar = {f"P{n}": float(value) for n, value in enumerate(x)}
    score = {f"P{n}": float(value + rng.random() / 2) for n, value in enumerate(x)}
    found = correlation(similar, score)
    assert 0 < found.pearson.low < found.pearson.value < found.pearson.high <= 1
    assert found.pearson.stderr == pytest.approx(
        (1 - found.pearson.value**2) / math.sqrt(60), rel=0.4
    )
