from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.agreement import cohen_kappa, intraclass_correlation, quadratic_kappa
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import Clusters, partition
from otherminds.types import FloatArray

pairs_on_five = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=25)


def singles(n: int) -> Clusters:
    return partition([f"p{i:04}" for i in range(n)])


def icc(ratings: object) -> float:
    table = np.asarray(ratings, dtype=np.float64)
    return intraclass_correlation(table, singles(len(table)), draws=2).value


def kappa(first: object, second: object, *, high: int = 5) -> float:
    a, b = np.asarray(first), np.asarray(second)
    return quadratic_kappa(a, b, singles(len(a)), low=1, high=high, draws=2).value


def slow_icc(x: FloatArray) -> float:
    """From the cells of the analysis of variance, one by one."""
    n, k = x.shape
    grand, rows, columns = x.mean(), x.mean(axis=1), x.mean(axis=0)
    msr = k * sum((row - grand) ** 2 for row in rows) / (n - 1)
    msc = n * sum((column - grand) ** 2 for column in columns) / (k - 1)
    sse = sum(
        (x[i, j] - rows[i] - columns[j] + grand) ** 2
        for i, j in itertools.product(range(n), range(k))
    )
    mse = sse / ((n - 1) * (k - 1))
    return float((msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n))


def slow_kappa(first: FloatArray, second: FloatArray, low: int, high: int) -> float:
    """From the confusion matrix and its margins, with the usual weights."""
    points = high - low + 1
    table = np.zeros((points, points))
    for a, b in zip(first, second, strict=True):
        table[int(a) - low, int(b) - low] += 1 / len(first)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    i, j = np.indices(table.shape)
    weights = (i - j) ** 2 / (points - 1) ** 2
    return float(1 - (weights * table).sum() / (weights * expected).sum())


def test_icc_by_hand() -> None:
    # A shift by 1. Row means 1.5, 3.5, grand 2.5: MSR = 2·(1 + 1)/1 = 4. Column means 2, 3:
    # MSC = 2·(¼ + ¼)/1 = 1. No residual. ICC = 4 / (4 + 0 + 2·1/2) = 0.8: not 1, the shift counts.
    assert icc([[1, 2], [3, 4]]) == pytest.approx(0.8)
    # Row means 1, 2.5, 2.5, grand 2: MSR = 2·(1 + ¼ + ¼)/2 = 1.5; MSC = 0; total 4, rows 3: MSE = ½.
    # ICC = (1.5 - 0.5) / (1.5 + 0.5 + 2·(0 - 0.5)/3) = 1 / (5/3) = 0.6.
    assert icc([[1, 1], [2, 3], [3, 2]]) == pytest.approx(0.6)


def test_icc_of_four_judges() -> None:
    # The worked example of Shrout & Fleiss 1979, Table 2: 6 targets, 4 judges; they print 0.29.
    table = [
        [9, 2, 5, 8],
        [6, 1, 3, 2],
        [8, 4, 6, 8],
        [7, 1, 2, 6],
        [10, 5, 6, 9],
        [6, 2, 4, 7],
    ]
    assert icc(table) == pytest.approx(0.29, abs=0.005)
    assert icc(table) == pytest.approx(slow_icc(np.array(table, dtype=np.float64)))


def test_kappa_by_hand() -> None:
    # Σ(a - b)² = 1. Σa = 7, Σb = 8, Σa² = 15, Σb² = 18: expected (33 - 2·56/4) = 5. κ = 1 - 1/5.
    assert kappa([1, 1, 2, 3], [1, 2, 2, 3]) == pytest.approx(0.8)
    # Everyone turns round: Σ(a - b)² = 2·16 = 32, expected 2·26 - 2·6·6/2 = 16. κ = 1 - 2 = -1.
    assert kappa([1, 5], [5, 1]) == pytest.approx(-1)


@given(pairs_on_five)
def test_both_equal_their_slow_definitions(pairs: list[tuple[int, int]]) -> None:
    table = np.array(pairs, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = slow_kappa(table[:, 0], table[:, 1], 1, 5)
    if len(set(table.ravel())) > 1:
        assert kappa(*table.T) == pytest.approx(expected, abs=1e-9)
        # Two targets with equal row and column means have no denominator.
        if not math.isnan(icc(table)):
            assert icc(table) == pytest.approx(slow_icc(table), abs=1e-9)
            assert icc(table) <= 1 + 1e-12
    else:
        assert math.isnan(kappa(*table.T))
        assert math.isnan(icc(table))


@given(pairs_on_five)
def test_identical_ratings_agree_completely(pairs: list[tuple[int, int]]) -> None:
    first = [a for a, _ in pairs]
    if len(set(first)) > 1:
        assert icc(list(zip(first, first, strict=True))) == pytest.approx(1)
        assert kappa(first, first) == 1


@given(pairs_on_five, st.integers(-1_000_000, 1_000_000), st.integers(1, 9))
def test_icc_does_not_depend_on_origin_and_unit(
    pairs: list[tuple[int, int]], origin: int, unit: int
) -> None:
    table = np.array(pairs, dtype=np.float64)
    assert icc(origin + unit * table) == pytest.approx(icc(table), abs=1e-9, nan_ok=True)
    assert icc(table / 7) == pytest.approx(icc(table), abs=1e-9, nan_ok=True)


@given(pairs_on_five)
def test_test_and_retest_may_change_places(pairs: list[tuple[int, int]]) -> None:
    table = np.array(pairs)
    assert icc(table) == pytest.approx(icc(table[:, ::-1]), nan_ok=True)
    assert kappa(*table.T) == pytest.approx(kappa(*table.T[::-1]), nan_ok=True)
    # Labels that nobody used change nothing.
    assert kappa(*table.T, high=10) == pytest.approx(kappa(*table.T), nan_ok=True)


@settings(max_examples=15)
@given(st.integers(0, 1_000))
def test_the_bootstrap_resamples_people_with_all_their_targets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ids = [f"p{i}" for i in rng.permutation(np.repeat(np.arange(6), 5))]
    table = rng.integers(1, 11, size=(30, 2)).astype(np.float64)
    people = partition(ids)
    chosen = np.random.default_rng(seed).integers(0, people.count, size=(25, people.count))
    slow: list[tuple[float, float]] = []
    for draw in chosen:
        rows = np.concatenate([table[people.codes == person] for person in draw])
        slow.append((slow_icc(rows), slow_kappa(rows[:, 0], rows[:, 1], 1, 10)))
    errors = np.std(slow, axis=0, ddof=1)
    first = intraclass_correlation(table, people, draws=25, seed=seed)
    second = quadratic_kappa(*table.T, people, low=1, high=10, draws=25, seed=seed)
    assert first.stderr == pytest.approx(errors[0])
    assert second.stderr == pytest.approx(errors[1])
    assert (first.n, first.n_clusters) == (second.n, second.n_clusters) == (30, 6)


def test_icc_finds_the_share_of_variance_between_targets() -> None:
    # Target variance 4, residual variance 1, no shift: ICC = 0.8.
    rng = np.random.default_rng(3)
    table = 2 * rng.normal(size=(4_000, 1)) + rng.normal(size=(4_000, 2))
    found = intraclass_correlation(table, singles(4_000))
    assert found.low < 0.8 < found.high
    # Large-sample error for k = 2: (1 - ρ²)/sqrt(n).
    assert found.stderr == pytest.approx(0.36 / math.sqrt(4_000), rel=0.1)


def test_what_has_no_spread_has_no_agreement() -> None:
    assert math.isnan(icc([[3, 3], [3, 3]]))
    assert math.isnan(icc([[0.1, 0.1], [0.1, 0.1]]))
    assert math.isnan(icc([[1, 2]]))
    assert math.isnan(kappa([2, 2], [2, 2]))
    found = intraclass_correlation([[3, 3], [3, 3]], singles(2))
    assert (found.n, found.n_clusters) == (2, 2)
    assert math.isnan(found.stderr)


@pytest.mark.parametrize(
    ("ratings", "error", "words"),
    [
        ([[1.0], [2.0]], MisalignedInput, "at least two occasions"),
        ([1.0, 2.0], MisalignedInput, "shape"),
        ([[1.0, 2.0]], MisalignedInput, "one number per item"),
        (np.ones((0, 2)), MisalignedInput, "one number per item"),
        ([[1.0, math.nan], [1.0, 2.0]], MetricError, "NaN"),
    ],
)
def test_broken_ratings_are_refused(ratings: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        intraclass_correlation(np.asarray(ratings), singles(2))


def test_broken_kappas_are_refused() -> None:
    for bad in (0, 6, 2.5):
        with pytest.raises(MetricError, match="not on the scale 1-5"):
            quadratic_kappa([1, bad], [1, 2], singles(2), low=1, high=5)
    with pytest.raises(MetricError, match="infinite"):
        quadratic_kappa([1, math.inf], [1, 2], singles(2), low=1, high=5)
    with pytest.raises(MisalignedInput, match="pairs"):
        quadratic_kappa([1, 2, 3], [1, 2], singles(2), low=1, high=5)
    with pytest.raises(MetricError, match="below high"):
        quadratic_kappa([1, 1], [1, 1], singles(2), low=1, high=1)
    with pytest.raises(EmptyInput):
        quadratic_kappa([], [], partition([]), low=1, high=5)


def test_cohens_kappa_by_hand() -> None:
    found = cohen_kappa("aaabb", "aabac", singles(5), draws=2)
    # a a, a a, a b, b a, b c: P_o = 2/5. Shares of a 3/5 and 3/5, of b 2/5 and 1/5:
    # P_e = 9/25 + 2/25 = 11/25.
    assert found.value == pytest.approx((2 / 5 - 11 / 25) / (1 - 11 / 25))
    assert found.n == 5


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=2, max_size=25)
)
@settings(max_examples=50, deadline=None)
def test_cohens_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    first, second = (list(side) for side in zip(*pairs, strict=True))
    found = cohen_kappa(first, second, singles(len(pairs)), draws=2).value
    if len({*first, *second}) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(cohen_kappa_score(first, second))


def test_cohens_kappa_takes_pairs_and_resamples_people() -> None:
    with pytest.raises(MisalignedInput, match="2 first and 1 second labels"):
        cohen_kappa("ab", "a", singles(2))
    found = cohen_kappa("aabbaabb", "aabaabbb", partition([f"p{n % 4}" for n in range(8)]))
    assert found.n_clusters == 4
    assert -1 <= found.low < found.value < found.high <= 1
