from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics import uncertainty
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import (
    bounded,
    cluster_bootstrap,
    clustered_mean,
    estimate,
    estimate_from_draws,
    nothing,
    partition,
    undefined_share,
)
from otherminds.types import FloatArray


def ratio(sums: FloatArray) -> FloatArray:
    return sums[:, :1] / sums[:, 1:]


def test_interval_is_t_with_one_degree_of_freedom_less_than_clusters() -> None:
    # The 97.5 % point of t with 4 degrees of freedom is 2.776445 (any table): 1 ± 0.1 · 2.776445.
    result = estimate(1.0, 0.1, n=20, n_clusters=5)
    assert result.low == pytest.approx(0.7223555, abs=1e-6)
    assert result.high == pytest.approx(1.2776445, abs=1e-6)
    # 95 % point with 4 degrees of freedom: 2.131847.
    assert estimate(1.0, 0.1, n=20, n_clusters=5, level=0.9).high == pytest.approx(
        1.2131847, abs=1e-6
    )


def test_one_cluster_says_nothing_about_uncertainty() -> None:
    result = estimate(0.5, 0.0, n=7, n_clusters=1)
    assert result.value == 0.5
    assert all(math.isnan(x) for x in (result.stderr, result.low, result.high))
    assert (nothing().n, nothing().n_clusters) == (0, 0)
    assert math.isnan(nothing().value)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_impossible_levels_are_refused(level: float) -> None:
    with pytest.raises(MetricError, match="level"):
        estimate(0.5, 0.1, n=7, n_clusters=3, level=level)


def test_an_interval_is_cut_to_what_is_possible_and_the_rest_stays() -> None:
    # t(1, .975) = 12.706: 0.5 ± 12.7·0.1 leaves 0 to 1 on both sides.
    wide = estimate(0.5, 0.1, n=4, n_clusters=2)
    cut = bounded(wide, 0.0, 1.0)
    assert (cut.low, cut.high) == (0.0, 1.0)
    assert (cut.value, cut.stderr, cut.n, cut.n_clusters) == (0.5, 0.1, 4, 2)
    assert bounded(wide, -math.inf, 1.0).low == wide.low < 0
    inside = estimate(0.5, 0.001, n=4, n_clusters=200)
    assert bounded(inside, 0.0, 1.0) == inside
    assert math.isnan(bounded(estimate(0.5, 0.1, n=4, n_clusters=1), 0.0, 1.0).low)
    assert bounded(nothing(), 0.0, 1.0).n == 0
    with pytest.raises(MetricError, match="the lower one must come first"):
        bounded(wide, 1.0, 0.0)


def test_cluster_robust_error_by_hand() -> None:
    # x = 1 1 0 | 0 | 1, mean 3/5. Residual sums: 2 - 3·0.6 = 0.2; 0 - 0.6 = -0.6; 1 - 0.6 = 0.4.
    # Squares sum to 0.04 + 0.36 + 0.16 = 0.56; SE = sqrt(3/2 · 0.56) / 5 = sqrt(0.84) / 5 = 0.1833030.
    result = clustered_mean([1, 1, 0, 0, 1], partition(["a", "a", "a", "b", "c"]))
    assert result.value == pytest.approx(0.6)
    assert result.stderr == pytest.approx(0.18330303)
    assert (result.n, result.n_clusters) == (5, 3)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=30))
def test_singleton_clusters_give_the_ordinary_standard_error(values: list[float]) -> None:
    result = clustered_mean(values, partition([str(i) for i in range(len(values))]))
    expected = np.std(values, ddof=1) / math.sqrt(len(values))
    assert result.stderr == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(-8, 8)), min_size=1, max_size=30),
    st.randoms(),
)
def test_order_and_names_of_clusters_do_not_matter(
    rows: list[tuple[int, int]], random: object
) -> None:
    def run(pairs: list[tuple[int, int]], prefix: str) -> tuple[float, float]:
        result = clustered_mean(
            [x for _, x in pairs], partition([f"{prefix}{-c}" for c, _ in pairs])
        )
        return result.value, result.stderr

    assert run(rows, "p") == pytest.approx(run(sorted(rows), "q"), nan_ok=True)


def test_repeating_every_item_within_its_cluster_changes_nothing() -> None:
    # Cluster sums and N both double: the answer knows that the copies bring no information.
    ids, x = ["a", "a", "b", "c"], [1.0, 0.0, 1.0, 0.0]
    once, twice = clustered_mean(x, partition(ids)), clustered_mean(x * 2, partition(ids * 2))
    assert twice.stderr == pytest.approx(once.stderr)


def test_one_cluster_of_items_has_a_mean_without_error() -> None:
    result = clustered_mean([1, 0], partition(["a", "a"]))
    assert result.value == 0.5
    assert math.isnan(result.stderr)


def test_bad_values_are_refused() -> None:
    with pytest.raises(MetricError, match="NaN"):
        clustered_mean([1.0, math.nan], partition(["a", "b"]))
    with pytest.raises(MisalignedInput):
        clustered_mean([1.0], partition(["a", "b"]))


def test_bootstrap_agrees_with_the_formula_on_a_mean() -> None:
    rng = np.random.default_rng(1)
    people = rng.integers(0, 200, 2_000)
    x = rng.normal(size=200)[people] + rng.normal(size=2_000)
    clusters = partition([str(p) for p in people])
    exact = clustered_mean(x, clusters)
    statistics = np.stack([clusters.totals(x), clusters.totals(np.ones(2_000))], axis=1)
    draws = cluster_bootstrap(statistics, ratio, draws=4_000, seed=3)[:, 0]
    result = estimate_from_draws(exact.value, draws, n=2_000, n_clusters=clusters.count)
    assert result.stderr == pytest.approx(exact.stderr, rel=0.05)
    assert draws.mean() == pytest.approx(exact.value, abs=0.01)


def test_same_seed_same_draws_in_any_chunking(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = np.arange(14.0).reshape(7, 2) + 1
    whole = cluster_bootstrap(statistics, ratio, draws=50, seed=5)
    monkeypatch.setattr(uncertainty, "_CHUNK_ENTRIES", 21)
    monkeypatch.setattr(uncertainty, "_KEPT_ENTRIES", 0)
    assert cluster_bootstrap(statistics, ratio, draws=50, seed=5).tobytes() == whole.tobytes()
    assert cluster_bootstrap(statistics, ratio, draws=50, seed=6).tobytes() != whole.tobytes()


def test_every_draw_takes_as_many_clusters_as_there_are() -> None:
    counts = cluster_bootstrap(np.ones((9, 1)), lambda sums: sums, draws=20)
    assert counts.tolist() == [[9.0]] * 20


def test_undefined_draws_are_counted_and_left_out() -> None:
    draws = np.array([1.0, math.nan, 3.0, math.nan])
    assert undefined_share(draws) == 0.5
    # SD of 1 and 3 with ddof = 1 is sqrt(2).
    assert estimate_from_draws(2.0, draws, n=4, n_clusters=4).stderr == pytest.approx(math.sqrt(2))
    assert math.isnan(estimate_from_draws(2.0, draws[:2], n=4, n_clusters=4).stderr)


def test_bad_bootstraps_are_refused() -> None:
    with pytest.raises(EmptyInput, match="clusters"):
        cluster_bootstrap(np.ones((0, 2)), ratio)
    with pytest.raises(MetricError, match="draws"):
        cluster_bootstrap(np.ones((3, 2)), ratio, draws=0)
    with pytest.raises(MetricError, match="shape"):
        cluster_bootstrap(np.ones(3), ratio)
    with pytest.raises(EmptyInput):
        undefined_share(np.ones(0))
