"""Whether people's scores fall from condition to condition."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.ordering import ordered

CONDITIONS = ("in", "cross", "none")

# HugAgent, Table 21: 100·u of four people.
TABLE_21 = [
    (87.88, 55.28, 27.42),
    (84.57, 84.37, 43.78),
    (64.29, 59.80, 44.63),
    (64.10, 57.63, 45.73),
]


def test_the_four_people_of_the_paper_cannot_show_the_order_at_five_percent() -> None:
    found = ordered(TABLE_21, CONDITIONS)
    # All four fall at both steps: of 2^4 sign patterns only the observed one reaches the sum.
    assert [step.p_value for step in found.steps] == [1 / 16, 1 / 16]
    assert found.p_value == 1 / 16
    assert (found.n_people, found.n_ordered) == (4, 4)
    assert all(step.exact for step in found.steps)
    # (32.60 + 0.20 + 4.49 + 6.47)/4
    assert found.steps[0].difference.value == pytest.approx(10.94)
    # L = 4·(3·3 + 2·2 + 1·1); of the 6^4 rankings within people this one alone is as large.
    assert found.page_l == 56
    assert found.page_p == pytest.approx(1 / 6**4)


def test_five_people_can() -> None:
    assert ordered([(3, 2, 1)] * 5, CONDITIONS).p_value == 1 / 32


def test_one_step_up_denies_the_order_whatever_the_other_says() -> None:
    found = ordered([(9, 1, 2 + 0.1 * i) for i in range(8)], CONDITIONS)
    assert found.steps[0].p_value == 1 / 2**8
    assert (found.steps[1].p_value, found.p_value, found.n_ordered) == (1, 1, 0)


def test_equal_scores_show_nothing() -> None:
    found = ordered([(5, 5, 5)] * 9, CONDITIONS)
    assert (found.p_value, found.n_ordered, found.steps[0].n_above) == (1, 0, 0)


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=7))
def test_a_step_against_all_sign_patterns(rows: list[list[int]]) -> None:
    step = ordered(rows, CONDITIONS).steps[0]
    d = [a - b for a, b, _ in rows]
    patterns = list(itertools.product((1, -1), repeat=len(d)))
    slow = sum(
        sum(s * x for s, x in zip(signs, d, strict=True)) >= sum(d) for signs in patterns
    ) / len(patterns)
    if sum(d) > 0:
        assert step.p_value == pytest.approx(slow)
    else:
        # Larger than the exact one, which is above ½ anyway: no order is ever shown by it.
        assert step.p_value == 1 >= slow > 0.5 or sum(d) == 0


def test_without_an_effect_it_is_found_in_at_most_five_percent() -> None:
    rng = np.random.default_rng(3)
    found = [
        ordered(rng.normal(size=(8, 1)) + rng.normal(size=(8, 3)), CONDITIONS) for _ in range(1_000)
    ]
    # A step's rate is at most 0.05: 4 standard errors of 1,000 are 0.028.
    assert sum(one.steps[0].p_value <= 0.05 for one in found) / 1_000 < 0.05 + 0.028
    # The order takes both steps, and is found less often.
    assert sum(one.p_value <= 0.05 for one in found) / 1_000 < 0.02


def test_what_cannot_be_tested() -> None:
    with pytest.raises(EmptyInput):
        ordered(np.empty((0, 3)), CONDITIONS)
    with pytest.raises(MisalignedInput):
        ordered([(1, 2)], CONDITIONS)
    with pytest.raises(MetricError, match="NaN"):
        ordered([(1, 2, math.nan)], CONDITIONS)
    assert math.isnan(ordered([(3, 2, 1)], CONDITIONS).page_p)
