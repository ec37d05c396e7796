from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics import clustered_mean, partition
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.graphs import METRICS, Pair, Scored, score_pairs, sensitivity, summarize
from otherminds.types import FloatArray
from tests.helpers.belief_graphs import drawn

NAN = math.nan


def scored(*rows: tuple[str, str, float]) -> list[Scored]:
    return [Scored(person, topic, {"edge_f1": value}) for person, topic, value in rows]


def test_topics_count_alike_whoever_was_asked_about_them() -> None:
    # x: (0 + 1 + 1 + 0) / 4 = 0.5; y: 1 / 1 = 1, its NaN being nothing. Overall (0.5 + 1) / 2.
    rows = scored(
        ("P1", "x", 0.0),
        ("P2", "x", 1.0),
        ("P3", "x", 1.0),
        ("P4", "x", 0.0),
        ("P1", "y", 1.0),
        ("P2", "y", NAN),
    )
    found = summarize(rows, ["edge_f1"])
    assert found.topics["x"]["edge_f1"].value == 0.5
    assert found.topics["y"]["edge_f1"].value == 1
    assert (found.topics["y"]["edge_f1"].n, found.topics["y"]["edge_f1"].n_clusters) == (1, 1)
    overall = found.overall["edge_f1"]
    assert (overall.value, overall.n, overall.n_clusters) == (0.75, 5, 4)
    assert 0 <= overall.low < 0.75 < overall.high <= 1


def test_one_topic_has_the_clustered_mean_and_its_error() -> None:
    rng = np.random.default_rng(3)
    values = rng.random(200)
    rows = scored(*((f"P{number}", "x", value) for number, value in enumerate(values)))
    found = summarize(rows, ["edge_f1"]).overall["edge_f1"]
    known = clustered_mean(values, partition([row.person for row in rows]))
    assert found.value == pytest.approx(known.value)
    assert found.stderr == pytest.approx(known.stderr, rel=0.06)


def test_a_persons_graphs_are_drawn_together() -> None:
    # Ten people with the same value on three topics know no more than ten people on one.
    values = [0.0, 1.0] * 5
    once = scored(*((f"P{n}", "x", value) for n, value in enumerate(values)))
    thrice = scored(*((f"P{n}", topic, value) for n, value in enumerate(values) for topic in "xyz"))
    one, three = (summarize(rows, ["edge_f1"]).overall["edge_f1"] for rows in (once, thrice))
    assert three.stderr == pytest.approx(one.stderr)
    assert (three.n, three.n_clusters) == (30, 10)


@given(st.randoms(use_true_random=False))
def test_the_order_of_graphs_does_not_matter(rng: object) -> None:
    rows = scored(*((f"P{n}", topic, n / 8) for n in range(8) for topic in "xy"))
    before = summarize(rows, ["edge_f1"], draws=50)
    rng.shuffle(rows)  # type: ignore[attr-defined]
    assert summarize(rows, ["edge_f1"], draws=50) == before


def test_what_nobody_has_is_nothing() -> None:
    found = summarize(scored(("P1", "x", NAN), ("P2", "x", NAN)), ["edge_f1"]).overall["edge_f1"]
    assert math.isnan(found.value)
    assert (found.n, found.n_clusters) == (0, 0)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(EmptyInput):
        summarize([])
    with pytest.raises(MisalignedInput, match="two graphs"):
        summarize(scored(("P1", "x", 1), ("P1", "x", 0)))
    with pytest.raises(MetricError, match="edge_precision"):
        summarize(scored(("P1", "x", 1)), ["edge_f1", "edge_precision"])


def test_a_lower_threshold_matches_more() -> None:
    gold, read = drawn("a +1 S"), drawn("b +1 S")
    pairs = [Pair(f"P{number}", "x", gold, read) for number in range(3)]

    def near(first: object, second: object) -> FloatArray:
        return np.array([[0.7]])

    found = sensitivity(pairs, near)
    assert {tau: one.overall["edge_f1"].value for tau, one in found.items()} == {
        0.6: 1,
        0.7: 1,
        0.8: 0,
    }
    assert set(found[0.6].overall) == set(METRICS)
    assert score_pairs(pairs)[0].values["edge_f1"] == 0


def test_gold_and_read_graphs_are_not_mistaken_for_each_other() -> None:
    # Of the two edges that were read one is right, and it is all there is.
    (one,) = score_pairs([Pair("P1", "x", drawn("a +1 S"), drawn("a +1 S", "b +1 S"))])
    assert (one.person, one.topic) == ("P1", "x")
    assert (one.values["edge_precision"], one.values["edge_recall"]) == (0.5, 1)
    assert (one.values["node_precision"], one.values["node_recall"]) == (0.5, 1)
