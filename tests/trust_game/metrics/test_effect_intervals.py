"""Intervals of η² and ω²: how often they hold the population's η², and from which side they miss it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.trust_game import AttributeConsistency, Played, Stated, consistency
from otherminds.metrics.trust_game.intervals import effect_interval
from otherminds.metrics.uncertainty import Estimate, estimate, nothing

PEOPLE = 50
SAMPLES = 400


def draw(codes: np.ndarray, levels: int, effect: float, rng: np.random.Generator) -> np.ndarray:
    """Whole dollars: means of equal distance by level, noise of SD 1.5 dollars."""
    pull = effect * (codes / (levels - 1) - 0.5)
    return np.clip(np.rint(5 + 1.5 * (pull + rng.normal(size=codes.shape))), 0, 10)


def true_eta_squared(levels: int, effect: float) -> float:
    """That of 200,000 people who are drawn in the same way, by the definition of η²."""
    codes = np.repeat(np.arange(levels), 200_000 // levels)
    sends = draw(codes, levels, effect, np.random.default_rng(1)).reshape(levels, -1)
    return float(sends.mean(axis=1).var() / sends.var())


def measured(levels: int, effect: float, *, runs: int = 1) -> list[AttributeConsistency]:
    """Samples of PEOPLE with every level at least twice, as the release has them."""
    names = tuple(map(str, range(levels)))
    stated = [Stated("a", names, (tuple(map(float, range(levels))),), (0.1,))]
    found = []
    for seed in range(SAMPLES):
        rng = np.random.default_rng(seed)
        twice = np.tile(np.arange(levels), 2)
        codes = np.r_[twice, rng.integers(0, levels, PEOPLE - len(twice))]
        sends = draw(np.tile(codes, (runs, 1)), levels, effect, rng).T
        played = [
            Played(f"p{person:02}", {"a": names[code]}, tuple(map(float, own)))
            for person, (code, own) in enumerate(zip(codes, sends, strict=True))
        ]
        found.append(consistency(played, stated, draws=50, seed=seed).by_attribute["a"])
    return found


# Effects that give η² of about 0, 0.06, 0.14, 0.30 and 0.50.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "effect", "eta"),
    [
        (2, 0.0, 0.0),
        (2, 1.31, 0.30),
        (6, 1.18, 0.14),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in (
                *((2, 0.81, 0.14), (4, 1.08, 0.14), (4, 2.7, 0.50)),
                *((6, 0.0, 0.0), (6, 0.74, 0.06), (6, 1.92, 0.30)),
            )
        ),
    ],
)
def test_the_populations_effect_is_held_and_missed_on_both_sides_alike(
    levels: int, effect: float, eta: float
) -> None:
    truth = true_eta_squared(levels, effect) if effect else 0.0
    assert truth == pytest.approx(eta, abs=0.015)
    found = measured(levels, effect)
    for own in ("simulated_eta_squared", "simulated_omega_squared"):
        intervals = [getattr(one, own) for one in found]
        above = float(np.mean([one.low > truth for one in intervals]))
        below = float(np.mean([one.high < truth for one in intervals]))
        # Wanted are 2.5 % on each side; 400 samples have an SD of 0.8 points there, and what is sent
        # is neither normal nor of equal variance at the ends.
        assert above <= 0.055, own
        assert below <= 0.055, own
        assert above + below <= 0.09, own
        assert all(one.low <= one.value <= one.high <= 1 for one in intervals)
        assert np.mean([one.high - one.low for one in intervals]) < 0.42


@pytest.mark.slow
def test_repeated_runs_do_not_make_it_miss_more() -> None:
    truth = true_eta_squared(6, 1.18)
    own = [one.simulated_eta_squared for one in measured(6, 1.18, runs=3)]
    assert np.mean([one.low <= truth <= one.high for one in own]) >= 0.95


def given(value: float, *, n: float = 50) -> Estimate:
    return estimate(value, 0.05, n=n, n_clusters=50)


def test_bounds_are_quantiles_of_f() -> None:
    # F has 3 and 46 degrees of freedom, and η² = 0.3 gives 6.57. Drawn from its definition: the squares
    # of three normal variables, one of which is shifted by √λ, over those of 46 that are not.
    found = effect_interval(given(0.3), 0.3, 4)
    rng = np.random.default_rng(0)
    for bound, tail in ((found.low, 0.975), (found.high, 0.025)):
        shift = math.sqrt(50 * bound / (1 - bound))
        chi = (rng.normal(size=400_000) + shift) ** 2 + rng.chisquare(2, size=400_000)
        ratio = (chi / 3) / (rng.chisquare(46, size=400_000) / 46)
        assert np.mean(ratio <= (0.3 / 3) / (0.7 / 46)) == pytest.approx(tail, abs=0.0015)
    assert found.stderr == 0.05


def test_the_value_is_never_outside() -> None:
    # Noise alone makes 5/49 = 0.10. No population gives an η² of 0.015 often, and ω² is below 0.
    eta = effect_interval(given(0.015), 0.015, 6)
    assert (eta.low, eta.high) == (0.0, 0.015)
    omega = effect_interval(given(-0.09), 0.015, 6)
    assert (omega.low, omega.high) == (-0.09, 0.0)


@pytest.mark.parametrize("eta", [0.0, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1.0])
@pytest.mark.parametrize(("n", "levels"), [(7, 6), (12.5, 3), (50, 2), (3505, 7)])
def test_no_effect_and_nothing_but_effect(eta: float, n: float, levels: int) -> None:
    found = effect_interval(given(eta, n=n), eta, levels)
    assert 0 <= found.low <= eta <= found.high <= 1


def test_what_has_no_interval_gets_none() -> None:
    assert math.isnan(effect_interval(nothing(), math.nan, 3).low)
    assert math.isnan(effect_interval(estimate(0.5, math.nan, n=9, n_clusters=9), 0.5, 3).low)
    # As many levels as personas leave no variance within them: the interval of the draws stays.
    assert effect_interval(given(1.0, n=6), 1.0, 6) == given(1.0, n=6)
