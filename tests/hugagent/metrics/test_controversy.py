from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics import EmptyInput, MetricError, MisalignedInput, partition
from otherminds.metrics.hugagent import (
    Controversy,
    Item,
    controversy_by_topic,
    controversy_index,
)

stances_on_ten = st.lists(st.integers(1, 10), min_size=2, max_size=20)


def index(stances: list[float], *, low: int = 1, high: int = 10) -> Controversy:
    people = partition([f"p{i:03}" for i in range(len(stances))])
    return controversy_index(stances, people, low=low, high=high, draws=50)


def parts(found: Controversy) -> tuple[float, float, float]:
    return found.index.value, found.variance.value, found.entropy.value


def test_the_ends_of_the_index() -> None:
    assert parts(index([1, 10])) == (2, 1, 1)
    assert parts(index([7, 7, 7])) == (0, 0, 0)
    # Sides without distance: variance ¼ of a maximum of 4.5² = 20.25, entropy 1.
    assert parts(index([5, 6])) == pytest.approx((1 + 0.25 / 20.25, 0.25 / 20.25, 1))


def test_by_hand() -> None:
    # 1 1 3 5 on five points: mean 2.5, variance (2·2.25 + 0.25 + 6.25)/4 = 2.75 of a maximum of 4.
    # The 3 is half above: p = 1.5/4; entropy 0.375·log2(8/3) + 0.625·log2(8/5) = 0.9544340.
    found = index([1, 1, 3, 5], high=5)
    assert parts(found) == pytest.approx((0.6875 + 0.9544340, 0.6875, 0.9544340))
    assert (found.index.n, found.index.n_clusters) == (4, 4)
    assert found.index.stderr > 0


@given(stances_on_ten)
def test_turning_the_scale_round_changes_nothing(stances: list[int]) -> None:
    found = parts(index(list(stances)))
    assert found == pytest.approx(parts(index([11 - x for x in stances])))
    assert found[0] == pytest.approx(found[1] + found[2])
    assert all(0 <= part <= 1 for part in found[1:])
    # The same stances on a scale three times as wide and shifted.
    assert found == pytest.approx(parts(index([3 * x - 7 for x in stances], low=-4, high=23)))


@given(stances_on_ten)
def test_pushing_everyone_to_their_end_never_lowers_the_variance(stances: list[int]) -> None:
    extreme = [10.0 if x > 5 else 1.0 for x in stances]
    before, after = index(list(stances)), index(extreme)
    assert after.entropy.value == pytest.approx(before.entropy.value)
    if len(set(extreme)) == 2:
        assert after.variance.value >= before.variance.value - 1e-12


def test_one_person_has_no_interval() -> None:
    found = controversy_index([1, 10], partition(["P", "P"]), low=1, high=10)
    assert found.index.value == 2
    assert math.isnan(found.index.stderr)


def test_topics_use_the_baselines_alone(make: Any) -> None:
    items = [
        make.opinion("a", "P", "1.1", 1, 5),
        make.opinion("b", "Q", "1.1", 10, 5),
        make.opinion("c", "Q", "1.2", 10, 5),
        make.reason("d", "Q", 3, 3),
        make.bsi("e", "Q", "A", "A"),
        make.opinion("f", "P", "3.1", 4, 5, topic="healthcare"),
        make.opinion("g", "Q", "3.1", 4, 5, topic="healthcare"),
        make.opinion("h", "Q", "2.6", 4, 5, topic="surveillance"),
    ]
    found = controversy_by_topic(random.Random(1).sample(items, len(items)))
    assert {topic: parts(c) for topic, c in found.items()} == {
        "healthcare": (0, 0, 0),
        "zoning": (2, 1, 1),
    }
    assert found["zoning"].index.n == 2


def test_the_people_of_the_public_items(published: Callable[[str], list[Item]]) -> None:
    items = published("gpt-5.1")
    found = controversy_by_topic(items)
    assert sorted(found) == ["healthcare", "surveillance", "zoning"]
    for topic, question in [("zoning", "1.1"), ("surveillance", "2.1"), ("healthcare", "3.1")]:
        golds = [int(i.gold) for i in items if (i.topic, i.question_id) == (topic, question)]
        mean = sum(golds) / len(golds)
        variance = sum((x - mean) ** 2 for x in golds) / len(golds) / 4.5**2
        sides = Counter(x > 5.5 for x in golds).values()
        entropy = -sum(n / len(golds) * math.log2(n / len(golds)) for n in sides)
        assert parts(found[topic]) == pytest.approx((variance + entropy, variance, entropy))
        assert found[topic].index.n == len(golds)


def test_nothing_and_nonsense_are_refused(make: Any) -> None:
    for stance in (0, 11, math.nan, math.inf):
        with pytest.raises(MetricError, match="not on the scale 1-10"):
            index([5, stance])
    with pytest.raises(MetricError, match="below high"):
        index([1, 1], low=1, high=1)
    with pytest.raises(MisalignedInput):
        controversy_index([1, 2, 3], partition(["P", "Q"]), low=1, high=5)
    with pytest.raises(EmptyInput, match="No opinion"):
        controversy_by_topic([make.reason("d", "Q", 3, 3)])
    with pytest.raises(EmptyInput, match="No items"):
        controversy_by_topic([])
    items = [
        make.opinion("a", "P", "1.1", 1, 5),
        make.opinion("b", "Q", "1.1", 1, 5)._replace(high=5),
    ]
    with pytest.raises(MetricError, match="use one"):
        controversy_by_topic(items)
