"""Wrong answers that two models share: by hand, by brute force, and how often pairs are flagged."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from otherminds.leaderboard.judging.shared_errors import shared_errors
from tests.engine.leaderboard.near_power import Draw, copies, independent, noisy, rates

REPEATS = 100


def test_shared_errors_by_hand() -> None:
    # Stratum 0, gold 1: six items; both answer three of them with 2, and two of these are the same.
    # E = 3·3/6, top = 3, m = 2. Stratum 1, gold 2: four items, 1 1 3 2 and 1 3 3 2. E = (2·1 + 1·2)/4,
    # top = min(2, 1) + min(1, 2), m = 2. So E = 2.5, top = 5, m = 4 and the share is 1.5/2.5. With mean
    # 2.5, P(Poisson ≥ 4) = 1 - exp(-2.5)·(1 + 2.5 + 2.5²/2 + 2.5³/6). The last item has no answer of
    # one of them, and is left out.
    one = np.array([2, 2, 2, 1, 1, 1, 1, 1, 3, 2, 0])
    other = np.array([2, 2, 1, 2, 1, 1, 1, 3, 3, 2, 2])
    strata = np.array([0] * 6 + [1] * 4 + [0])
    golds = np.array([1] * 6 + [2] * 4 + [1])
    found = shared_errors(one, other, strata, golds)
    assert (found.n, found.wrong, found.same, found.by_chance, found.top) == (10, (6, 6), 4, 2.5, 5)
    assert found.share == pytest.approx(0.6)
    assert found.p == pytest.approx(1 - math.exp(-2.5) * (1 + 2.5 + 2.5**2 / 2 + 2.5**3 / 6))
    assert not found.is_improbable


@given(arrays(int, 5, elements=st.integers(1, 3)), arrays(int, 5, elements=st.integers(1, 3)))
def test_chance_is_the_mean_over_all_ways_to_deal_the_answers_out(
    one: np.ndarray, other: np.ndarray
) -> None:
    strata, golds = np.zeros(5, dtype=int), np.full(5, 2)
    found = shared_errors(one, other, strata, golds)
    dealt = [np.array(way) for way in itertools.permutations(other.tolist())]
    same = [int(((one == way) & (one != 2)).sum()) for way in dealt]
    assert found.by_chance == pytest.approx(np.mean(same))
    assert found.top == max(same)
    # With one wrong option p is a bound; with two, matches come in pairs.
    if 3 not in {*one, *other} and found.same >= found.by_chance + 1:
        assert np.mean(np.array(same) >= found.same) <= found.p + 1e-12


def test_models_without_wrong_answers_share_none() -> None:
    same = np.ones(50, dtype=int)
    found = shared_errors(same, same, same - 1, same)
    assert (found.same, found.p, found.is_improbable) == (0, 1.0, False)
    assert math.isnan(found.share)
    # Constant answers are wrong in the same places, and no way to deal them out would change that.
    golds = np.arange(50) % 2 + 1
    assert not shared_errors(same, same, golds, golds).is_improbable
    nobody = np.zeros(50, dtype=int)
    assert shared_errors(nobody, same, golds, golds).n == 0


# At 0.915, 18 of 390 changed answers passed by kappa alone. What two models of 0.97 can share is little.
@pytest.mark.parametrize(
    ("draw", "least"),
    [
        (copies(0.915, 18), 0.97),
        (copies(0.915, 18, options=4), 0.97),
        (copies(0.6, 18), 0.97),
        (copies(0.6, 39, options=10), 0.97),
        (copies(0.97, 8), 0.8),
    ],
)
def test_copies_are_found(draw: Draw, least: float) -> None:
    assert rates(draw, repeats=REPEATS, seed=1).wrong >= least


@pytest.mark.parametrize("options", [2, 4, 10])
@pytest.mark.parametrize("pair", [(0.915, 0.915), (0.6, 0.6), (0.97, 0.97), (0.6, 0.915)])
def test_independent_models_are_not(options: int, pair: tuple[float, float]) -> None:
    assert rates(independent(*pair, options=options), repeats=REPEATS, seed=2) == (0, 0)


def test_models_that_are_wrong_where_golds_are_noise_are_not_until_they_are_nearly_perfect() -> (
    None
):
    assert rates(noisy(0.1, 0.15), repeats=REPEATS, seed=3).either == 0
    # Two models that both know all that can be known give the same answers.
    assert rates(noisy(0.085, 0.0), repeats=REPEATS, seed=3).either == 1


@pytest.mark.parametrize("options", [2, 4, 10])
def test_chance_is_not_understated(options: int) -> None:
    rng = np.random.default_rng(4)
    draw = independent(0.8, 0.7, options=options)
    found = np.array([shared_errors(one, other, golds, golds).p for golds, one, other in
                      (draw(rng) for _ in range(1_000))])  # fmt: skip
    for level in (0.05, 0.01):
        # Two standard errors of a share of 1,000 pairs.
        assert np.mean(found <= level) <= level + 2 * math.sqrt(level / 1_000)
