from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.trust_game import perturbed
from otherminds.metrics.trust_game.perturbation import EXACT_UP_TO


def correlation(ranking: list[int], order: tuple[int, ...]) -> float:
    """Independent: places of each level in both, through SciPy."""
    levels = range(len(ranking))
    return float(
        spearmanr(
            [ranking.index(one) for one in levels], [order.index(one) for one in levels]
        ).statistic
    )


def achievable(levels: int) -> set[float]:
    return {
        round(correlation(list(range(levels)), order), 9)
        for order in itertools.permutations(range(levels))
    }


@given(st.permutations(range(7)), st.floats(-1, 1), st.integers(0, 2**32))
@settings(max_examples=50)
def test_it_says_what_it_did(ranking: list[int], target: float, seed: int) -> None:
    found = perturbed(ranking, target, seed=seed)
    assert sorted(found.order) == list(range(7))
    assert found.spearman == pytest.approx(correlation(ranking, found.order))
    assert abs(found.spearman - target) <= 1 / 56 + 1e-9  # steps of 12 / (7·48) = 1/28


@pytest.mark.parametrize("levels", [2, 3, 4, 5])
@pytest.mark.parametrize("target", [1, 0.8, 0.5, 0.2, 0.05, -0.3, -0.8, -1])
def test_nothing_comes_closer(levels: int, target: float) -> None:
    found = perturbed(range(levels), target, seed=3)
    assert round(found.spearman, 9) in achievable(levels)
    best = min(abs(value - target) for value in achievable(levels))
    assert abs(found.spearman - target) == pytest.approx(best, abs=1e-8)
    assert found.exact == (best < 1e-8)


def test_two_levels_keep_their_order_and_say_so() -> None:
    for target in (0.8, 0.2):
        found = perturbed([1, 0], target, seed=0)
        assert (found.order, found.spearman, found.exact) == ((1, 0), 1.0, False)
    assert perturbed([1, 0], -0.2, seed=0).order == (0, 1)


def test_exact_for_the_levels_of_the_game() -> None:
    # Σd² = (1 - ρ)·L(L² - 1)/6: 4 and 16 for five levels, both even and so achievable. Four levels have
    # steps of 0.2. Seven want 11.2 and 44.8, so that 12 and 44 are next: ρ = 1 - 12/56 and 1 - 44/56.
    for levels in (4, 5):
        for target in (0.8, 0.2):
            assert perturbed(range(levels), target, seed=1).exact
    assert perturbed(range(7), 0.8, seed=1).spearman == pytest.approx(1 - 12 / 56)
    assert perturbed(range(7), 0.2, seed=1).spearman == pytest.approx(1 - 44 / 56)
    assert not perturbed(range(7), 0.2, seed=1).exact


def test_of_two_equally_close_the_lower() -> None:
    # Two levels: -1 and 1 are equally far from 0. Three: 0.5 and 1 from 0.75, -0.5 and 0.5 from 0.
    assert perturbed([0, 1], 0, seed=0).spearman == -1
    assert perturbed([0, 1, 2], 0.75, seed=0).spearman == pytest.approx(0.5)
    assert perturbed([0, 1, 2], 0, seed=0).spearman == pytest.approx(-0.5)


def test_the_choice_is_seeded_and_uniform() -> None:
    # Four levels at 0.8 (Σd² = 2): the three exchanges of neighbours.
    assert perturbed(range(4), 0.8, seed=5) == perturbed(range(4), 0.8, seed=5)
    found = Counter(perturbed(range(4), 0.8, seed=seed).order for seed in range(600))
    assert set(found) == {(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)}
    # 200 expected, SD 11.5.
    assert all(150 < count < 250 for count in found.values())


def test_it_perturbs_the_ranking_given() -> None:
    plain, other = perturbed(range(5), 0.2, seed=9), perturbed([3, 1, 4, 0, 2], 0.2, seed=9)
    assert other.order == tuple([3, 1, 4, 0, 2][place] for place in plain.order)


@pytest.mark.parametrize("levels", [EXACT_UP_TO, EXACT_UP_TO + 1, 13, 20])
@pytest.mark.parametrize("target", [1, 0.8, 0.2, 0, -0.5, -1])
def test_many_levels(levels: int, target: float) -> None:
    found = perturbed(range(levels), target, seed=2)
    assert sorted(found.order) == list(range(levels))
    assert found.spearman == pytest.approx(correlation(list(range(levels)), found.order))
    # From four levels on every even Σd² occurs, so that the best is within half a step of 2.
    assert abs(found.spearman - target) <= 6 / (levels * (levels**2 - 1)) + 1e-9
    assert perturbed(range(levels), target, seed=2) == found


def test_bad_arguments() -> None:
    for ranking in ([0, 0, 1], [1, 2, 3], [0, 2]):
        with pytest.raises(MisalignedInput, match="each level"):
            perturbed(ranking, 0.8, seed=0)
    for ranking in ([], [0]):
        with pytest.raises(MetricError, match="two are needed"):
            perturbed(ranking, 0.8, seed=0)
    for target in (1.1, -2, math.nan):
        with pytest.raises(MetricError, match="Target"):
            perturbed([0, 1], target, seed=0)
