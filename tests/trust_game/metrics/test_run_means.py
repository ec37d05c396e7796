from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.uncertainty import clustered_mean, mean_over_runs, partition


def test_one_run_is_the_clustered_mean_of_what_was_read() -> None:
    values = np.array([[1.0], [4.0], [math.nan], [2.0], [math.nan], [7.0]])
    ids = ["a", "a", "a", "b", "c", "d"]
    read = [0, 1, 3, 5]
    expected = clustered_mean(values[read, 0], partition([ids[i] for i in read]))
    found = mean_over_runs(values, partition(ids))
    assert found.value == pytest.approx(expected.value)
    assert found.stderr == pytest.approx(expected.stderr)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert (found.n, found.n_clusters) == (4, 3)


def test_runs_count_alike_however_much_was_read() -> None:
    # Run 1: mean of 1 and 3 is 2. Run 2: 6 alone. Mean 4. Influences: a (1 - 2)/2/2 = -1/4,
    # b (3 - 2)/2/2 + (6 - 6)/1/2 = 1/4; SE = sqrt(2/1 · (1/16 + 1/16)) = 1/2.
    values = np.array([[1.0, math.nan], [3.0, 6.0]])
    found = mean_over_runs(values, partition(["a", "b"]))
    assert (found.value, found.stderr) == (4, pytest.approx(0.5))
    assert (found.n, found.n_clusters) == (1.5, 2)


def test_repeats_are_no_further_items() -> None:
    values = np.array([[1.0], [3.0], [8.0]])
    people = partition(["a", "b", "c"])
    once, thrice = (
        mean_over_runs(values, people),
        mean_over_runs(np.repeat(values, 3, axis=1), people),
    )
    assert thrice.value == pytest.approx(once.value)
    assert thrice.stderr == pytest.approx(once.stderr)
    assert thrice.n == once.n


def test_a_run_without_anything_is_left_out_of_the_mean_but_not_of_n() -> None:
    found = mean_over_runs(np.array([[1.0, math.nan], [3.0, math.nan]]), partition(["a", "b"]))
    assert (found.value, found.n, found.n_clusters) == (2, 1, 2)


def test_nothing_read_and_one_person() -> None:
    nothing = mean_over_runs(np.array([[math.nan]]), partition(["a"]))
    assert math.isnan(nothing.value)
    assert (nothing.n, nothing.n_clusters) == (0, 0)
    alone = mean_over_runs(np.array([[2.0], [math.nan]]), partition(["a", "b"]))
    assert alone.value == 2
    assert math.isnan(alone.stderr)


def test_shapes() -> None:
    for values in (np.zeros(2), np.zeros((3, 1)), np.zeros((2, 0))):
        with pytest.raises(MisalignedInput, match="row per item"):
            mean_over_runs(values, partition(["a", "b"]))
