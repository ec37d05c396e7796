from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics import comparison
from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.permutation import sign_flip_test
from otherminds.metrics.power import minimum_detectable_effect
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import cluster_bootstrap, clustered_mean, divided, partition
from otherminds.types import FloatArray

Row = tuple[float, float]


def ratio(sums: FloatArray) -> FloatArray:
    """Of the two sums of each cluster, the first over the second."""
    return divided(sums[:, 0], sums[:, 1])[:, None]


def model(
    rows: Sequence[Row],
    statistic: Callable[[FloatArray], FloatArray] = ratio,
    *,
    names: Sequence[str] | None = None,
    rests_on: FloatArray | None = None,
) -> Sufficient:
    """A model that contributes `rows` (numerator, denominator), on clusters in sorted order."""
    clusters = tuple(names or [f"P{i:03}" for i in range(len(rows))])
    return Sufficient(clusters, np.array(rows, dtype=float), ("score",), statistic, rests_on)


def compared(a: Sufficient, b: Sufficient, **options: int) -> Difference:
    return compare_pair(a, b, **options)["score"]


def means(counts: Sequence[int], right: Sequence[int]) -> list[Row]:
    return [(float(x), float(n)) for n, x in zip(counts, right, strict=True)]


def test_a_mean_by_hand() -> None:
    # Right answers of 2, 2 and 1 items: A 2, 1, 1; B 0, 1, 0. Differences 2, 0, 1 of 5 items.
    # Swaps: |±2 ±1| is 3, 1, 1, 3, so 2 of 4 are at least as large as the observed 3.
    found = compared(model([(2, 2), (1, 2), (1, 1)]), model([(0, 2), (1, 2), (0, 1)]))
    assert (found.a, found.b) == (0.8, 0.2)
    assert found.difference.value == pytest.approx(0.6)
    assert (found.p_value, found.swap_patterns, found.exact) == (0.5, 4, True)
    assert (found.undefined_draws, found.undefined_swaps) == (0, 0)
    assert (found.difference.n, found.difference.n_clusters) == (3, 3)
    # 97.5 % point of t with 2 degrees of freedom: 4.302653.
    half = found.difference.high - found.difference.value
    assert half == pytest.approx(4.302653 * found.difference.stderr)
    assert found.mde == minimum_detectable_effect(found.difference.stderr, 3)


def test_a_ratio_by_hand() -> None:
    # Denominators travel with their model, as answers that only one of them gave do.
    # A (1,1) (1,1) (2,2): 4/4; B (0,1) (1,2) (1,1): 2/4. Observed ½. With the first cluster kept:
    #   second swapped  A* (1+1+2)/(1+2+2) = 4/5   B* (0+1+1)/(1+1+1) = 2/3   apart 2/15
    #   third swapped   A* 3/3 = 1                 B* (0+1+2)/(1+2+2) = 3/5   apart 2/5
    #   both swapped    A* (1+1+1)/(1+2+1) = 3/4   B* (0+1+2)/(1+1+2) = 3/4   apart 0
    # None of them reaches ½ except the observed one (and its mirror image): 1 of 4.
    found = compared(model([(1, 1), (1, 1), (2, 2)]), model([(0, 1), (1, 2), (1, 1)]))
    assert found.difference.value == 0.5
    assert (found.p_value, found.swap_patterns) == (0.25, 8)


@given(
    st.lists(
        st.integers(1, 4).flatmap(
            lambda n: st.tuples(st.just(n), st.integers(-n, n), st.integers(-n, n))
        ),
        min_size=1,
        max_size=9,
    )
)
def test_for_a_mean_over_fixed_items_it_is_the_sign_flip_test(
    rows: list[tuple[int, int, int]],
) -> None:
    counts, first, second = zip(*rows, strict=True)
    expected = sign_flip_test([x - y for _, x, y in rows])
    found = compared(model(means(counts, first)), model(means(counts, second)), draws=2)
    assert found.p_value == expected.p_value
    assert (found.exact, found.swap_patterns) == (expected.exact, expected.patterns)
    # Tenths are not exact in binary; the ties must survive.
    tenths = [
        model([(x / 10, n) for n, x in zip(counts, side, strict=True)]) for side in (first, second)
    ]
    assert compared(*tenths, draws=2).p_value == expected.p_value


def test_drawn_swaps_approach_the_sign_flip_test() -> None:
    rng = np.random.default_rng(4)
    first = rng.integers(0, 8, 40)
    second = np.clip(first - rng.integers(-2, 4, 40), 0, 8)
    expected = sign_flip_test(first - second)
    found = compared(model(means([8] * 40, first)), model(means([8] * 40, second)), draws=2)
    assert 0.001 < expected.p_value < 0.2
    assert (found.exact, found.swap_patterns) == (False, 10_000)
    # Both shares are of 9,999 patterns: 5 standard errors of a share of 0.1 are 0.015.
    assert found.p_value == pytest.approx(expected.p_value, abs=0.015)


def test_clusters_that_agree_decide_nothing() -> None:
    # 30 further clusters on which the models have the same sums: still all of 2^2 patterns.
    same = [(1.0, 2.0)] * 30
    a, b = [(2.0, 2.0), (1.0, 1.0)], [(0.0, 2.0), (0.0, 1.0)]
    found = compared(model(a + same), model(b + same), draws=2)
    assert (found.p_value, found.swap_patterns, found.exact) == (0.5, 4, True)


def test_the_standard_error_is_that_of_the_paired_differences() -> None:
    # On fixed items the difference of two means is the mean of the differences, which has a formula.
    rng = np.random.default_rng(1)
    people = partition([f"P{i % 120:03}" for i in range(1_200)])
    shared = rng.normal(size=120)[people.codes]
    x, y = (shared + rng.normal(size=1_200) > 0 for _ in range(2))
    counts = people.totals(np.ones(1_200))
    a, b = (
        model(list(zip(people.totals(v), counts, strict=True)), names=people.labels) for v in (x, y)
    )
    exact = clustered_mean(x.astype(float) - y, people)
    found = compared(a, b, draws=4_000, swaps=9).difference
    assert found.value == pytest.approx(exact.value)
    assert found.stderr == pytest.approx(exact.stderr, rel=0.05)
    # Both models get the same people in every draw, those that each alone would get with this seed.
    alone = [cluster_bootstrap(one.sums, ratio, draws=4_000) for one in (a, b)]
    assert found.stderr == pytest.approx(np.std(alone[0] - alone[1], ddof=1))
    # What the models share cancels: unpaired, the error would be larger.
    assert found.stderr < 0.8 * math.hypot(*(np.std(draws, ddof=1) for draws in alone))


def rows(size: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=size, max_size=size)


pairs = st.integers(1, 16).flatmap(lambda size: st.tuples(rows(size), rows(size)))


@settings(deadline=None)
@given(pairs)
def test_exchanging_the_models_turns_the_sign_and_nothing_else(
    pair: tuple[list[Row], list[Row]],
) -> None:
    a, b = map(model, pair)
    # 99 swaps: the longer lists are drawn, the shorter ones enumerated.
    there, back = compared(a, b, draws=50, swaps=99), compared(b, a, draws=50, swaps=99)
    assert back.difference.value == -there.difference.value
    assert back.p_value == there.p_value
    for one, other in [
        (back.difference.stderr, there.difference.stderr),
        (back.difference.low, -there.difference.high),
        (back.mde, there.mde),
    ]:
        assert one == other or (math.isnan(one) and math.isnan(other))


@settings(deadline=None)
@given(pairs, st.randoms(use_true_random=False))
def test_names_and_order_of_clusters_do_not_matter(
    pair: tuple[list[Row], list[Row]], random: object
) -> None:
    order = list(range(len(pair[0])))
    random.shuffle(order)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    moved = [[side[i] for i in order] for side in pair]
    first = compared(*map(model, pair), draws=50, swaps=99)
    second = compared(*map(model, moved), draws=50, swaps=99)
    assert second.difference.value == pytest.approx(first.difference.value)
    assert second.p_value == first.p_value


@settings(deadline=None)
@given(pairs, st.integers(-9, 9), st.sampled_from([-4.0, 0.5, 2.0, 100.0]))
def test_adding_a_constant_and_scaling(
    pair: tuple[list[Row], list[Row]], constant: int, scale: float
) -> None:
    def moved(sums: FloatArray) -> FloatArray:
        return constant + scale * ratio(sums)

    plain = compared(*map(model, pair), draws=50, swaps=99)
    changed = compared(*(model(side, moved) for side in pair), draws=50, swaps=99)
    assert changed.difference.value == pytest.approx(scale * plain.difference.value, abs=1e-9)
    assert changed.difference.stderr == pytest.approx(
        abs(scale) * plain.difference.stderr, abs=1e-9, nan_ok=True
    )
    assert changed.p_value == plain.p_value


def test_a_model_does_not_differ_from_its_copy() -> None:
    one = model([(i % 3, 2) for i in range(20)])
    found = compared(one, one)
    assert (found.difference.value, found.difference.stderr, found.p_value) == (0, 0, 1)
    # Nothing varied, so nothing is known about what could be detected.
    assert math.isnan(found.mde)


def test_two_copies_of_the_clusters_bring_the_error_of_twice_as_many() -> None:
    rng = np.random.default_rng(3)
    a, b = (means([4] * 60, rng.integers(0, 5, 60).tolist()) for _ in range(2))
    once, twice = compared(model(a), model(b)), compared(model(a * 2), model(b * 2))
    assert once.difference.stderr / twice.difference.stderr == pytest.approx(math.sqrt(2), rel=0.08)
    assert once.mde > twice.mde


def test_a_metric_undefined_in_one_model_is_not_compared() -> None:
    def both(sums: FloatArray) -> FloatArray:
        return np.hstack([ratio(sums), sums[:, :1]])

    a, b = (
        Sufficient(("P", "Q"), np.array(rows, dtype=float), ("ratio", "sum"), both)
        for rows in ([(1, 1), (0, 2)], [(3, 0), (2, 0)])
    )
    found = compare_pair(a, b)
    undefined, defined = found["ratio"], found["sum"]
    assert undefined.a == pytest.approx(1 / 3)
    assert (undefined.difference.n, undefined.difference.n_clusters) == (0, 0)
    for number in (undefined.b, undefined.difference.value, undefined.difference.stderr):
        assert math.isnan(number)
    assert math.isnan(undefined.p_value)
    assert math.isnan(undefined.mde)
    # Sums 1, 0 and 3, 2: differences -2, -2; |sums| 4 and 0.
    assert (defined.difference.value, defined.p_value) == (-4, 0.5)


def test_undefined_swaps_count_as_extreme() -> None:
    # A has answers in P alone, B in Q alone. Kept: 1 against 0. Swapped in Q: A* has both, B* none.
    found = compared(model([(1, 1), (0, 0)]), model([(0, 0), (0, 1)]))
    assert (found.difference.value, found.p_value, found.undefined_swaps) == (1, 1, 0.5)
    # A draw of P twice or Q twice leaves one of them without a value: half of the draws.
    assert found.undefined_draws == pytest.approx(0.5, abs=0.05)
    assert math.isnan(found.difference.stderr)
    assert math.isnan(found.mde)


def test_few_undefined_draws_are_left_out() -> None:
    # Five of ten clusters have answers: a draw misses them all with probability 2^-10.
    a, b = ([(float(x), 1.0) for x in side] + [(0.0, 0.0)] * 5 for side in ("01011", "10001"))
    found = compared(model(a), model(b))
    assert 0 < found.undefined_draws < 0.01
    assert found.difference.stderr > 0


def test_n_is_the_smaller_of_the_two_models() -> None:
    # P: 3 and 1 items, Q: 2 and 2, R: 0 and 5. So 1 + 2 + 0 items of two clusters.
    a = model([(1, 3), (1, 2), (0, 0)], rests_on=np.array([[3.0], [2.0], [0.0]]))
    b = model([(1, 1), (0, 2), (2, 5)], rests_on=np.array([[1.0], [2.0], [5.0]]))
    found = compared(a, b).difference
    assert (found.n, found.n_clusters) == (3, 2)
    # 97.5 % point of t with 1 degree of freedom: 12.706205.
    assert found.high - found.value == pytest.approx(12.706205 * found.stderr)


def test_one_cluster_says_nothing() -> None:
    found = compared(model([(1, 1)]), model([(0, 1)]))
    assert (found.difference.value, found.p_value) == (1, 1)
    assert math.isnan(found.difference.stderr)
    assert math.isnan(found.mde)


def test_same_seed_same_result_in_any_chunking(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    a, b = (model(means([4] * 30, rng.integers(0, 5, 30).tolist())) for _ in range(2))
    whole = compare_pair(a, b, draws=80, swaps=200)
    monkeypatch.setattr("otherminds.metrics.permutation._CHUNK_ENTRIES", 100)
    monkeypatch.setattr("otherminds.metrics.uncertainty._CHUNK_ENTRIES", 100)
    monkeypatch.setattr("otherminds.metrics.uncertainty._KEPT_ENTRIES", 0)
    assert compare_pair(a, b, draws=80, swaps=200) == whole
    other = compare_pair(a, b, draws=80, swaps=200, seed=1)
    assert other["score"].difference.stderr != whole["score"].difference.stderr


def test_what_is_not_comparable_is_refused() -> None:
    one = model([(1, 2), (0, 1)])
    with pytest.raises(
        MisalignedInput, match="2 clusters are in one of the two only, such as 'P000'"
    ):
        compare_pair(one, model([(1, 2), (0, 1)], names=["P001", "P002"]))
    renamed = Sufficient(one.clusters, one.sums, ("other",), ratio)
    with pytest.raises(MisalignedInput, match="same metrics"):
        compare_pair(one, renamed)
    with pytest.raises(MisalignedInput, match="number of runs"):
        compare_pair(one, Sufficient(one.clusters, np.ones((2, 4)), ("score",), ratio))
    with pytest.raises(MisalignedInput, match="different metrics"):
        compare_pair(one, model([(1, 2), (0, 1)], lambda sums: 2 * ratio(sums)))
    for options in ({"draws": 0}, {"swaps": 0}):
        with pytest.raises(MetricError, match="at least 1"):
            compare_pair(one, one, **options)


def test_sufficient_statistics_are_checked() -> None:
    sums, names = np.ones((2, 2)), ("P", "Q")
    for clusters, metrics in [((), ("score",)), (names, ())]:
        with pytest.raises(EmptyInput):
            Sufficient(clusters, sums, metrics, ratio)
    for clusters in [("Q", "P"), ("P", "P")]:
        with pytest.raises(MisalignedInput, match="sorted"):
            Sufficient(clusters, sums, ("score",), ratio)
    with pytest.raises(MisalignedInput, match="twice"):
        Sufficient(names, sums, ("score", "score"), ratio)
    for wrong in (np.ones(2), np.ones((3, 2)), np.ones((2, 0))):
        with pytest.raises(MisalignedInput, match="one row per cluster"):
            Sufficient(names, wrong, ("score",), ratio)
    with pytest.raises(MetricError, match="NaN"):
        Sufficient(names, sums * math.nan, ("score",), ratio)
    with pytest.raises(MisalignedInput, match="rests_on"):
        Sufficient(names, sums, ("score",), ratio, np.ones((2, 2)))
    for items in (-1.0, math.nan):
        with pytest.raises(MetricError, match="negative or NaN"):
            Sufficient(names, sums, ("score",), ratio, np.full((2, 1), items))
    with pytest.raises(MisalignedInput, match="returned shape"):
        Sufficient(names, sums, ("score",), lambda flat: flat).point()


def test_values_are_those_of_all_clusters_together() -> None:
    assert model([(1, 2), (2, 3)]).values() == {"score": 0.6}
    assert math.isnan(model([(1, 0)]).values()["score"])


def test_rounding_cannot_make_p_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    # A statistic that is worse than the tolerance: the observed pattern still counts as one.
    a, b = model([(1, 1), (1, 1)]), model([(0, 1), (0, 1)])
    monkeypatch.setattr(comparison, "TIE", -1.0)
    assert compared(a, b).p_value == 0.5
