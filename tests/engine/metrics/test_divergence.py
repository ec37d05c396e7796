from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.divergence import answer_counts, jensen_shannon, pearson_r
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

counts = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any)


def test_counts_by_hand() -> None:
    assert answer_counts([1, 5, 5], low=1, high=5).tolist() == [1, 0, 0, 0, 2]
    assert answer_counts([], low=1, high=2).tolist() == [0, 0]


@pytest.mark.parametrize("answer", [0, 6, 2.5, math.nan])
def test_answers_off_the_scale_are_refused(answer: float) -> None:
    with pytest.raises(MetricError, match="not on the scale 1-5"):
        answer_counts([answer], low=1, high=5)  # type: ignore[list-item]  # wrong on purpose
    with pytest.raises(MetricError, match="low"):
        answer_counts([1], low=2, high=1)


def test_divergence_by_hand() -> None:
    assert jensen_shannon([1, 0], [0, 1]) == 1
    assert jensen_shannon([0.2, 0.8], [0.2, 0.8]) == 0
    # m = (¾, ¼): ½·log2(4/3) + ½·(½·log2(2/3) + ½·log2 2) = ½·0.4150375 + ½·(-0.2924813 + 0.5).
    assert jensen_shannon([1, 0], [0.5, 0.5]) == pytest.approx(0.3112781)


@given(counts, counts)
def test_divergence_is_symmetric_and_bounded(p: list[int], q: list[int]) -> None:
    found = jensen_shannon(p, q)
    assert 0 <= found <= 1
    assert found == pytest.approx(jensen_shannon(q, p))
    assert jensen_shannon(p, p) == pytest.approx(0, abs=1e-12)
    # Entropy of the mixture less mean entropy.
    first, second = np.array(p) / sum(p), np.array(q) / sum(q)

    def entropy(x: np.ndarray) -> float:
        return -sum(v * math.log2(v) for v in x if v > 0)

    expected = entropy((first + second) / 2) - (entropy(first) + entropy(second)) / 2
    assert found == pytest.approx(expected, abs=1e-9)


@given(counts, counts, st.permutations(range(5)), st.integers(1, 9))
def test_divergence_knows_no_order_and_no_unit(
    p: list[int], q: list[int], order: list[int], factor: int
) -> None:
    shuffled = jensen_shannon([factor * p[i] for i in order], [q[i] for i in order])
    assert shuffled == pytest.approx(jensen_shannon(p, q), abs=1e-12)


def test_two_samples_of_one_distribution_diverge_as_much_as_the_docstring_says() -> None:
    rng = np.random.default_rng(0)
    p = [0.1, 0.2, 0.4, 0.2, 0.1]
    samples = rng.multinomial(200, p, size=(2, 1_000))
    mean = np.mean([jensen_shannon(a, b) for a, b in zip(*samples, strict=True)])
    assert mean == pytest.approx(4 * (2 / 200) / (8 * math.log(2)), rel=0.1)


def test_pearson_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-1, 1, 0): 1 / sqrt(2·2).
    assert pearson_r([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)
    assert pearson_r([0.1, 0.2, 0.7], [10, 20, 70]) == pytest.approx(1)
    assert pearson_r([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=20),
    st.sampled_from([1e-150, 1.0, 1e150]),
)
def test_pearson_agrees_with_numpy_in_any_unit(pairs: list[tuple[int, int]], unit: float) -> None:
    x, y = np.array(pairs, dtype=np.float64).T
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert math.isnan(pearson_r(unit * x, y))
    else:
        assert pearson_r(unit * x, y) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
        assert -1 <= pearson_r(unit * x, y) <= 1


def test_a_constant_has_no_correlation() -> None:
    # The mean of these is not exactly 0.1: rounding must not pass for a spread.
    assert math.isnan(pearson_r([0.1] * 10, list(range(10))))
    assert math.isnan(pearson_r([1], [2]))
    assert math.isnan(pearson_r([0, 0], [1, 2]))


def test_nothing_and_nonsense_are_refused() -> None:
    for function in (jensen_shannon, pearson_r):
        with pytest.raises(EmptyInput, match="empty"):
            function([], [])
        with pytest.raises(MisalignedInput, match="same length"):
            function([1, 2], [1, 2, 3])
        with pytest.raises(MisalignedInput):
            function([[1, 2]], [[1, 2]])
        with pytest.raises(MetricError, match="NaN"):
            function([1, math.nan], [1, 2])
    with pytest.raises(EmptyInput, match="without any answers"):
        jensen_shannon([0, 0], [1, 2])
    with pytest.raises(MetricError, match="negative"):
        jensen_shannon([-1, 2], [1, 2])
