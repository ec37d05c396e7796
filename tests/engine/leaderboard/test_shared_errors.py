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
from tests.engine.leaderboard.near_power import (
    Draw,
    answered,
    copies,
    independent,
    noisy,
    rates,
)

REPEATS = 100


def test_shared_errors_by_hand() -> None:
    # Stratum 0, gold 1: eight items. The one answers three with 2 and one not readably, the other four
    # with 2: E = (3·4 + 1·4)/8 = 2, top = 3 + 1. The same are items 0 and 1, and item 6, where one
    # answer is wrong and the other cannot be read: m = 3. Stratum 1, gold 2: four items, 1 1 3 2 and
    # 1 3 3 2. E = (2·1 + 1·2)/4 = 1, top = min(2, 1) + min(1, 2) = 2, m = 2. So E = 3, top = 6, m = 5
    # and the share is 2/3. P(Poisson(3) ≥ 5) = 1 - exp(-3)·(1 + 3 + 9/2 + 27/6 + 81/24).
    one = np.array([2, 2, 2, 1, 1, 1, 0, 1, 1, 1, 3, 2])
    other = np.array([2, 2, 1, 2, 1, 1, 2, 1, 1, 3, 3, 2])
    strata = np.array([0] * 8 + [1] * 4)
    golds = np.array([1] * 8 + [2] * 4)
    found = shared_errors(one, other, strata, golds)
    assert (found.n, found.wrong, found.same, found.by_chance, found.top) == (12, (7, 7), 5, 3, 6)
    assert found.share == pytest.approx(2 / 3)
    assert found.p == pytest.approx(1 - math.exp(-3) * (1 + 3 + 9 / 2 + 27 / 6 + 81 / 24))
    assert not found.is_improbable


@given(arrays(int, 5, elements=st.integers(0, 3)), arrays(int, 5, elements=st.integers(0, 3)))
def test_chance_is_the_mean_over_all_ways_to_deal_the_answers_out(
    one: np.ndarray, other: np.ndarray
) -> None:
    strata, golds = np.zeros(5, dtype=int), np.full(5, 2)

    def same(ours: int, theirs: int) -> bool:
        if 2 in (ours, theirs) or ours == theirs == 0:
            return False
        return ours == theirs or 0 in (ours, theirs)

    found = shared_errors(one, other, strata, golds)
    dealt = [sum(map(same, one.tolist(), way)) for way in itertools.permutations(other.tolist())]
    assert found.same == dealt[0]
    assert found.by_chance == pytest.approx(np.mean(dealt))
    assert found.top == max(dealt)
    # With one wrong option p is a bound; with two, matches come in pairs.
    if not {0, 3} & {*one, *other} and found.same >= found.by_chance + 1:
        assert np.mean(np.array(dealt) >= found.same) <= found.p + 1e-12


@pytest.mark.attack(
    "a copy whose wrong answers are made unreadable",
    outcome="they count as shared",
    against="board",
)
def test_wrong_answers_that_are_made_unreadable_are_still_a_copys() -> None:
    rng = np.random.default_rng(5)
    golds, one, other = copies(0.915, 0, options=4)(rng)
    hidden = np.where(other == golds, other, 0)
    assert shared_errors(one, hidden, golds, golds).is_improbable
    # A model that only often fails to answer is none.
    failing = np.where(rng.random(len(golds)) < 0.5, 0, golds)
    assert not shared_errors(one, failing, golds, golds).is_improbable
    # Nor are two that refuse the same questions, and err by themselves.
    refused = rng.random(len(golds)) < 0.2
    pair = [np.where(refused, 0, answered(rng, golds, 0.9, 4)) for _ in range(2)]
    assert not shared_errors(*pair, golds, golds).is_improbable


def test_models_without_wrong_answers_share_none() -> None:
    same = np.ones(50, dtype=int)
    found = shared_errors(same, same, same - 1, same)
    assert (found.same, found.p, found.is_improbable) == (0, 1.0, False)
    assert math.isnan(found.share)
    # Constant answers are wrong in the same places, and no way to deal them out would change that.
    golds = np.arange(50) % 2 + 1
    assert not shared_errors(same, same, golds, golds).is_improbable
    nobody = np.zeros(50, dtype=int)
    for pair in ((nobody, same), (nobody, nobody)):
        assert not shared_errors(*pair, golds, golds).is_improbable
    assert shared_errors(nobody[:0], nobody[:0], nobody[:0], nobody[:0]).n == 0


# At 0.915, 18 of 390 changed answers passed by kappa alone. What two models of 0.97 can share is little.
@pytest.mark.attack(
    "an accepted submission's answers with some changed, in all runs or some",
    outcome="held: `near-duplicate`",
    against="board",
)
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
