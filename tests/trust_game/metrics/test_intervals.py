"""Intervals within what a number can be, and how often they hold the truth in simulated populations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from otherminds.metrics.trust_game import Consistency, Played, Stated, consistency
from otherminds.metrics.trust_game.intervals import rank_interval
from otherminds.metrics.uncertainty import estimate, nothing

LEVELS = (4, 3, 6, 5, 3, 4, 3, 2, 4)
"""How many levels the paper's nine attributes have in Table 5."""

PEOPLE = 50
POPULATIONS = 80


def simulated(effect: float, people: int = PEOPLE) -> list[Consistency]:
    """Populations who send whole dollars, by additive effects of nine attributes that are all stated.

    `effect` is the weight of each attribute against noise of SD 1; levels are drawn uniformly, each at
    least twice.
    """
    found = []
    stated = [
        Stated(f"a{i}", names(count), (tuple(map(float, range(count))),), (0.1,))
        for i, count in enumerate(LEVELS)
    ]
    for seed in range(POPULATIONS):
        rng = np.random.default_rng(seed)
        codes = [
            rng.permutation(
                np.r_[
                    np.arange(count), np.arange(count), rng.integers(0, count, people - 2 * count)
                ]
            )
            for count in LEVELS
        ]
        pulls = [own / (count - 1) - 0.5 for own, count in zip(codes, LEVELS, strict=True)]
        latent = effect * np.sum(pulls, axis=0) + rng.normal(size=people)
        sends = np.clip(np.rint(5 + 1.5 * latent), 0, 10)
        played = [
            Played(
                f"p{person:03}",
                {f"a{i}": str(own[person]) for i, own in enumerate(codes)},
                (float(sends[person]),),
            )
            for person in range(people)
        ]
        found.append(consistency(played, stated, draws=100, seed=seed))
    return found


def names(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


def coverage(intervals: Sequence[tuple[float, float]], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in intervals]))


@pytest.fixture(scope="module", params=[0.0, 0.9], ids=lambda effect: f"effect={effect}")
def populations(request: pytest.FixtureRequest) -> tuple[float, list[Consistency]]:
    return request.param, simulated(request.param)


def test_intervals_hold_the_expected_value_and_stay_within_bounds(
    populations: tuple[float, list[Consistency]],
) -> None:
    effect, found = populations
    for name, lowest in (
        ("rho", -1.0),
        ("rho_mean", -1.0),
        ("delta_eta_squared", 0.0),
        ("mae_eta_squared", 0.0),
    ):
        own = [getattr(one, name) for one in found]
        # What is covered is what other personas, as many, would give on average.
        expected = float(np.mean([one.value for one in own]))
        assert all(lowest <= one.low <= one.value <= one.high <= 1 for one in own)
        assert coverage([(one.low, one.high) for one in own], expected) >= 0.92, name
    if not effect:
        medians = [one.rho for one in found]
        assert coverage([(one.low, one.high) for one in medians], 0.0) >= 0.95


def test_noise_alone_makes_eta_but_no_omega(
    populations: tuple[float, list[Consistency]],
) -> None:
    effect, found = populations
    if effect:
        return
    # η² of (L - 1)/(N - 1), and ω² of none: 80 means of SD about 0.04.
    for i, count in enumerate(LEVELS):
        parts = [one.by_attribute[f"a{i}"] for one in found]
        noise = np.mean([one.simulated_eta_squared.value for one in parts])
        assert noise == pytest.approx((count - 1) / (PEOPLE - 1), abs=0.012)
        assert np.mean([one.simulated_omega_squared.value for one in parts]) == pytest.approx(
            0, abs=0.012
        )


def test_perfect_agreement_lies_within_its_own_interval() -> None:
    draws = np.array([0.4, 0.6, 0.8, 0.8, 0.9] * 20)
    found = rank_interval(estimate(1.0, 0.1, n=50, n_clusters=50), draws)
    # 1 - 2.01 · 0.1 lies above the lowest draws.
    assert (found.low, found.high) == (pytest.approx(0.4), 1.0)
    assert found.stderr == 0.1
    lowest = rank_interval(estimate(-1.0, 0.1, n=50, n_clusters=50), -draws)
    assert (lowest.low, lowest.high) == (-1.0, pytest.approx(-0.4))
    # A difference of two correlations can be twice as large: 1 + 2.01 · 0.1.
    gained = rank_interval(estimate(1.0, 0.1, n=50, n_clusters=50), draws, bound=2.0)
    assert gained.high == pytest.approx(1.2009, abs=1e-3)


def test_draws_that_are_not_defined_are_left_out() -> None:
    draws = np.array([math.nan, 0.0, 0.5, 1.0, math.nan])
    found = rank_interval(estimate(0.5, 0.01, n=5, n_clusters=5), draws)
    # The quantiles of 0, 0.5 and 1 lie 0.05 of the way from one to the next: 0.025 and 0.975.
    assert (found.low, found.high) == (pytest.approx(0.025), pytest.approx(0.975))


def test_what_has_no_interval_gets_none() -> None:
    assert math.isnan(rank_interval(nothing(), np.array([0.1, 0.2])).low)
