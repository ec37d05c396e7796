"""Per-person sums, and the gain of one condition over another."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from otherminds.metrics.comparison import compare_pair
from otherminds.metrics.debate import COMPARED, Belief, gain, sufficient, summarize
from otherminds.metrics.errors import EmptyInput, MisalignedInput


def improved(items: list[Belief], category: str, *, share: float, seed: int) -> list[Belief]:
    """The gold answer in about `share` of a category's items, else the answers they had."""
    rng = random.Random(seed)
    return [
        item._replace(answers=(item.agrees,) * len(item.answers))
        if item.category == category and rng.random() < share
        else item
        for item in items
    ]


@pytest.mark.parametrize("runs", [1, 3])
def test_values_and_counts_are_those_of_the_summary(make: Any, runs: int) -> None:
    items = make.population(30, runs=runs, seed=2)
    found, summary = sufficient(items), summarize(items)
    assert dict(found.values()) == {name: pytest.approx(summary[name].value) for name in COMPARED}
    counts = found.counts()
    assert counts.sum(axis=0) == pytest.approx([summary[name].n for name in COMPARED])
    assert np.count_nonzero(counts, axis=0).tolist() == [summary[m].n_clusters for m in COMPARED]


def test_the_order_of_items_does_not_matter(make: Any) -> None:
    items = make.population(10, runs=2, seed=5)
    first, second = sufficient(items), sufficient(random.Random(0).sample(items, len(items)))
    assert first.clusters == second.clusters
    assert first.sums.tobytes() == second.sums.tobytes()


def test_a_gain_by_hand(make: Any) -> None:
    # Accuracy 1/4 -> 3/4; P gains both of its Arts items, Q none of its Religion items.
    told = [
        make.belief("a", "P", True, True, category="Arts"),
        make.belief("b", "P", False, False, category="Arts"),
        make.belief("c", "Q", True, True),
        make.belief("d", "Q", False, True),
    ]
    blind = [
        item._replace(answers=(not item.agrees,)) if item.category == "Arts" else item
        for item in told
    ]
    found = gain(told, blind)
    assert found.overall["acc"].difference.value == pytest.approx(0.5)
    assert (found.overall["acc"].a, found.overall["acc"].b) == (0.75, 0.25)
    assert list(found.by_category) == ["Arts", "Religion"]
    assert found.by_category["Arts"]["acc"].difference.value == 1.0
    assert found.by_category["Arts"]["macro_f1"].difference.value == 1.0
    assert found.by_category["Religion"]["acc"].difference.value == 0.0
    assert found.by_category["Religion"]["acc"].p_value == 1.0


def test_a_gain_in_one_category_is_found_there_and_not_elsewhere(make: Any) -> None:
    blind = make.population(80, seed=1, skill=0.55)
    told = improved(blind, "Religion", share=0.6, seed=2)
    found = gain(told, blind, swaps=999)
    assert found.by_category["Religion"]["macro_f1"].p_value < 0.01
    assert found.by_category["Religion"]["macro_f1"].difference.low > 0
    for other in ("Arts", "Politics"):
        assert found.by_category[other]["macro_f1"].difference.value == 0
    assert found.overall["macro_f1"].difference.low > 0


def test_paired_intervals_are_narrower_than_those_of_strangers(make: Any) -> None:
    blind = make.population(80, seed=1)
    told = improved(blind, "Arts", share=0.3, seed=2)
    paired = gain(told, blind, swaps=99).overall["acc"].difference.stderr
    apart = np.hypot(summarize(told)["acc"].stderr, summarize(blind)["acc"].stderr)
    assert paired < 0.6 * apart


def test_a_gain_and_its_reverse_differ_in_sign_alone(make: Any) -> None:
    blind = make.population(20, seed=1)
    told = improved(blind, "Arts", share=0.9, seed=2)
    forth, back = gain(told, blind, swaps=99), gain(blind, told, swaps=99)
    for name in COMPARED:
        assert forth.overall[name].difference.value == -back.overall[name].difference.value
        assert forth.overall[name].p_value == back.overall[name].p_value


def test_other_items_people_golds_or_runs_are_refused(make: Any) -> None:
    items = make.population(6, seed=1)
    with pytest.raises(MisalignedInput, match="one of the two conditions only"):
        gain(items, items[1:])
    for changes in ({"agrees": not items[0].agrees}, {"user_id": "U9"}, {"category": "Cars"}):
        with pytest.raises(MisalignedInput, match="another person, category or gold"):
            gain(items, [items[0]._replace(**changes), *items[1:]])
    with pytest.raises(MisalignedInput, match="number of runs"):
        gain(items, [item._replace(answers=item.answers * 2) for item in items])
    with pytest.raises(EmptyInput, match="No items"):
        gain([], items)
    # How much is known of a person may differ.
    fewer = [item._replace(n_known=0) for item in items]
    assert gain(items, fewer, swaps=9).overall["acc"].difference.value == 0


def test_models_on_other_items_are_not_comparable(make: Any) -> None:
    with pytest.raises(MisalignedInput, match="number of runs"):
        compare_pair(sufficient(make.population(6)), sufficient(make.population(6, runs=2)))
    with pytest.raises(EmptyInput, match="No items"):
        sufficient([])
