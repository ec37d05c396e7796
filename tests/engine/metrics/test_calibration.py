"""Do intervals cover, p-values hold their level, and the MDE its power? Simulated clustered data.

Seeds are fixed: a failure is a change of the code, never bad luck.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from otherminds.metrics.comparison import compare_pair
from otherminds.metrics.permutation import mcnemar, sign_flip_test
from otherminds.metrics.power import minimum_detectable_effect
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    Estimate,
    cluster_bootstrap,
    clustered_mean,
    divided,
    estimate_from_draws,
    partition,
)
from otherminds.types import FloatArray

# 4,000 simulations: 3 standard errors of a coverage of 95 % are 1 point.
SIMULATIONS = 4_000


def covers(found: Estimate, true: float) -> bool:
    return found.low <= true <= found.high


class Coverage(NamedTuple):
    """Share of 95 % intervals that hold the true value: by cluster, and as if items were independent."""

    clustered: float
    unclustered: float


def coverage_of_mean(n_people: int) -> Coverage:
    """Right answers of people with 10 to 49 items each, whose chances differ by a person effect.

    An answer is right when person effect N(0, ¼) + noise N(0, 1) > 0: half of them are, and two answers
    of one person have a latent correlation of 0.2.
    """
    rng = np.random.default_rng(n_people)
    people = np.repeat(np.arange(n_people), rng.integers(10, 50, n_people))
    clusters = partition([f"P{p:03}" for p in people])
    clustered = unclustered = 0
    for _ in range(SIMULATIONS):
        right = rng.normal(0, 0.5, n_people)[people] + rng.standard_normal(people.size) > 0
        clustered += covers(clustered_mean(right, clusters), 0.5)
        # The usual ± 1.96 · s/sqrt(N) of evaluation harnesses.
        unclustered += abs(right.mean() - 0.5) <= 1.96 * right.std(ddof=1) / math.sqrt(people.size)
    return Coverage(clustered / SIMULATIONS, unclustered / SIMULATIONS)


def coverage_of_ratio(n_people: int) -> Coverage:
    """Σ right / Σ answered, where people who answer more are also more often right.

    Half of the people answer 1 + Poisson(9) items, right with a chance from Beta(4, 2), half
    1 + Poisson(2), right with a chance from Beta(2, 4): ½·(10·⅔ + 3·⅓) / (½·(10 + 3)) in the long run.
    """
    true = (10 * 2 / 3 + 3 * 1 / 3) / (10 + 3)
    rng = np.random.default_rng(n_people)
    shape = (n_people, SIMULATIONS)
    much = rng.random(shape) < 0.5
    answered = 1 + rng.poisson(np.where(much, 9, 2))
    right = rng.binomial(answered, np.where(much, rng.beta(4, 2, shape), rng.beta(2, 4, shape)))

    def ratios(sums: FloatArray) -> FloatArray:
        return divided(sums[:, :SIMULATIONS], sums[:, SIMULATIONS:])

    # All simulations are resampled at once, as columns: one metric each.
    sums = np.hstack([right, answered]).astype(np.float64)
    draws = cluster_bootstrap(sums, ratios, draws=1_000)
    points = ratios(sums.sum(axis=0, keepdims=True))[0]
    clustered = [
        covers(estimate_from_draws(float(value), column, n=1, n_clusters=n_people), true)
        for value, column in zip(points, draws.T, strict=True)
    ]
    error = 1.96 * np.sqrt(points * (1 - points) / answered.sum(axis=0))
    return Coverage(float(np.mean(clustered)), float(np.mean(np.abs(points - true) <= error)))


# The unclustered standard error, tested in the same way, is why every interval here is over people: it
# calls 95 % what holds the true value in 60 to 80 % of the cases, and more people do not help.
UNCLUSTERED_FAILS = 0.85


@pytest.mark.parametrize("n_people", [54, 500])
@pytest.mark.parametrize("coverage", [coverage_of_mean, coverage_of_ratio])
def test_intervals_cover(coverage: Callable[[int], Coverage], n_people: int) -> None:
    found = coverage(n_people)
    assert 0.93 <= found.clustered <= 0.97
    assert found.unclustered < UNCLUSTERED_FAILS


def test_intervals_of_fifteen_people_cover_a_little_less() -> None:
    """Measured at G = 15: 93.8 % for a mean and 93.5 % for a ratio instead of 95 %."""
    for found in (coverage_of_mean(15), coverage_of_ratio(15)):
        assert 0.92 <= found.clustered <= 0.96
        assert found.unclustered < UNCLUSTERED_FAILS


def equal_models(seed: int) -> tuple[Sufficient, Sufficient, float]:
    """Two models, neither better, on 40 people of 5 to 20 items, and McNemar's p for their accuracy.

    What is hard about a person is shared by the models; what suits one of them better is not, so the
    differences on one person's items are correlated. A tenth of the answers cannot be read, and are
    left out of the mean absolute error.
    """
    rng = np.random.default_rng(seed)
    people = np.repeat(np.arange(40), rng.integers(5, 21, 40))
    clusters = partition([f"P{p:02}" for p in people])
    shared = rng.normal(0, 1, 40)

    def statistic(sums: FloatArray) -> FloatArray:
        return np.stack([divided(sums[:, 0], sums[:, 1]), divided(sums[:, 2], sums[:, 3])], axis=1)

    def answers() -> tuple[Sufficient, NDArray[np.bool_]]:
        error = (shared + rng.normal(0, 0.8, 40))[people] + rng.standard_normal(people.size)
        read = rng.random(people.size) < 0.9
        right = read & (np.abs(error) < 1)
        columns = (right, np.ones(people.size), np.where(read, np.abs(error), 0), read)
        sums = np.stack([clusters.totals(column) for column in columns], axis=1)
        return Sufficient(clusters.labels, sums, ("accuracy", "mae"), statistic), right

    (a, right_a), (b, right_b) = answers(), answers()
    return a, b, mcnemar(right_a, right_b).p_value


def test_equal_models_are_told_apart_as_rarely_as_promised() -> None:
    seeds, alpha = 200, 0.05
    found = [equal_models(seed) for seed in range(seeds)]
    # The intervals are not looked at here, hence few bootstrap draws.
    pairs = [
        compare_pair(a, b, draws=2, swaps=999, seed=seed) for seed, (a, b, _) in enumerate(found)
    ]
    low, high = binom.interval(0.99, seeds, alpha)
    for metric in ("accuracy", "mae"):
        assert low <= sum(pair[metric].p_value <= alpha for pair in pairs) <= high
    # McNemar's test takes the items for independent, and finds a difference too often.
    assert sum(p <= alpha for _, _, p in found) > high


class Pairs(NamedTuple):
    """SIMULATIONS pairs of models, as one pair with a metric (a mean over people's items) for each."""

    a: Sufficient
    b: Sufficient


def paired_simulations(n_people: int, effect: float) -> Pairs:
    """10 items for each person; model A is better than B by `effect`."""
    rng = np.random.default_rng(7)
    shape, items = (n_people, SIMULATIONS), 10
    shared = rng.normal(0, 1, shape)
    names = tuple(map(str, range(SIMULATIONS)))

    def model(better: float) -> Sufficient:
        noise = rng.normal(0, 0.5, shape) + rng.normal(0, 1, shape) / math.sqrt(items)
        sums = items * (shared + noise + better)
        return Sufficient(
            tuple(f"P{p:03}" for p in range(n_people)),
            sums,
            names,
            lambda s: s / (items * n_people),
        )

    return Pairs(model(effect), model(0.0))


def test_the_minimum_detectable_effect_is_found_with_the_promised_power() -> None:
    n_people = 54
    equal = compare_pair(*paired_simulations(n_people, 0.0), draws=1_000, swaps=1).values()
    differences = np.array([one.difference.value for one in equal])
    # The same intervals cover: the true difference is 0.
    assert 0.93 <= np.mean([covers(one.difference, 0.0) for one in equal]) <= 0.97

    effect = minimum_detectable_effect(float(differences.std(ddof=1)), n_people)
    # What a user sees is estimated from one data set, and comes out right on average.
    assert np.mean([one.mde for one in equal]) == pytest.approx(effect, rel=0.03)

    a, b = paired_simulations(n_people, effect)
    detected = compare_pair(a, b, draws=1_000, swaps=1).values()
    assert 0.75 <= np.mean([not covers(one.difference, 0.0) for one in detected]) <= 0.85
    # So does the test whose p-value is reported (for a mean, the swap test is the sign-flip test).
    p_values = [sign_flip_test(d, draws=499).p_value for d in (a.sums - b.sums).T[:1_000]]
    assert 0.75 <= np.mean(np.array(p_values) <= 0.05) <= 0.85
