"""Scores against the length of answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.synchtom.length import Sized, length_effect, length_effects

texts = st.lists(
    st.builds(
        Sized, st.sampled_from("abcdef"), st.integers(0, 10_000), st.integers(0, 100).map(float)
    ),
    min_size=1,
    max_size=12,
)


def test_slope_and_correlation_by_hand() -> None:
    # x = 1, 2, 3 around 2 and y = 10, 40, 40 around 30: Sxy = 20 + 10 = 30, Sxx = 2, Syy = 400 + 200.
    found = length_effect([Sized("a", 1_000, 10), Sized("b", 2_000, 40), Sized("c", 3_000, 40)])
    assert found.slope.value == pytest.approx(15)
    assert found.correlation.value == pytest.approx(30 / math.sqrt(2 * 600))
    assert found.mean_length == pytest.approx(2_000)
    assert (found.slope.n, found.slope.n_clusters) == (3, 3)


def test_it_is_what_numpy_says() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(100, 5_000, 80), rng.uniform(0, 100, 80)
    found = length_effect(
        [Sized(f"i{n}", int(a), b) for n, (a, b) in enumerate(zip(x, y, strict=True))]
    )
    assert found.slope.value == pytest.approx(np.polyfit(x / 1_000, y, 1)[0])
    assert found.correlation.value == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_an_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    held = []
    for _ in range(150):
        x = rng.normal(2_000, 500, 60)
        # Slope 5 points per 1,000 characters; r = 5 · 0.5 / sqrt(2.5² + 5²) = 0.447.
        y = 50 + 5 * x / 1_000 + rng.normal(0, 5, 60)
        found = length_effect(
            [Sized(f"i{n}", int(a), b) for n, (a, b) in enumerate(zip(x, y, strict=True))],
            draws=200,
        )
        truths = ((found.slope, 5), (found.correlation, 2.5 / math.hypot(2.5, 5)))
        held.append([one.low <= true <= one.high for one, true in truths])
    # 95 % of 150, minus three standard errors of 1.8 %.
    assert (np.mean(held, axis=0) > 0.89).all()


def test_several_texts_of_an_instance_are_no_more_instances() -> None:
    some = [Sized(f"i{n}", 1_000 + 37 * n * n % 900, float(n * 13 % 50)) for n in range(20)]
    once, thrice = length_effect(some), length_effect(some * 3)
    assert thrice.slope.value == pytest.approx(once.slope.value)
    assert thrice.slope.stderr == pytest.approx(once.slope.stderr)
    assert (thrice.slope.n, thrice.slope.n_clusters) == (60, 20)


def test_where_nothing_differs_there_is_no_effect_and_no_zero() -> None:
    same_length = length_effect([Sized("a", 500, 10), Sized("b", 500, 90)])
    assert math.isnan(same_length.slope.value)
    assert math.isnan(same_length.correlation.value)
    assert same_length.slope.n == same_length.correlation.n == 0
    same_points = length_effect([Sized("a", 100, 50), Sized("b", 900, 50), Sized("c", 400, 50)])
    assert same_points.slope.value == 0
    assert math.isnan(same_points.correlation.value)
    with pytest.raises(EmptyInput):
        length_effect([])
    assert length_effects({"belief": []}) == {}


@given(texts)
def test_it_stays_in_bounds_and_depends_on_no_order(some: list[Sized]) -> None:
    found = length_effect(some, draws=20)
    r = found.correlation
    assert math.isnan(r.value) or -1 <= r.value <= 1
    assert math.isnan(r.low) or -1 <= r.low <= r.value <= r.high <= 1
    again = length_effect(some[::-1], draws=20)
    assert again.slope.value == pytest.approx(found.slope.value, nan_ok=True)
