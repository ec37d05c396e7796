"""The update rule, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.dynamics import Rates

RATES = Rates(stance=4.0, weight=0.3, spread=0.5)
SIGNS = np.array([1.0, -1.0])
WEIGHTS = np.array([1.0, 0.5])

weights_strategy = arrays(np.float64, st.integers(1, 6), elements=st.floats(0.01, 1.0))


def test_initial_stance() -> None:
    # 5.5 + 2 · (1·1 − 1·0.5) + 1 · 0.25 + 0.1 = 6.85
    stance = dynamics.initial_stance(
        SIGNS, WEIGHTS, policy_pull=0.25, other=0.1, belief_gain=2.0, value_gain=1.0
    )
    assert stance == pytest.approx(6.85)


@pytest.mark.parametrize(("other", "stance"), [(100.0, 10.0), (-100.0, 1.0)])
def test_initial_stance_stays_on_the_scale(other: float, stance: float) -> None:
    found = dynamics.initial_stance(SIGNS, WEIGHTS, 0.0, other, belief_gain=1.0, value_gain=1.0)
    assert found == stance


def test_stance_after() -> None:
    # A slight rise of the first reason (+1/3) and a clear fall of the second (−2/3):
    # 1·1·(1/3) + (−1)·0.5·(−2/3) = 2/3, times η_s = 4 is 2.666667; 5 + 2.666667 = 7.666667.
    deltas = np.array([1 / 3, -2 / 3])
    after = dynamics.stance_after(5.0, SIGNS, WEIGHTS, deltas, RATES)
    assert after == 7.666667
    assert dynamics.reported_stance(after) == 8


def test_stance_after_is_clipped() -> None:
    # 9 + 4·1 = 13 and 2 − 4·1 = −2 lie outside the scale.
    assert dynamics.stance_after(9.0, SIGNS, WEIGHTS, np.array([1.0, 0.0]), RATES) == 10.0
    assert dynamics.stance_after(2.0, SIGNS, WEIGHTS, np.array([-1.0, 0.0]), RATES) == 1.0


def test_weights_after() -> None:
    # One edge 0 → 1 of weight 0.8, so M = [[1, 0], [0.4, 1]]. With Δf = (1/3, 0): MΔf = (1/3, 0.4/3),
    # w + 0.3·MΔf = (1.1, 0.54), over 1.1: (1, 0.490909). Ratings: 5 and 1 + round(1.96) = 3.
    links = np.array([[0.0, 0.8], [0.0, 0.0]])
    after = dynamics.weights_after(WEIGHTS, links, np.array([1 / 3, 0.0]), RATES)
    assert after == pytest.approx([1.0, 0.490909])
    assert dynamics.reported_weights(after) == [5, 3]


def test_negative_weights_become_zero() -> None:
    # (0.05, 1) − 0.3·(1, 0) = (−0.25, 1): the first is not a negative reason but none.
    after = dynamics.weights_after(
        np.array([0.05, 1.0]), np.zeros((2, 2)), np.array([-1.0, 0.0]), RATES
    )
    assert after.tolist() == [0.0, 1.0]
    assert dynamics.reported_weights(after) == [1, 5]


@pytest.mark.parametrize(
    ("stance", "reported"), [(1.0, 1), (4.499999, 4), (4.5, 5), (9.5, 10), (10.0, 10)]
)
def test_reported_stance_rounds_halves_up(stance: float, reported: int) -> None:
    assert dynamics.reported_stance(stance) == reported


def test_reported_weights_round_halves_up() -> None:
    # 4·0.125 = 0.5 and 4·0.375 = 1.5 are halves.
    assert dynamics.reported_weights(np.array([0.125, 0.375, 1.0])) == [2, 3, 5]


@pytest.mark.parametrize("weights", [np.zeros(2), np.array([-1.0]), np.zeros(0)])
def test_no_positive_weight_is_an_error(weights: dynamics.FloatArray) -> None:
    with pytest.raises(ValueError, match="positive weight"):
        dynamics.normalized(weights)


@given(weights_strategy, st.floats(0.1, 10.0))
def test_ratings_do_not_depend_on_the_scale_of_weights(
    weights: dynamics.FloatArray, factor: float
) -> None:
    found = dynamics.normalized(weights)
    assert found == pytest.approx(dynamics.normalized(weights * factor), abs=1e-5)
    assert max(dynamics.reported_weights(weights)) == dynamics.HIGHEST_RATING


@given(weights_strategy, st.floats(1.0, 10.0))
def test_no_change_leaves_everything_as_it_was(weights: dynamics.FloatArray, stance: float) -> None:
    nothing = np.zeros(len(weights))
    links = np.zeros((len(weights), len(weights)))
    assert dynamics.stance_after(stance, nothing, weights, nothing) == round(stance, 6)
    after = dynamics.weights_after(weights, links, nothing)
    assert after == pytest.approx(dynamics.normalized(weights))
