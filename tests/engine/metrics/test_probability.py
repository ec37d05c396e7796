from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.probability import (
    brier_scores,
    expected_calibration_error,
    expected_value,
    probabilities,
)


def test_probabilities_by_hand() -> None:
    assert probabilities([math.log(1), math.log(3)]).tolist() == pytest.approx([0.25, 0.75])
    assert probabilities([-5000.0, -5000.0]).tolist() == [0.5, 0.5]
    assert probabilities([-math.inf, -3.0]).tolist() == [0.0, 1.0]


@given(st.lists(st.floats(-1e4, 0), min_size=1, max_size=16), st.floats(-100, 100))
def test_probabilities_sum_to_one_and_ignore_a_shift(logs: list[float], shift: float) -> None:
    p = probabilities(logs)
    assert p.sum() == pytest.approx(1)
    assert probabilities([x + shift for x in logs]) == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize("logs", [[-math.inf, -math.inf], [math.nan, 0.0], [math.inf, 0.0]])
def test_broken_log_likelihoods_are_refused(logs: list[float]) -> None:
    with pytest.raises(MetricError):
        probabilities(logs)


def test_brier_by_hand() -> None:
    # (0.7 - 1)² + 0.3² = 0.18; with the other gold 0.7² + (0.3 - 1)² = 0.98;
    # three options: 0.5² + (0.25 - 1)² + 0.25² = 0.875.
    scores = brier_scores([[0.7, 0.3], [0.7, 0.3], [0.5, 0.25, 0.25]], [0, 1, 1])
    assert scores.tolist() == pytest.approx([0.18, 0.98, 0.875])


def test_brier_extremes() -> None:
    assert brier_scores([[1.0, 0.0], [1.0, 0.0]], [0, 1]).tolist() == [0.0, 2.0]


def test_calibration_by_hand() -> None:
    # Confidences 0.8 (right), 0.8 (wrong), 0.6 (right): bin of 0.8: |1/2 - 0.8| = 0.3, weight 2/3;
    # bin of 0.6: |1 - 0.6| = 0.4, weight 1/3. Sum 0.2 + 0.1333 = 1/3.
    distributions = [[0.8, 0.2], [0.8, 0.2], [0.4, 0.6]]
    assert expected_calibration_error(distributions, [0, 1, 1]) == pytest.approx(1 / 3)
    # One bin: accuracy 2/3 against mean confidence 2.2/3.
    assert expected_calibration_error(distributions, [0, 1, 1], bins=1) == pytest.approx(0.2 / 3)


def test_ties_share_the_credit() -> None:
    # Uniform over two options is right half of the time with confidence one half.
    assert expected_calibration_error([[0.5, 0.5]], [1]) == pytest.approx(0)


def test_a_confidence_on_an_edge_belongs_to_the_lower_bin() -> None:
    # 0.7 and 0.65 share the bin (0.6, 0.7]: |1 - 1.35| / 2; apart they would be (0.3 + 0.65) / 2.
    distributions = [[0.7, 0.3], [0.65, 0.35]]
    assert expected_calibration_error(distributions, [0, 1]) == pytest.approx(0.175)


def test_expected_value_by_hand() -> None:
    assert expected_value([0.5, 0.0, 0.5], low=1) == pytest.approx(2)
    assert expected_value(np.eye(10)[6], low=1) == 7


def test_bad_input_is_refused() -> None:
    with pytest.raises(EmptyInput):
        brier_scores([], [])
    with pytest.raises(MisalignedInput, match="1 distributions for 2 golds"):
        brier_scores([[1.0]], [0, 0])
    with pytest.raises(MisalignedInput, match="gold 2"):
        brier_scores([[0.5, 0.5]], [2])
    with pytest.raises(MetricError, match="not a distribution"):
        brier_scores([[0.5, 0.6]], [0])
    with pytest.raises(MetricError, match="not a distribution"):
        expected_value([1.5, -0.5], low=1)
    with pytest.raises(EmptyInput):
        expected_value([], low=1)
    with pytest.raises(MisalignedInput):
        probabilities([[0.0, 0.0]])
    with pytest.raises(MetricError, match="bins"):
        expected_calibration_error([[1.0]], [0], bins=0)
