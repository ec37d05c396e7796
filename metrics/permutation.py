"""Exact tests and permutation p-values that are valid: under the null, P(p ≤ α) ≤ α for every α."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import SEED
from otherminds.types import FloatArray

# Random sign patterns; with the observed one, p comes in steps of 1/10,000.
SIGN_FLIPS = 9_999


# Values that differ by less than this part of their size are ties that rounding broke. Ties count
# against the observed value, so this can only make p larger.
TIE = 1e-12


# Entries of the sign matrix held at once: 16 MB.
_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True)
class SignFlip:
    """Outcome of `sign_flip_test`.

    p_value     two-sided
    statistic   Σ_g d_g, as observed
    n_clusters  G
    n_nonzero   clusters with a difference other than 0: the others can decide nothing
    patterns    sign patterns compared, the observed one included
    exact       whether these are all 2^n_nonzero patterns (else they were drawn)
    """

    p_value: float
    statistic: float
    n_clusters: int
    n_nonzero: int
    patterns: int
    exact: bool


@dataclass(frozen=True)
class McNemar:
    """Outcome of `mcnemar`.

    only_a, only_b  discordant items: right by one model alone
    n               all items
    p_value         exact, two-sided
    """

    only_a: int
    only_b: int
    n: int
    p_value: float


def permutation_p_value(observed: float, null: ArrayLike) -> float:
    """p = (1 + #{k: null_k ≥ observed}) / (1 + K), one-sided: large values speak against the null.

    null  shape (K,): the same statistic on K random relabellings (say, derangements of people)

    The observed labelling counts as one of 1 + K, so p is at least 1/(1 + K), and valid for any K. It
    is 1 when relabelling changes nothing.
    Raises EmptyInput for K = 0, MisalignedInput unless `null` is a vector, MetricError for NaN or
    infinity.
    """
    values = np.asarray(null, dtype=np.float64)
    if values.ndim != 1:
        raise MisalignedInput(
            f"Null values of shape {values.shape}: give one number for each of K."
        )
    if values.size == 0:
        raise EmptyInput("No relabelling to compare with: give at least one.")
    if not (np.isfinite(observed) and np.isfinite(values).all()):
        raise MetricError("A statistic is NaN or infinite: every relabelling must have a number.")
    at_least = values >= observed - TIE * abs(observed)
    return float((1 + np.count_nonzero(at_least)) / (1 + values.size))


def sign_flip_test(
    differences: ArrayLike, *, draws: int = SIGN_FLIPS, seed: int = SEED
) -> SignFlip:
    """Two-sided sign-flip test that paired differences between two models are symmetric about 0.

    p = #{s: |Σ_g s_g·d_g| ≥ |Σ_g d_g|} / 2^m over all patterns s of signs of the m nonzero d_g when
    there are at most `draws` + 1 of them up to a common sign, else
    p = (1 + #{k: |Σ_g s_gk·d_g| ≥ |Σ_g d_g|}) / (1 + draws) over seeded random patterns.

    differences  shape (G,): one number per cluster (person). For a mean over items give each
                 cluster's *sum* of item differences, in which case the statistic is N times the
                 difference of the means; for a mean over people, each person's mean difference

    A person's items keep their signs together, so they need not be independent. p = 1 when all
    differences are 0; with m nonzero ones p is at least 2^(1 - m).

    `scipy.stats.permutation_test` (permutation_type="samples") finds the same exact p of whole numbers.
    It stands in for nothing here, because other p-values come out elsewhere: a tie that rounding broke
    is none for it where the differences cancel (0.97 for 1), drawn patterns are doubled from one side
    (at least 2/(1 + draws)), zeros count as clusters, so that fewer cases are exact, and one cluster is
    refused. It takes 3 to 100 times as long, and a third of a second to import.
    Raises EmptyInput for G = 0, MisalignedInput unless `differences` is a vector, MetricError for a
    NaN or infinite difference or draws < 1.
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1:
        raise MisalignedInput(f"Differences of shape {d.shape}: give one number per cluster.")
    if d.size == 0:
        raise EmptyInput("No clusters to compare.")
    if not np.isfinite(d).all():
        raise MetricError("A difference is NaN or infinite: leave that cluster out.")
    # Only sizes matter once signs are flipped; sorted, so that the draws do not depend on the order or
    # the names of the clusters, nor on which model comes first.
    sizes = np.sort(np.abs(d[d != 0]))
    threshold = abs(float(d.sum())) - TIE * float(sizes.sum())
    patterns = sign_patterns(sizes.size, draws=draws, seed=seed)
    extreme = sum(int(np.count_nonzero(np.abs(s @ sizes) >= threshold)) for s in patterns.blocks)
    return SignFlip(
        p_value=patterns.p_value(extreme),
        statistic=float(d.sum()),
        n_clusters=d.size,
        n_nonzero=sizes.size,
        patterns=patterns.compared,
        exact=patterns.exact,
    )


def mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> McNemar:
    """Exact two-sided McNemar test that two models are equally often right (McNemar, 1947).

    Given D = only_a + only_b discordant items, only_a is Binomial(D, ½) under the null:
    p = min(1, 2·P(X <= min(only_a, only_b))). With D = 0, p = 1.

    right_a, right_b  shape (N,): right (True, 1) or wrong (False, 0), the same items in the same order

    It assumes independent items. Several items about one person are not: their answers tend to be
    right or wrong together, so p comes out too small. Use it beside `compare_pair`, not instead.
    Raises EmptyInput for N = 0, MisalignedInput unless both are vectors of one length, MetricError for
    a value that is neither 0 nor 1.
    """
    a, b = np.asarray(right_a, dtype=np.float64), np.asarray(right_b, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise MisalignedInput(
            f"Shapes {a.shape} and {b.shape}: give one value per item and model, in the same order."
        )
    if a.size == 0:
        raise EmptyInput("No items to compare.")
    if not (np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all()):
        raise MetricError("A value is neither 0 (wrong) nor 1 (right).")
    only_a, only_b = int(np.count_nonzero(a > b)), int(np.count_nonzero(a < b))
    return McNemar(only_a, only_b, a.size, _binomial_p(only_a, only_a + only_b))


class SignPatterns(NamedTuple):
    """The sign patterns of m clusters that a two-sided test compares with the observed one.

    blocks    matrices of +1 and -1 with a pattern in each row and m columns; to be read once
    exact     whether they are all 2^m patterns, of which the rows are one half: a pattern and its
              opposite have the same two-sided statistic
    compared  patterns that the p-value rests on, the observed one included
    """

    blocks: Iterator[FloatArray]
    exact: bool
    compared: int

    def p_value(self, extreme: int) -> float:
        """p, given in how many of the rows the statistic was at least as large as observed."""
        if self.exact:
            # The observed pattern is one of the rows, even if rounding should hide it.
            return max(extreme, 1) / max(self.compared // 2, 1)
        return (1 + extreme) / self.compared


def sign_patterns(m: int, *, draws: int = SIGN_FLIPS, seed: int = SEED) -> SignPatterns:
    """All sign patterns of m clusters if at most `draws` + 1 up to a common sign, else random ones.

    Raises MetricError for draws < 1.
    """
    if draws < 1:
        raise MetricError(f"{draws} draws: give at least 1.")
    if m <= 1 or 2 ** (m - 1) <= draws + 1:
        return SignPatterns(_all_signs(m), exact=True, compared=2**m)
    return SignPatterns(_random_signs(m, draws, seed), exact=False, compared=1 + draws)


def _all_signs(n: int) -> Iterator[FloatArray]:
    """All sign patterns of n numbers up to a common sign: the first sign is always +."""
    free = max(n - 1, 0)
    chunk = max(1, _CHUNK_ENTRIES // max(n, 1))
    for start in range(0, 2**free, chunk):
        codes = np.arange(start, min(start + chunk, 2**free))[:, None]
        signs = 1.0 - 2.0 * ((codes >> np.arange(free)) & 1)
        yield np.concatenate([np.ones((len(codes), n - free)), signs], axis=1)


def _random_signs(n: int, draws: int, seed: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng(seed)
    chunk = max(1, _CHUNK_ENTRIES // n)
    for start in range(0, draws, chunk):
        coins = rng.integers(0, 2, size=(min(chunk, draws - start), n))
        yield 1.0 - 2.0 * coins.astype(np.float64)


def _binomial_p(successes: int, trials: int) -> float:
    from scipy.stats import binomtest  # slow to import, and few commands need it

    # It refuses no trials.
    return float(binomtest(successes, trials, 0.5).pvalue) if trials else 1.0
