from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.krippendorff import Level, krippendorff_alpha
from otherminds.metrics.uncertainty import Clusters, partition
from otherminds.types import FloatArray

NAN = math.nan

LEVELS: tuple[Level, ...] = ("nominal", "interval")

tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([NAN, 0, 1, 2, 5]), min_size=raters, max_size=raters),
        min_size=1,
        max_size=12,
    )
)


def singles(n: int) -> Clusters:
    return partition([f"u{i:04}" for i in range(n)])


def alpha(ratings: object, level: Level = "interval") -> float:
    table = np.asarray(ratings, dtype=np.float64)
    return krippendorff_alpha(table, singles(len(table)), level=level, draws=2).value


def slow_alpha(table: FloatArray, level: Level) -> float:
    """From the pairs of ratings one by one."""

    def apart(a: float, b: float) -> float:
        return (a - b) ** 2 if level == "interval" else float(a != b)

    units = [row[~np.isnan(row)] for row in table]
    units = [row for row in units if len(row) > 1]
    everything = np.concatenate(units)
    n = len(everything)
    observed = sum(
        apart(a, b) / (len(row) - 1)
        for row in units
        for i, a in enumerate(row)
        for j, b in enumerate(row)
        if i != j
    )
    # A rating is not apart from itself, so that the pairs of one with itself may stay in.
    expected = sum(apart(a, b) for a in everything for b in everything)
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else NAN


def test_alpha_by_hand() -> None:
    # Four units, eight ratings: 0 0, 0 0, 1 1, 0 1. Σ (a-b)² over ordered pairs within units is 2, so
    # D_o = 2/8. Five 0 and three 1: D_e = 2·5·3/(8·7) = 30/56. α = 1 - (1/4)·(56/30) = 8/15.
    table = [[0, 0], [0, 0], [1, 1], [0, 1]]
    for level in LEVELS:
        assert alpha(table, level) == pytest.approx(8 / 15)
    # Unit 1 has pairs 2·(1² + 3² + 2²)/2 = 14 and unit 2 none: D_o = 14/5. Ratings 0, 1, 3, 3, 3:
    # n Σx² - (Σx)² = 5·28 - 100 = 40, D_e = 2·40/20 = 4. α = 1 - 14/20.
    assert alpha([[0, 1, 3], [3, NAN, 3]]) == pytest.approx(0.3)


@pytest.mark.parametrize("level", LEVELS)
@given(table=tables)
def test_alpha_equals_its_slow_definition(level: Level, table: list[list[float]]) -> None:
    x = np.array(table, dtype=np.float64)
    if np.count_nonzero(~np.isnan(x), axis=1).max() < 2:
        with pytest.raises(EmptyInput):
            alpha(x, level)
    else:
        assert alpha(x, level) == pytest.approx(slow_alpha(x, level), abs=1e-9, nan_ok=True)


# The example of Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C to E:
# twelve units, four observers.
EXAMPLE = [
    [1, 1, NAN, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [NAN, 5, 5, 5],
    [NAN, NAN, 1, 1],
    [NAN, 3, NAN, NAN],
]


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("interval", 0.849)])
def test_alpha_is_the_published_one(level: Level, published: float) -> None:
    assert alpha(EXAMPLE, level) == pytest.approx(published, abs=5e-4)


@given(tables, st.integers(-10_000, 10_000), st.integers(1, 9))
def test_alpha_does_not_depend_on_origin_and_unit(
    table: list[list[float]], origin: int, unit: int
) -> None:
    x = np.array(table, dtype=np.float64)
    if np.count_nonzero(~np.isnan(x), axis=1).max() > 1:
        assert alpha(origin + unit * x) == pytest.approx(alpha(x), abs=1e-9, nan_ok=True)
        assert alpha(-x, "nominal") == pytest.approx(alpha(x, "nominal"), nan_ok=True)


def test_identity_opposition_and_nothing_to_tell() -> None:
    assert alpha([[1, 1], [2, 2], [5, 5]]) == 1
    assert alpha([[0, 1], [1, 0]]) < 0
    assert math.isnan(alpha([[1, 1], [1, 1]]))
    assert math.isnan(alpha([[1, 1], [1, 1]], "nominal"))


def test_units_that_only_one_rated_say_nothing() -> None:
    table = [[0, 0], [1, 1], [0, 1]]
    more = [*table, [9, NAN], [NAN, NAN]]
    found = krippendorff_alpha(more, singles(5), draws=50, seed=3)
    assert found == krippendorff_alpha(table, singles(3), draws=50, seed=3)
    assert (found.n, found.n_clusters) == (3, 3)


def test_the_bootstrap_is_one_of_whole_clusters() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 6, size=120)
    table = np.stack([truth, np.clip(truth + rng.integers(-1, 2, size=120), 0, 5)], axis=1)
    names = [f"c{i // 4:02}" for i in range(120)]
    found = krippendorff_alpha(table, partition(names), draws=800, seed=1)
    assert found.n_clusters == 30
    # Resampled anew, cluster by cluster, with the ratings themselves.
    draws = []
    for _ in range(300):
        chosen = rng.integers(0, 30, size=30)
        rows = np.concatenate([np.arange(4 * c, 4 * c + 4) for c in chosen])
        draws.append(alpha(table[rows]))
    assert found.stderr == pytest.approx(np.std(draws, ddof=1), rel=0.2)


@pytest.mark.parametrize("shape", [(3,), (3, 1), (2, 2)])
def test_shapes_that_do_not_fit(shape: tuple[int, ...]) -> None:
    with pytest.raises(MisalignedInput):
        krippendorff_alpha(np.zeros(shape), singles(3))


def test_an_infinite_rating_is_refused() -> None:
    with pytest.raises(MetricError, match="infinite"):
        alpha([[0, math.inf], [1, 1]])
