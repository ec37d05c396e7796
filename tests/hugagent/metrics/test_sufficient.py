from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.comparison import compare_pair
from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.hugagent import METRICS, PAPER, RELEASE, Item, Protocol, summarize
from otherminds.metrics.hugagent.scores import sufficient
from otherminds.metrics.uncertainty import cluster_bootstrap


def answered(items: list[Item], *, share: float, seed: int) -> list[Item]:
    """The items with the gold answer in about `share` of them, else the answers they had."""
    rng = random.Random(seed)
    return [
        item._replace(
            answers=tuple(
                (item.gold if item.task == "bsi" else int(item.gold))
                if rng.random() < share
                else answer
                for answer in item.answers
            )
        )
        for item in items
    ]


@pytest.mark.parametrize("protocol", [PAPER, RELEASE])
@pytest.mark.parametrize("runs", [1, 3])
def test_values_and_counts_are_those_of_the_summary(
    make: Any, protocol: Protocol, runs: int
) -> None:
    items = make.population(15, runs=runs, seed=2)
    found, summary = sufficient(items, protocol), summarize(items, protocol=protocol)
    assert found.metrics == METRICS
    assert dict(found.values()) == {name: summary[name].value for name in METRICS}
    counts = found.counts()
    assert counts.sum(axis=0) == pytest.approx([summary[name].n for name in METRICS])
    assert np.count_nonzero(counts, axis=0).tolist() == [summary[m].n_clusters for m in METRICS]


def test_its_bootstrap_is_that_of_the_summary(make: Any) -> None:
    items = make.population(15, runs=2, seed=3)
    found, summary = sufficient(items), summarize(items, draws=300)
    draws = cluster_bootstrap(found.sums, found.statistic, draws=300)
    assert np.nanstd(draws, axis=0, ddof=1) == pytest.approx([summary[m].stderr for m in METRICS])


def test_each_person_contributes_their_items_by_hand(make: Any) -> None:
    # BSI: P 1 of 2, Q 1 of 1: together 2/3. All answers but one are read: P 1 of 2.
    items = [
        make.bsi("a", "P", "A", "A"),
        make.bsi("b", "P", "B", None),
        make.bsi("c", "Q", "B", "B"),
    ]
    found = sufficient(items)
    assert found.clusters == ("P", "Q")
    values = found.values()
    assert (values["bsi_acc"], values["parse_rate"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert np.isnan([values[name] for name in ("bdu_acc", "bdu_mae", "bdu_dir", "ati")]).all()
    assert found.counts()[:, METRICS.index("bsi_acc")].tolist() == [2, 1]
    assert found.counts()[:, METRICS.index("bdu_dir")].tolist() == [0, 0]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_the_order_of_items_does_not_matter(make: Any, seed: int) -> None:
    items = make.population(5, runs=2, seed=seed)
    first, second = sufficient(items), sufficient(random.Random(seed).sample(items, len(items)))
    assert first.clusters == second.clusters
    assert first.sums.tobytes() == second.sums.tobytes()


def test_a_better_model_is_found_better(make: Any) -> None:
    items = make.population(40, seed=1, noise=4)
    better = answered(items, share=0.5, seed=2)
    found = compare_pair(sufficient(better), sufficient(items))
    for name in ("bsi_acc", "bdu_acc", "bdu_mae", "composite"):
        assert found[name].p_value < 0.01
        assert (found[name].difference.value > 0) == (name != "bdu_mae")
    # Their answers rest on the same people, drawn together.
    same = compare_pair(sufficient(items), sufficient(list(reversed(items))))
    assert all(difference.p_value == 1 for difference in same.values())


def test_direction_rests_on_the_people_that_have_pairs(make: Any) -> None:
    people = [make.bsi(f"b{i}", f"P{i}", "A", "A") for i in range(12)]
    pairs = [
        make.opinion(f"{question}{i}", f"P{i}", question, gold, gold)
        for i in range(5)
        for question, gold in (("1.1", 5), ("1.2", 7))
    ]
    right = sufficient([*people, *pairs])
    # The second model turns two of the five round.
    turned = [
        item._replace(answers=(3,)) if item.item_id in ("1.20", "1.21") else item for item in pairs
    ]
    found = compare_pair(right, sufficient([*people, *turned]))["bdu_direction"]
    assert (found.difference.value, found.difference.n_clusters) == (pytest.approx(0.4), 5)
    # Two clusters differ: 1 - 3/5 when kept, 4/5 against 4/5 when one is swapped.
    assert (found.p_value, found.swap_patterns) == (0.5, 4)


def test_other_golds_or_runs_are_not_comparable(make: Any) -> None:
    items = make.population(6, seed=1)
    with pytest.raises(MisalignedInput, match="number of runs"):
        compare_pair(sufficient(items), sufficient(make.population(6, runs=2, seed=1)))
    # On other items: one topic without an interview's updates.
    less = [item for item in items if item.topic == "zoning" or item.task == "bsi"]
    with pytest.raises(MisalignedInput, match="same golds"):
        compare_pair(sufficient(items), sufficient(less))
    with pytest.raises(EmptyInput, match="No items"):
        sufficient([])


def test_published_models_differ_by_their_published_scores(
    published: Callable[[str], list[Item]],
) -> None:
    # BSI 73.36 and 76.04, accuracy 67.13 and 68.61, MAE 1.17 and 1.18, dir 80.94 and 78.73.
    found = compare_pair(*(sufficient(published(m)) for m in ("gpt-5.1", "claude-sonnet-4-5")))
    for name, first, second in [
        ("bsi_acc", 0.7336, 0.7604),
        ("bdu_acc", 0.6713, 0.6861),
        ("bdu_dir", 0.8094, 0.7873),
    ]:
        assert found[name].difference.value == pytest.approx(first - second, abs=1.01e-4)
        assert found[name].difference.n_clusters > 30
        assert 0 < found[name].p_value <= 1
        assert found[name].mde > 2.8 * found[name].difference.stderr
