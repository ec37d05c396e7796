"""Intervals end where a metric does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.agreement import quadratic_kappa
from otherminds.metrics.ranges import AT_LEAST_0, CORRELATION, SHARE, Range, cut
from otherminds.metrics.uncertainty import Estimate, clustered_mean, estimate, partition


def test_an_interval_is_cut_and_nothing_else() -> None:
    # Two people with 1 and 0.8: the mean 0.9, SE 0.1, t(1) = 12.706, so 0.9 ± 1.27.
    whole = clustered_mean([1.0, 0.8], partition(["p", "q"]))
    assert (whole.low, whole.high) == pytest.approx((0.9 - 1.2706205, 0.9 + 1.2706205))
    found = cut({"acc": whole, "mae": whole, "new": whole}, {"acc": SHARE, "mae": AT_LEAST_0})
    assert (found["acc"].low, found["acc"].high) == (0.0, 1.0)
    assert (found["mae"].low, found["mae"].high) == (0.0, whole.high)
    assert found["new"] == whole
    for one in found.values():
        assert (one.value, one.stderr, one.n, one.n_clusters) == (0.9, whole.stderr, 2, 2)


def test_an_unknown_interval_stays_unknown() -> None:
    assert math.isnan(SHARE.cut(estimate(0.5, math.nan, n=1, n_clusters=1)).low)


def test_a_difference_has_twice_the_range() -> None:
    assert SHARE.of_difference() == CORRELATION == Range(-1.0, 1.0)
    assert CORRELATION.of_difference() == Range(-2.0, 2.0)
    assert AT_LEAST_0.of_difference() == Range(-math.inf, math.inf)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2, max_size=12),
)
def test_an_interval_within_a_range_holds_its_value(items: list[tuple[int, bool]]) -> None:
    people = partition([f"p{person}" for person, _ in items])
    found: Estimate = SHARE.cut(clustered_mean([float(right) for _, right in items], people))
    assert math.isnan(found.low) or 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_near_perfect_agreement_has_no_impossible_interval() -> None:
    # Eleven targets of three people, rated alike but for one.
    first = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 5]
    people = partition([f"p{place % 3}" for place in range(len(first))])
    found = quadratic_kappa(first, [*first[:-1], 1], people, low=1, high=5)
    assert found.value + 4.3 * found.stderr > 1  # t(2) = 4.303: the whole interval goes beyond 1
    assert found.high == 1.0
