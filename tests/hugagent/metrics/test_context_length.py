from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics import EmptyInput, MetricError, MisalignedInput, clustered_mean, partition
from otherminds.metrics.hugagent import accuracy_by_context_length

rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(16, 44), st.sampled_from("PQRST")),
    min_size=1,
    max_size=30,
)


def test_bins_by_hand() -> None:
    found = accuracy_by_context_length(
        [1, 0, 1, 1, 0.4],
        [16, 19, 20, 44, 30],
        ["P", "P", "Q", "R", "R"],
        edges=[16, 20, 30, 35, 44],
    )
    # 16 and 19 | 20 | 30 | 44, on the closed upper edge.
    assert [(b.low, b.high) for b in found.bins] == [(16, 20), (20, 30), (30, 35), (35, 44)]
    assert [b.accuracy.value for b in found.bins] == [0.5, 1, 0.4, 1]
    assert [b.accuracy.n for b in found.bins] == [2, 1, 1, 1]
    assert [b.accuracy.n_clusters for b in found.bins] == [1, 1, 1, 1]


def test_an_empty_bin_has_no_accuracy() -> None:
    found = accuracy_by_context_length([1], [5], ["P"], edges=[-math.inf, 3, math.inf])
    assert math.isnan(found.bins[0].accuracy.value)
    assert [b.accuracy.n for b in found.bins] == [0, 1]


def test_slope_by_hand() -> None:
    # x̄ = 20, ȳ = ½: Σ(x - x̄)(y - ȳ) = (-10)(-½) + 0 + 10·½ = 10 over 200.
    found = accuracy_by_context_length([0, 0.5, 1], [10, 20, 30], ["P", "Q", "R"], edges=[0, 50])
    assert found.slope.value == pytest.approx(0.05)
    assert (found.slope.n, found.slope.n_clusters) == (3, 3)


@given(rows)
def test_slope_and_bins_agree_with_slow_ones(data: list[tuple[int, int, str]]) -> None:
    y, x, people = (list(column) for column in zip(*data, strict=True))
    edges = [16, 24, 25, 44]
    found = accuracy_by_context_length(y, x, people, edges=edges, draws=5)
    if len(set(x)) > 1:
        assert found.slope.value == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-9)
    else:
        assert math.isnan(found.slope.value)
    assert sum(b.accuracy.n for b in found.bins) == len(data)
    for b in found.bins:
        here = [row for row in data if b.low <= row[1] and (row[1] < b.high or b.high == 44)]
        if here:
            mean = clustered_mean([row[0] for row in here], partition([row[2] for row in here]))
            assert b.accuracy.value == pytest.approx(mean.value)
            assert b.accuracy.stderr == pytest.approx(mean.stderr, nan_ok=True)


@settings(deadline=None)
@given(rows, st.integers(-10_000_000, 10_000_000))
def test_origin_of_length_and_order_of_items_do_not_matter(
    data: list[tuple[int, int, str]], origin: int
) -> None:
    shuffled = random.Random(origin).sample(data, len(data))

    def slope(rows: list[tuple[int, int, str]], shift: int) -> tuple[float, float]:
        y, x, people = (list(column) for column in zip(*rows, strict=True))
        found = accuracy_by_context_length(
            y, [v + shift for v in x], people, edges=[-math.inf, math.inf], draws=30
        )
        return found.slope.value, found.slope.stderr

    assert slope(shuffled, origin) == pytest.approx(slope(data, 0), nan_ok=True, abs=1e-9)


def test_the_slope_rests_on_people_not_items() -> None:
    rng = np.random.default_rng(2)
    people, per_person, reps = 50, 20, 150
    ids = [f"p{i:02}" for i in range(people) for _ in range(per_person)]
    hits = naive = 0
    for _ in range(reps):
        lengths = np.repeat(rng.integers(16, 45, people), per_person)
        ability = np.repeat(rng.beta(2, 2, people), per_person)
        y = (rng.random(people * per_person) < ability).astype(float)
        found = accuracy_by_context_length(y, lengths, ids, edges=[0, 50], draws=400).slope
        hits += found.low <= 0 <= found.high
        x = lengths - lengths.mean()
        residual = y - y.mean() - found.value * x
        naive_error = math.sqrt(residual @ residual / (len(y) - 2) / (x @ x))
        naive += abs(found.value) <= 1.96 * naive_error
    # The true slope is 0. 150 samples: 3.5 standard errors of a coverage of 0.95 are 0.062. The formula
    # that takes items as independent covers far too rarely.
    assert hits / reps == pytest.approx(0.95, abs=0.062)
    assert naive / reps < 0.85


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"correct": [], "lengths": [], "people": []}, EmptyInput, "No items"),
        ({"correct": [1]}, MisalignedInput, "one per item"),
        ({"people": ["P"]}, MisalignedInput, "one per item"),
        ({"correct": [1, math.nan]}, MetricError, "parse failure"),
        ({"correct": [1, 2]}, MetricError, "outside 0..1"),
        ({"lengths": [16, math.nan]}, MetricError, "infinite"),
        ({"lengths": [16, 99]}, MetricError, "99 is outside the edges 0..50"),
        ({"edges": [0]}, MetricError, "rising"),
        ({"edges": [0, 0]}, MetricError, "rising"),
        ({"edges": [0, math.nan]}, MetricError, "rising"),
    ],
)
def test_nothing_and_nonsense_are_refused(
    changes: dict[str, list[float]], error: type[Exception], words: str
) -> None:
    good = {"correct": [1, 0], "lengths": [16, 20], "people": ["P", "Q"], "edges": [0, 50]}
    with pytest.raises(error, match=words):
        accuracy_by_context_length(**{**good, **changes})  # type: ignore[arg-type]  # wrong on purpose
