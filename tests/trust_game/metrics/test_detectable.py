from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f_oneway

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.trust_game import (
    chance_median_rho,
    detectable_eta_squared,
    eta_squared,
    noise_eta_squared,
)


def test_noise_by_hand_and_by_simulation() -> None:
    assert noise_eta_squared(4, 50) == pytest.approx(3 / 49)
    rng = np.random.default_rng(0)
    groups = [str(i % 4) for i in range(50)]
    found = [eta_squared(rng.normal(size=50), groups) for _ in range(2_000)]
    # The SD of η² is √(2 · 3 · 46 / (49² · 51)) = 0.047; of 2,000 means 0.001.
    assert np.mean(found) == pytest.approx(3 / 49, abs=0.004)


@pytest.mark.parametrize(("levels", "people"), [(3, 51), (4, 200)])
def test_an_effect_of_the_detectable_size_is_found_in_four_of_five_samples(
    levels: int, people: int
) -> None:
    eta = detectable_eta_squared(levels, people)
    rng = np.random.default_rng(1)
    codes = np.arange(people) % levels
    means = np.arange(levels) - (levels - 1) / 2
    # Scaled so that the variance between levels is η² of the whole, within being 1.
    means = means * np.sqrt(eta / (1 - eta) / means.var())
    hits = []
    for _ in range(1_000):
        sends = means[codes] + rng.normal(size=people)
        hits.append(f_oneway(*(sends[codes == code] for code in range(levels))).pvalue < 0.05)
    # A share of 0.8 of 1,000 has a standard error of 0.013.
    assert np.mean(hits) == pytest.approx(0.8, abs=0.05)


def test_cohens_table() -> None:
    # Cohen (1988), Table 8.4.4: for u = 3 (four groups), f = .40 and α = .05, power .80 takes n = 18 a
    # group. η² = f²/(1 + f²).
    assert detectable_eta_squared(4, 4 * 18) == pytest.approx(0.16 / 1.16, abs=0.004)


def test_more_people_find_less() -> None:
    assert detectable_eta_squared(4, 200) < detectable_eta_squared(4, 50) < 0.2


def test_the_median_rho_of_chance() -> None:
    # One attribute with two levels: ρ is 1 or -1. With three, ±1 in a third of the cases.
    assert chance_median_rho([2]) == chance_median_rho([3]) == 1
    # With six, |ρ| is 0.886 or more in 24 of 720 orders (3.3 %), 0.829 or more in 42 (5.8 %).
    assert chance_median_rho([6]) == pytest.approx(1 - 6 * 6 / 210)
    assert chance_median_rho([4] * 9) < chance_median_rho([4] * 3) < 1
    assert chance_median_rho([4, 3, 6]) == chance_median_rho([4, 3, 6])


def test_what_cannot_be_said() -> None:
    for levels, people in ((1, 50), (4, 4), (4, 3)):
        with pytest.raises(MetricError, match="an effect needs two levels"):
            detectable_eta_squared(levels, people)
        with pytest.raises(MetricError, match="an effect needs two levels"):
            noise_eta_squared(levels, people)
    with pytest.raises(EmptyInput, match="No attributes"):
        chance_median_rho([])
    with pytest.raises(MetricError, match="has no order"):
        chance_median_rho([4, 1])
