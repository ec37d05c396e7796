from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics import permutation
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.permutation import permutation_p_value, sign_flip_test


def test_p_value_by_hand() -> None:
    # 2 of 4 are at least as large: (1 + 2)/(1 + 4).
    assert permutation_p_value(0.5, [0.1, 0.5, 0.9, 0.2]) == 0.6
    assert permutation_p_value(1.0, [0.0] * 99) == 0.01


def test_a_model_that_ignores_the_person_has_p_one() -> None:
    # The same number summed in another order: a tie, though not to the last bit.
    assert 0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1
    assert permutation_p_value(0.1 + 0.2 + 0.3, [0.3 + 0.2 + 0.1] * 19) == 1


def test_p_value_is_valid_and_exact_under_the_null() -> None:
    # Exchangeable continuous values: P(p ≤ j/20) = j/20. 4,000 seeds: 5 standard errors are 0.04.
    values = np.random.default_rng(1).normal(size=(4_000, 20))
    p = np.array([permutation_p_value(row[0], row[1:]) for row in values])
    for alpha in (0.05, 0.1, 0.5):
        assert np.mean(p <= alpha + 1e-12) == pytest.approx(alpha, abs=0.04)


def test_p_value_refuses_nothing_and_nonsense() -> None:
    with pytest.raises(EmptyInput):
        permutation_p_value(1.0, [])
    with pytest.raises(MisalignedInput):
        permutation_p_value(1.0, [[1.0]])
    for observed, null in [(math.nan, [1.0]), (1.0, [math.nan]), (math.inf, [1.0])]:
        with pytest.raises(MetricError, match="NaN"):
            permutation_p_value(observed, null)


def test_sign_flip_by_hand() -> None:
    # ±1 ±2 ±3: |sums| 6, 0, 2, 4, each twice. Observed 1 + 2 + 3 = 6: 2 of 8.
    found = sign_flip_test([1, 2, 3])
    assert (found.p_value, found.patterns, found.exact) == (0.25, 8, True)
    # Observed 1 + 2 - 3 = 0: every sum is at least as extreme.
    assert sign_flip_test([1, 2, -3]).p_value == 1
    # Observed -4: |sums| of at least 4 are 6 and 4.
    assert sign_flip_test([-1, 0, 0, -6, 3]).p_value == pytest.approx(
        sum(abs(a + 6 * b + 3 * c) >= 4 for a, b, c in itertools.product((1, -1), repeat=3)) / 8
    )


def test_nothing_moves() -> None:
    found = sign_flip_test([0.0, 0.0])
    assert (found.p_value, found.n_clusters, found.n_nonzero) == (1, 2, 0)
    assert sign_flip_test([5.0]).p_value == 1


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_exact_p_is_the_share_of_all_patterns(differences: list[int]) -> None:
    observed = abs(sum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    extreme = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed
        for signs in patterns
    )
    found = sign_flip_test(differences)
    assert found.exact
    assert found.p_value == pytest.approx(extreme / len(patterns))
    # Tenths are not exact in binary; the ties must survive.
    assert sign_flip_test([d / 10 for d in differences]).p_value == found.p_value


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=30), st.randoms())
def test_order_and_side_do_not_matter(differences: list[float], rng: random.Random) -> None:
    shuffled = rng.sample(differences, len(differences))
    found = sign_flip_test(differences, draws=99)
    assert sign_flip_test(shuffled, draws=99).p_value == found.p_value
    assert sign_flip_test([-d for d in differences], draws=99).p_value == found.p_value
    assert 0 < found.p_value <= 1


def test_drawn_patterns_approach_the_exact_share() -> None:
    d = np.random.default_rng(5).normal(0.4, 1, size=12)
    exact, drawn = sign_flip_test(d), sign_flip_test(d, draws=2_000)
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.patterns == 2_001
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.05)
    assert (
        sign_flip_test(d, draws=2_000, seed=1).p_value
        == sign_flip_test(d, draws=2_000, seed=1).p_value
    )


def test_drawn_patterns_count_the_observed_one() -> None:
    # 40 equal differences: a drawn pattern is as extreme with probability 2^-39.
    assert sign_flip_test([1.0] * 40, draws=99).p_value == 0.01


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    d = np.random.default_rng(6).normal(0.2, 1, size=40)
    whole, enumerated = sign_flip_test(d, draws=500), sign_flip_test(d[:9])
    monkeypatch.setattr(permutation, "_CHUNK_ENTRIES", 130)
    assert sign_flip_test(d, draws=500) == whole
    assert sign_flip_test(d[:9]) == enumerated


def test_sign_flips_keep_their_level_and_find_differences() -> None:
    # Symmetric differences of 20 people: P(p ≤ 0.05) ≤ 0.05; 600 seeds, 5 standard errors are 0.045.
    rng = np.random.default_rng(8)
    p = [sign_flip_test(rng.normal(size=20), draws=199).p_value for _ in range(600)]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.045)
    assert sign_flip_test(rng.normal(2, 1, size=20)).p_value < 0.01


@pytest.mark.parametrize(
    ("differences", "draws", "error"),
    [
        ([], 9, EmptyInput),
        ([[1.0]], 9, MisalignedInput),
        ([math.nan], 9, MetricError),
        ([math.inf, 1.0], 9, MetricError),
        ([1.0, 2.0], 0, MetricError),
    ],
)
def test_sign_flip_refuses_nothing_and_nonsense(
    differences: list[float], draws: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        sign_flip_test(differences, draws=draws)
