"""The single numbers, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent import (
    bdu_accuracy,
    bsi_accuracy,
    directional_accuracy,
    mean_absolute_error,
)

NAN = math.nan


def test_bsi_accuracy() -> None:
    gold, answers = ["A", "B", "A/B", "A"], ["A", "A", "B", None]
    assert bsi_accuracy(gold, answers) == 1 / 4
    assert bsi_accuracy(gold, answers, either_letter=True) == 2 / 4
    assert bsi_accuracy(["A/B"], [None], either_letter=True) == 0
    assert bsi_accuracy(["A/B"], ["C"], either_letter=True) == 0
    with pytest.raises(EmptyInput):
        bsi_accuracy([], [])
    with pytest.raises(MisalignedInput):
        bsi_accuracy(["A"], [])


def test_bdu_accuracy_and_error() -> None:
    # 5-point: |2 - 1| = 1 is within 1, |3 - 1| is not. 10-point: |9 - 7| is within 2, |10 - 7| is not.
    gold = np.array([1.0, 1.0, 7.0, 7.0, 7.0])
    answers = np.array([2.0, 3.0, 9.0, 10.0, NAN])
    tolerance = np.array([1.0, 1.0, 2.0, 2.0, 2.0])
    factor = np.array([1.0, 1.0, 0.5, 0.5, 0.5])
    assert bdu_accuracy(gold, answers, tolerance) == 2 / 5
    # 1, 2, 2/2, 3/2: sum 5.5, over 4 read answers; with 6.0 for the unread one 11.5 over 5.
    assert mean_absolute_error(gold, answers, factor) == 5.5 / 4
    assert mean_absolute_error(gold, answers, factor, unparsed_error=6.0) == 11.5 / 5


def test_nothing_to_measure() -> None:
    none = np.ones(0)
    with pytest.raises(EmptyInput):
        bdu_accuracy(none, none, none)
    with pytest.raises(EmptyInput):
        mean_absolute_error(none, none, none)
    with pytest.raises(EmptyInput, match="read"):
        mean_absolute_error(np.ones(2), np.full(2, NAN), np.ones(2))
    with pytest.raises(MisalignedInput):
        mean_absolute_error(np.ones(2), np.ones(3), np.ones(2))
    with pytest.raises(MisalignedInput):
        bdu_accuracy(np.ones(2), np.ones(3), np.ones(2))


def test_direction_by_hand() -> None:
    # Δ person:  0  0 +2 -3 +1
    # Δ model:   0 +1 +4 +1  0
    # agree on whether it changed: yes no yes yes no = 3/5; both changed: 2, one with the same sign.
    # score = 0.3 · 0.6 + 0.7 · 0.5 = 0.53
    before = np.full((5, 2), 5.0)
    after = before + np.array([[0, 0], [0, 1], [2, 4], [-3, 1], [1, 0]])
    result = directional_accuracy(before, after)
    assert (result.change, result.direction, result.n, result.n_both_changed) == (0.6, 0.5, 5, 2)
    assert result.score == pytest.approx(0.53)
    assert directional_accuracy(before, after, weight=1).score == 0.6


def test_without_common_change_there_is_no_direction() -> None:
    result = directional_accuracy(np.array([[5.0, 5.0]]), np.array([[5.0, 5.0]]))
    assert math.isnan(result.direction)
    assert result.n_both_changed == 0
    assert result.score == pytest.approx(0.3)


@given(st.lists(st.tuples(*[st.integers(1, 10)] * 4), min_size=1, max_size=20))
def test_turning_the_scale_round_changes_no_direction(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=np.float64)
    before, after = table[:, :2], table[:, 2:]
    there, back = directional_accuracy(before, after), directional_accuracy(11 - before, 11 - after)
    assert there.score == back.score
    assert there.n_both_changed == back.n_both_changed


def test_bad_pairs_are_refused() -> None:
    with pytest.raises(EmptyInput):
        directional_accuracy(np.ones((0, 2)), np.ones((0, 2)))
    with pytest.raises(MisalignedInput):
        directional_accuracy(np.ones((3, 2)), np.ones((2, 2)))
    with pytest.raises(MetricError, match="NaN"):
        directional_accuracy(np.array([[1.0, NAN]]), np.ones((1, 2)))
    with pytest.raises(MetricError, match="Weight"):
        directional_accuracy(np.ones((1, 2)), np.ones((1, 2)), weight=2)
