from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust_game import (
    EFFECT_SIZE_CLASSES,
    class_midpoint,
    elicited_eta_squared,
    eta_squared,
)


def test_by_hand() -> None:
    # Means 2 and 5, overall 3.5: SS_between = 2·(1.5² + 1.5²) = 9; SS_total = 2.5² + .5² + .5² + 2.5²
    # = 13.
    assert eta_squared([1, 3, 4, 6], ["a", "a", "b", "b"]) == pytest.approx(9 / 13)
    assert eta_squared([1, 3, 1, 3], ["a", "a", "b", "b"]) == 0
    assert eta_squared([1, 1, 3], ["a", "a", "b"]) == 1


def test_agrees_with_the_f_test() -> None:
    # η² = F·(g - 1) / (F·(g - 1) + N - g).
    rng = np.random.default_rng(1)
    parts = [rng.normal(mean, 2, size) for mean, size in ((3, 12), (4, 7), (6, 20), (3.5, 5))]
    f = f_oneway(*parts).statistic
    expected = f * 3 / (f * 3 + 44 - 4)
    groups = [str(i) for i, part in enumerate(parts) for _ in part]
    assert eta_squared(np.concatenate(parts), groups) == pytest.approx(expected)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40)), min_size=3, max_size=30),
    st.floats(0.1, 100),
    st.floats(-50, 50),
)
def test_unit_zero_and_names_do_not_matter(
    people: list[tuple[str, int]], factor: float, shift: float
) -> None:
    groups, sends = [g for g, _ in people], np.array([x for _, x in people]) / 4
    if len(set(groups)) < 2 or np.ptp(sends) == 0:
        return
    found = eta_squared(sends, groups)
    assert 0 <= found <= 1
    assert eta_squared(sends * factor + shift, groups) == pytest.approx(found, abs=1e-9)
    renamed = [{"a": "z", "b": "y", "c": "x"}[g] for g in groups]
    assert eta_squared(sends, renamed) == pytest.approx(found)


def test_golden_value_of_the_paper() -> None:
    # m̄ = 5; SS_between = 100·(1.5² + 1.5² + .5² + .5²) = 500.
    # SS_within = 99·(1.5² + 2.5² + 1.8² + 2.2²) = 99·16.58 = 1641.42.
    found = elicited_eta_squared([3.5, 6.5, 4.5, 5.5], [1.5, 2.5, 1.8, 2.2])
    assert found == pytest.approx(500 / 2141.42)
    assert found == pytest.approx(0.23348992724453865, rel=1e-15)


def test_other_numbers_of_people() -> None:
    # n = 2, means 1 and 3, SDs 1: SS_between = 2·2 = 4, SS_within = 2.
    assert elicited_eta_squared([1, 3], [1, 1], n=2) == pytest.approx(4 / 6)


def test_it_is_what_such_people_would_show() -> None:
    # Three people at m - s, m and m + s have mean m and SD s.
    means, sds = [2.0, 5.0, 4.0], [1.0, 0.5, 2.0]
    people = [
        (str(i), m + d * s)
        for i, (m, s) in enumerate(zip(means, sds, strict=True))
        for d in (-1, 0, 1)
    ]
    expected = eta_squared([x for _, x in people], [g for g, _ in people])
    assert elicited_eta_squared(means, sds, n=3) == pytest.approx(expected)


@pytest.mark.parametrize(("size", "scale"), [(1e300, 1e-300), (1e-310, 1)])
def test_extreme_numbers(size: float, scale: float) -> None:
    assert elicited_eta_squared([size, 0], [0, 0]) == 1
    assert elicited_eta_squared([1, 2], [size, scale]) == pytest.approx(0 if size > 1 else 50 / 149)


def test_classes_meet_and_count_as_their_midpoints() -> None:
    assert dict(EFFECT_SIZE_CLASSES) == {
        "small": (0.01, 0.06),
        "medium": (0.06, 0.14),
        "large": (0.14, 1.0),
    }
    assert [class_midpoint(name) for name in EFFECT_SIZE_CLASSES] == pytest.approx(
        [0.035, 0.1, 0.57]
    )
    with pytest.raises(MetricError, match="classes are small, medium, large"):
        class_midpoint("huge")


def test_undefined_rather_than_zero() -> None:
    with pytest.raises(MetricError, match="All sends are 3"):
        eta_squared([3, 3, 3], ["a", "b", "b"])
    with pytest.raises(MetricError, match="needs two levels"):
        eta_squared([3, 4], ["a", "a"])
    with pytest.raises(EmptyInput):
        eta_squared([], [])
    with pytest.raises(MisalignedInput):
        eta_squared([1, 2], ["a"])
    with pytest.raises(MetricError, match="NaN"):
        eta_squared([1, math.nan], ["a", "b"])


@pytest.mark.parametrize(
    ("means", "sds", "n", "says"),
    [
        ([1.0], [1.0], 100, "needs two"),
        ([1.0, 2.0], [1.0, 1.0], 1, "needs two"),
        ([1.0, 2.0], [1.0], 100, "one per level"),
        ([1.0, math.inf], [1.0, 1.0], 100, "infinite"),
        ([1.0, 2.0], [-1.0, 1.0], 100, "negative"),
        ([2.0, 2.0], [0.0, 0.0], 100, "undefined"),
    ],
)
def test_bad_elicited(means: list[float], sds: list[float], n: int, says: str) -> None:
    with pytest.raises(MetricError, match=says):
        elicited_eta_squared(means, sds, n)
