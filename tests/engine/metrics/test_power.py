from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import MetricError
from otherminds.metrics.power import mde_of_two, minimum_detectable_effect


def test_by_hand() -> None:
    # t with 10 degrees of freedom (any table): 97.5 % point 2.228139, 80 % point 0.879058.
    assert minimum_detectable_effect(0.02, 11) == pytest.approx(0.02 * 3.107197, abs=1e-7)
    # 90 % point 1.372184; 95 % point 1.812461.
    assert minimum_detectable_effect(1.0, 11, power=0.9, level=0.9) == pytest.approx(
        1.372184 + 1.812461, abs=1e-6
    )
    # Half of the differences smaller than the critical value are found: power ½ adds nothing.
    assert minimum_detectable_effect(1.0, 11, power=0.5) == pytest.approx(2.228139, abs=1e-6)


def test_many_clusters_approach_the_normal_distribution() -> None:
    # 1.959964 + 0.841621 = 2.801585
    assert minimum_detectable_effect(1.0, 10**7) == pytest.approx(2.801585, abs=1e-5)


def test_two_models_that_are_yet_to_be_run() -> None:
    # Independent: SE · sqrt(2); ρ = ½: SE · sqrt(2 · ½) = SE.
    one = minimum_detectable_effect(0.03, 54)
    assert mde_of_two(0.03, 54) == pytest.approx(math.sqrt(2) * one)
    assert mde_of_two(0.03, 54, 0.5) == pytest.approx(one)
    assert mde_of_two(0.03, 54, -1.0) == pytest.approx(2 * one)
    assert math.isnan(mde_of_two(0.03, 54, 1.0))


@given(st.floats(1e-6, 1e3), st.integers(2, 2_000), st.floats(0.5, 0.98))
def test_scale_power_and_clusters(stderr: float, n_clusters: int, power: float) -> None:
    found = minimum_detectable_effect(stderr, n_clusters, power=power)
    assert minimum_detectable_effect(2 * stderr, n_clusters, power=power) == pytest.approx(
        2 * found
    )
    assert minimum_detectable_effect(stderr, n_clusters + 1, power=power) < found
    assert minimum_detectable_effect(stderr, n_clusters, power=power + 0.01) > found


@pytest.mark.parametrize(("stderr", "n_clusters"), [(math.nan, 9), (0.1, 1), (0.1, 0), (0.0, 9)])
def test_without_information_there_is_no_mde(stderr: float, n_clusters: int) -> None:
    assert math.isnan(minimum_detectable_effect(stderr, n_clusters))


def test_bad_input_is_refused() -> None:
    for stderr in (-0.1, math.inf):
        with pytest.raises(MetricError, match="Standard error"):
            minimum_detectable_effect(stderr, 9)
    for power in (0.4, 1.0, 80.0):
        with pytest.raises(MetricError, match="Power"):
            minimum_detectable_effect(0.1, 9, power=power)
    with pytest.raises(MetricError, match="level"):
        minimum_detectable_effect(0.1, 9, level=95)
    with pytest.raises(MetricError, match="Correlation"):
        mde_of_two(0.1, 9, 1.5)
