"""Where SciPy finds the values that our own code does, and where it does not: why ours is kept."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import binomtest, bootstrap, permutation_test

from otherminds.metrics.divergence import jensen_shannon, jensen_shannon_rows
from otherminds.metrics.permutation import mcnemar, sign_flip_test
from otherminds.metrics.uncertainty import cluster_bootstrap
from otherminds.types import FloatArray

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=12)


def theirs(differences: Sequence[float], draws: int, seed: int = 1) -> float:
    """The sign-flip test by SciPy."""
    found = permutation_test(
        (np.asarray(differences, dtype=np.float64),),
        lambda flipped, axis: flipped.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


# McNemar: theirs is used.


def test_all_tables_of_discordant_items_have_the_binomial_p() -> None:
    for only_a, only_b in itertools.product(range(25), repeat=2):
        a = [1] * only_a + [0] * only_b + [1, 0]
        b = [0] * only_a + [1] * only_b + [1, 0]
        discordant = only_a + only_b
        expected = binomtest(only_a, discordant, 0.5).pvalue if discordant else 1.0
        assert mcnemar(a, b).p_value == expected
    # Which refuses to say so of no trials.
    with pytest.raises(ValueError, match="not less than 1"):
        binomtest(0, 0, 0.5)


# Jensen-Shannon: ours, which is a number where theirs is none.


@given(st.data())
def test_the_divergence_is_the_square_of_their_distance(data: st.DataObject) -> None:
    p = data.draw(COUNTS)
    q = data.draw(st.lists(st.integers(0, 50), min_size=len(p), max_size=len(p)))
    if not sum(p) or not sum(q):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        distance = jensenshannon(p, q, base=2)
    found = jensen_shannon(p, q)
    if np.isnan(distance):
        assert found < 1e-15
    else:
        assert found == pytest.approx(distance**2, rel=1e-12, abs=4e-16)


def test_equal_distributions_but_for_rounding_have_a_divergence() -> None:
    rng = np.random.default_rng(1)
    p = rng.random((500, 10))
    p /= p.sum(axis=1, keepdims=True)
    q = p * (1 + rng.normal(0, 1e-16, p.shape))
    with pytest.warns(RuntimeWarning, match="invalid value encountered in sqrt"):
        distances = jensenshannon(p, q, base=2, axis=1)
    assert np.isnan(distances).sum() > 50
    found = jensen_shannon_rows(p, q)
    assert not np.isnan(found).any()
    assert found.max() < 1e-15


def test_disjoint_and_empty_ones_are_as_theirs() -> None:
    assert jensen_shannon([3, 1, 0], [0, 0, 5]) == jensenshannon([3, 1, 0], [0, 0, 5], base=2) == 1
    empty = np.array([[0.0, 0.0]]), np.array([[1.0, 2.0]])
    assert np.isnan(jensen_shannon_rows(*empty)).all()
    with pytest.warns(RuntimeWarning):
        assert np.isnan(jensenshannon(*empty, base=2, axis=1)).all()


# The sign-flip test: ours, which keeps ties.


@given(st.lists(st.integers(-6, 6), min_size=2, max_size=10))
def test_exact_p_values_of_whole_numbers_are_theirs(differences: list[int]) -> None:
    assert sign_flip_test(differences).p_value == pytest.approx(theirs(differences, 10_000))


def test_ties_that_rounding_broke_are_ties_here_alone() -> None:
    # 0.3 + 0.3 + 0.1 + 0.1 + 0.2 - (0.2 · 3 + 0.1 + 0.3) = 0: every pattern is as extreme.
    tenths = [-0.2, 0.0, 0.3, -0.2, -0.2, 0.1, 0.1, -0.1, 0.3, -0.3, 0.2]
    assert sign_flip_test(tenths).p_value == 1
    assert theirs(tenths, 10_000) < 0.97


def test_drawn_patterns_are_compared_from_both_sides_here() -> None:
    clear = [1.0] * 40
    assert sign_flip_test(clear, draws=99).p_value == 1 / 100
    assert theirs(clear, 99) == 2 / 100
    # Zeros decide nothing: with four others there are 16 patterns, which need not be drawn.
    zeros = [1.0, 2, 3, 4, *[0] * 11]
    assert sign_flip_test(zeros).p_value == 2 / 16
    assert theirs(zeros, 9_999) != 2 / 16
    with pytest.raises(ValueError, match="two or more observations"):
        theirs([1.0], 99)


# The bootstrap: ours, which is faster; see performance/bootstrap.py.


@pytest.mark.parametrize("seed", [1, 7])
def test_the_bootstrap_draws_what_theirs_draws(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 90, 150)
    sums = np.column_stack([rng.binomial(counts, 0.4), counts]).astype(np.float64)

    def mean(summed: FloatArray) -> FloatArray:
        return (summed[:, 0] / summed[:, 1])[:, None]

    found = bootstrap(
        (sums[:, 0], sums[:, 1]),
        lambda right, asked, axis: right.sum(axis=axis) / asked.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=500,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    draws = cluster_bootstrap(sums, mean, draws=500, seed=seed)[:, 0]
    assert np.array_equal(draws, found.bootstrap_distribution)


def test_what_is_slow_to_import_waits_until_it_is_used() -> None:
    program = """
import sys
import otherminds.metrics, otherminds.metrics.comparison, otherminds.metrics.permutation
import otherminds.analysis
print([name for name in ("scipy.stats", "scipy.spatial") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
