from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.uncertainty import (
    clustered_mean,
    divided,
    estimates_from_sums,
    partition,
    sums_by_cluster,
)
from otherminds.types import FloatArray


def mean(sums: FloatArray) -> FloatArray:
    return divided(sums[:, 1], sums[:, 0])[:, None]


def test_sums_are_by_cluster_and_column() -> None:
    people = partition(["b", "a", "b"])
    assert sums_by_cluster(people, [1, 1, 1], [1, 2, 4]).tolist() == [[1, 2], [2, 5]]
    with pytest.raises(MisalignedInput):
        sums_by_cluster(people, [1, 1])


def test_division_by_nothing_is_undefined() -> None:
    ratio = divided(np.array([1.0, 0.0, 1.0]), np.array([2.0, 0.0, -1.0]))
    assert ratio[0] == 0.5
    assert np.isnan(ratio[1:]).all()


def test_a_mean_has_the_error_of_the_formula() -> None:
    rng = np.random.default_rng(2)
    people = partition([str(i % 150) for i in range(900)])
    x = rng.normal(size=150)[people.codes] + rng.normal(size=900)
    exact = clustered_mean(x, people)
    (found,) = estimates_from_sums(sums_by_cluster(people, np.ones(900), x), mean, n=900)
    assert found.value == pytest.approx(exact.value)
    assert found.stderr == pytest.approx(exact.stderr, rel=0.06)
    assert (found.n, found.n_clusters) == (900, 150)


def test_an_undefined_value_keeps_its_n() -> None:
    (found,) = estimates_from_sums(np.zeros((4, 2)), mean, n=7, draws=20)
    assert (found.n, found.n_clusters) == (7, 4)
    assert math.isnan(found.value)
    assert math.isnan(found.stderr)


def test_an_interval_rests_on_nearly_all_draws_or_is_not_given() -> None:
    # Of G clusters one has data: it is missed with probability (1 - 1/G)^G, about 0.35.
    one = np.zeros((8, 2))
    one[0] = 3, 6
    (found,) = estimates_from_sums(one, mean, n=3)
    assert found.value == 2
    assert math.isnan(found.stderr)
    # Of ten, five have data: all are missed with probability 2^-10.
    half = np.zeros((10, 2))
    half[:5, 0], half[:5, 1] = 1, range(5)
    (found,) = estimates_from_sums(half, mean, n=5)
    assert found.value == 2
    assert found.stderr > 0


def test_without_clusters_there_is_nothing() -> None:
    with pytest.raises(EmptyInput, match="clusters"):
        estimates_from_sums(np.zeros((0, 2)), mean, n=0)
