"""Slopes over items, with errors over clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.slopes import clustered_slopes
from otherminds.metrics.uncertainty import clustered_mean, partition


def test_a_slope_by_hand() -> None:
    # x = 0, 0, 1, 1 and y = 0, 1, 1, 1: means 0.5 and 1, so b = 0.5. Residuals -0.5, 0.5, 0, 0, each
    # its own cluster: sum over clusters of (z e)(z e)' = [[0.5, 0], [0, 0]]; (Z'Z)^-1 = [[0.5, -0.5],
    # [-0.5, 1]]; the lower right of bread·meat·bread is 0.5·0.25 = 0.125; times 4/3 · 3/2 = 2: 0.25.
    (found,) = clustered_slopes([0, 1, 1, 1], [[0], [0], [1], [1]], partition(list("abcd")))
    assert found.value == pytest.approx(0.5)
    assert found.stderr == pytest.approx(0.5)


def test_a_slope_over_two_groups_is_a_difference_of_means() -> None:
    rng = np.random.default_rng(3)
    x = np.repeat([0.0, 1.0], 60)
    y = rng.random(120) + 0.3 * x
    names = [f"{number // 6}" for number in range(120)]
    (found,) = clustered_slopes(y, x[:, None], partition(names))
    low, high = (
        clustered_mean(y[x == one], partition(np.array(names)[x == one])) for one in (0, 1)
    )
    assert found.value == pytest.approx(high.value - low.value)
    # The errors of two halves that share no cluster add up, but for the factors G/(G-1).
    assert found.stderr == pytest.approx(math.hypot(low.stderr, high.stderr), rel=0.05)


def test_several_properties_are_told_apart() -> None:
    rng = np.random.default_rng(4)
    x = rng.random((400, 2))
    y = 1 - 0.5 * x[:, 0] + 0.25 * x[:, 1]
    first, second = clustered_slopes(y, x, partition([str(n // 4) for n in range(400)]))
    assert (first.value, second.value) == pytest.approx((-0.5, 0.25))


def test_what_cannot_be_fitted_is_refused() -> None:
    clusters = partition(list("abc"))
    with pytest.raises(MetricError, match="constant"):
        clustered_slopes([0, 1, 1], [[2], [2], [2]], clusters)
    with pytest.raises(MetricError, match="NaN"):
        clustered_slopes([0, 1, math.nan], [[1], [2], [3]], clusters)
    with pytest.raises(MisalignedInput):
        clustered_slopes([0, 1], [[1], [2], [3]], clusters)
