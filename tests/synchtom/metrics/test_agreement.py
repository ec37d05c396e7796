"""Agreement of judges, by hand and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.synchtom import DIMENSIONS, Rated, agreement

BELIEF, PROFILE, SOLUTION = DIMENSIONS

BY_HAND = [
    Rated("1", "a", BELIEF, (1, 1, 0), (1, 1, 1)),
    Rated("1", "a", PROFILE, (0, 1), (0, 1)),
    Rated("2", "b", BELIEF, (0, 0), (1, 1)),
    Rated("2", "b", PROFILE, (1, 1), (1, 1)),
]


def simulated(n: int, error: float, seed: int) -> list[Rated]:
    """Raters who each turn the truth round with probability `error`."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(n):
        for dimension in DIMENSIONS:
            truth = rng.random(int(rng.integers(2, 8))) < 0.5
            first, second = (truth ^ (rng.random(truth.size) < error) for _ in range(2))
            verdicts = (tuple(int(v) for v in one) for one in (first, second))
            found.append(Rated(f"answer {number}", f"i{number:03}", dimension, *verdicts))
    return found


def test_agreement_by_hand() -> None:
    found = agreement(BY_HAND, draws=50)
    # Counts 2 3, 1 1, 0 2, 2 2: two equal, three within one.
    assert found["exact"].value == 0.5
    assert found["within_one"].value == 0.75
    # First 0 1 2 2, second 1 2 2 3. p_e = (1·1 for "1" + 2·2 for "2")/16 = 5/16.
    assert found["kappa"].value == pytest.approx((8 / 16 - 5 / 16) / (11 / 16))
    # Σ(a-b)² = 1 + 4 = 5; Σa = 5, Σb = 8, squares 9 + 18 = 27; expected 27 - 2·40/4 = 7.
    assert found["quadratic_kappa"].value == pytest.approx(1 - 5 / 7)
    # n Σx² - (Σx)² = 8·27 - 169 = 47; α = 1 - 7·5/47.
    assert found["alpha"].value == pytest.approx(1 - 35 / 47)
    # Of nine criteria six are equal; first has five 1 and second eight.
    assert found["criterion_exact"].value == pytest.approx(6 / 9)
    by_chance = (5 * 8 + 4 * 1) / 81
    assert found["criterion_kappa"].value == pytest.approx((6 / 9 - by_chance) / (1 - by_chance))
    # D_o = 6/18; 13 of 18 verdicts are 1: D_e = 2·13·5/(18·17).
    assert found["criterion_alpha"].value == pytest.approx(1 - (6 / 18) / (130 / 306))
    assert found.counts.labels == (0, 1, 2, 3)
    assert found.counts.counts.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]
    assert found.verdicts.counts.tolist() == [[1, 3], [0, 5]]
    assert (found["exact"].n, found["exact"].n_clusters) == (4, 2)
    assert (found["criterion_alpha"].n, found["criterion_alpha"].n_clusters) == (9, 2)
    assert list(found.by_dimension) == [BELIEF, PROFILE]
    assert found.by_dimension[PROFILE]["exact"].value == 1
    assert found.by_dimension[BELIEF]["within_one"].value == 0.5


def test_a_rater_agrees_with_itself_and_order_does_not_matter() -> None:
    rated = [one._replace(second=one.first) for one in simulated(30, 0.2, 1)]
    found = agreement(rated, draws=100)
    assert {name: one.value for name, one in found.estimates.items()} == pytest.approx(
        dict.fromkeys(found.estimates, 1.0)
    )
    other = simulated(30, 0.2, 1)
    assert agreement(other, draws=100).estimates == agreement(other[::-1], draws=100).estimates


def test_agreement_falls_with_noise_and_is_nothing_for_coins() -> None:
    alphas = [agreement(simulated(150, error, 2), draws=200)["alpha"] for error in (0.05, 0.2, 0.5)]
    assert [one.value for one in alphas] == sorted((one.value for one in alphas), reverse=True)
    coins = agreement(simulated(150, 0.5, 3), draws=200)["criterion_alpha"]
    assert coins.low < 0 < coins.high
    # Two raters with error e agree on a criterion with probability 1 - 2e(1 - e), and α of fair coins is
    # twice that minus 1: for e = 0.2 it is 0.36.
    found = agreement(simulated(150, 0.2, 4), draws=200)["criterion_alpha"]
    assert found.low < 0.36 < found.high


def test_raters_without_variation_have_no_coefficient() -> None:
    rated = [Rated(str(n), str(n), SOLUTION, (1, 1), (1, 1)) for n in range(5)]
    found = agreement(rated, draws=20)
    assert found["exact"].value == 1
    for name in ("kappa", "quadratic_kappa", "alpha", "criterion_kappa", "criterion_alpha"):
        assert math.isnan(found[name].value)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"answer_id": "1"}, MisalignedInput, "given twice"),
        ({"dimension": "belief"}, MetricError, "the dimensions are"),
        ({"second": (1,)}, MisalignedInput, "2 and 1 verdicts"),
        ({"first": (), "second": ()}, MetricError, "no verdicts"),
        ({"second": (1, 2)}, MetricError, "neither 0 nor 1"),
    ],
)
def test_ratings_that_cannot_be_compared(
    change: dict[str, object], error: type[Exception], message: str
) -> None:
    rated = [*BY_HAND[:2], BY_HAND[2]._replace(**change)]
    with pytest.raises(error, match=message):
        agreement(rated)


def test_no_ratings() -> None:
    with pytest.raises(EmptyInput):
        agreement([])
