from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from otherminds.metrics.confusion import cohen_kappa, confusion
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import partition

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


def kappa(first: list[int], second: list[int]) -> float:
    clusters = partition([f"u{i:03}" for i in range(len(first))])
    return cohen_kappa(first, second, clusters, draws=2).value


def test_kappa_by_hand() -> None:
    # 6 of 8 agree, p_o = 3/4. Shares of 1: 4/8 and 4/8, so p_e = 1/4 + 1/4. κ = (3/4 - 1/2)/(1/2).
    assert kappa([1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0, 0]) == pytest.approx(0.5)
    assert kappa([0, 1], [1, 0]) == pytest.approx(-1)
    assert kappa([2, 3, 3], [2, 3, 3]) == 1
    assert math.isnan(kappa([4, 4], [4, 4]))


@given(pairs)
def test_kappa_is_scikit_learns(given_pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in given_pairs], [b for _, b in given_pairs]
    if len({*first, *second}) > 1:
        assert kappa(first, second) == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


@given(pairs)
def test_the_table_counts_every_pair(given_pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in given_pairs], [b for _, b in given_pairs]
    found = confusion(first, second)
    assert found.labels == tuple(range(min(*first, *second), max(*first, *second) + 1))
    assert found.counts.sum() == len(first)
    assert np.array_equal(found.counts.T, confusion(second, first).counts)
    whole = confusion(first, second, labels=range(5))
    assert whole.counts[first[0], second[0]] == given_pairs.count((first[0], second[0]))


def test_rows_are_the_first_rating() -> None:
    found = confusion([0, 0, 2], [1, 1, 0], labels=(0, 1, 2))
    assert found.counts.tolist() == [[0, 2, 0], [0, 0, 0], [1, 0, 0]]


def test_ratings_that_do_not_fit() -> None:
    with pytest.raises(EmptyInput):
        confusion([], [])
    with pytest.raises(MisalignedInput, match="2 first and 1 second"):
        confusion([1, 2], [1])
    with pytest.raises(MetricError, match="Rating 3 is none of the labels"):
        confusion([1, 3], [1, 1], labels=(1, 2))
    with pytest.raises(MetricError, match="twice"):
        confusion([1], [1], labels=(1, 1))
