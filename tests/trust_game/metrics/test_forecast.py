from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust_game import Forecast, forecast_errors, summarize_forecasts


def one(
    persona: str, archetype: str, number: int, forecast: float | None, actual: float | None
) -> Forecast:
    return Forecast(persona, archetype, number, (forecast,), (actual,))


def small() -> list[Forecast]:
    """Errors: p M1 0 and 1, p M3 2 and unread; q M1 3 and 4, q M3 unread twice over and 1."""
    return [
        one("p", "M1", 1, 5, 5),
        one("p", "M1", 2, 5, 4),
        one("p", "M3", 1, 1, 3),
        one("p", "M3", 2, None, 3),
        one("q", "M1", 1, 6, 3),
        one("q", "M1", 2, 4, 8),
        one("q", "M3", 1, None, None),
        one("q", "M3", 2, 2.5, 3.5),
    ]


def test_by_hand() -> None:
    found = forecast_errors(small())
    # Errors 0 1 2 (p) and 3 4 1 (q): mean 11/6. Residual sums of the personas: 3 - 5.5 = -2.5 and 2.5;
    # SE = sqrt(2/1 · 2 · 2.5²)/6 = 5/6.
    assert found.overall.value == pytest.approx(11 / 6)
    assert found.overall.stderr == pytest.approx(5 / 6)
    assert (found.overall.n, found.overall.n_clusters) == (6, 2)
    assert {name: part.value for name, part in found.by_archetype.items()} == {
        "M1": pytest.approx(2),
        "M3": pytest.approx(1.5),
    }
    assert {number: part.value for number, part in found.by_round.items()} == {
        1: pytest.approx(5 / 3),
        2: pytest.approx(2),
    }
    # With two rounds the slope is the difference of their means: 2 - 5/3.
    assert found.slope.value == pytest.approx(1 / 3)
    assert found.by_both["M3", 2].value == 1
    assert math.isnan(found.by_both["M3", 2].stderr)  # one persona
    assert (found.n_pairs, found.n_left_out) == (6, 2)
    assert (found.n_without_forecast, found.n_without_send) == (2, 1)


def test_names_of_the_summary() -> None:
    found = summarize_forecasts(small(), draws=50)
    assert list(found.estimates) == [
        *("mae", "mae_slope", "mae_M1", "mae_M3", "mae_round1", "mae_round2"),
        *("parse_rate", "parse_rate_forecast"),
    ]
    assert found["parse_rate"].value == pytest.approx(7 / 8)
    assert found["parse_rate_forecast"].value == pytest.approx(6 / 8)
    assert dict(found.counts) == {
        "n_personas": 2,
        "n_pairs": 6,
        "n_left_out": 2,
        "n_without_forecast": 2,
        "n_without_send": 1,
    }
    assert (found.runs, found.draws) == (1, 50)


def test_runs_are_averaged_and_paired_by_run() -> None:
    # Run 1: errors 1 and 3; run 2: error 2 alone. MAE (2 + 2)/2.
    found = forecast_errors(
        [
            Forecast("p", "M1", 1, (1, 2), (2, 4)),
            Forecast("q", "M1", 1, (0, 5), (3, None)),
        ]
    )
    assert (found.overall.value, found.overall.n) == (2, 1.5)
    assert (found.n_pairs, found.n_left_out, found.n_without_send) == (1.5, 0.5, 0.5)


def test_the_slope_is_that_of_least_squares() -> None:
    rng = np.random.default_rng(4)
    items = [
        one(f"p{i}", name, r, float(rng.integers(0, 11)), float(rng.integers(0, 11)))
        for i in range(12)
        for name in ("M1", "M5")
        for r in range(1, 7)
        if rng.random() < 0.8
    ]
    errors = [abs(float(f.forecast[0] or 0) - float(f.actual[0] or 0)) for f in items]
    expected = np.polyfit([f.round for f in items], errors, 1)[0]
    assert forecast_errors(items, draws=10).slope.value == pytest.approx(expected)


def test_the_bootstrap_of_the_slope_has_the_right_size() -> None:
    # Errors 1 + b_i·round: every persona's own slope is b_i and the pooled one their mean, whose
    # standard error is SD/sqrt(G).
    own = np.random.default_rng(8).normal(0.5, 0.1, 200)
    found = forecast_errors(
        [one(f"p{i}", "M1", r, 1 + float(b) * r, 0) for i, b in enumerate(own) for r in range(1, 7)]
    ).slope
    assert found.value == pytest.approx(own.mean())
    assert found.stderr == pytest.approx(own.std(ddof=1) / math.sqrt(200), rel=0.06)
    assert (found.n, found.n_clusters) == (1_200, 200)


def test_one_round_has_no_slope() -> None:
    found = forecast_errors([one("p", "M1", 3, 1, 2), one("q", "M1", 3, 1, 2)])
    assert math.isnan(found.slope.value)
    assert math.isnan(found.slope.stderr)


def test_nothing_read() -> None:
    found = summarize_forecasts([one("p", "M1", 1, None, 3), one("p", "M1", 2, 3, None)])
    for name in ("mae", "mae_slope", "mae_M1", "mae_round1", "mae_round2"):
        assert math.isnan(found[name].value)
        assert (found[name].n, found[name].n_clusters) == (0, 0)
    assert found["parse_rate"].value == 0.5
    assert (found.counts["n_pairs"], found.counts["n_left_out"]) == (0, 2)


def test_perfect_forecasts() -> None:
    found = summarize_forecasts(
        [one(f"p{i}", "M1", r, i, i) for i in range(5) for r in range(1, 7)]
    )
    assert [found[name].value for name in ("mae", "mae_slope", "mae_round6")] == [0, 0, 0]
    assert found["mae"].stderr == 0


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_order_does_not_matter(shuffler: random.Random) -> None:
    items = small()
    shuffler.shuffle(items)
    assert summarize_forecasts(items, draws=20) == summarize_forecasts(small(), draws=20)


@pytest.mark.parametrize(
    ("items", "error", "says"),
    [
        ([], EmptyInput, "No forecasts"),
        ([one("p", "M1", 1, 1, 1)] * 2, MisalignedInput, "given twice"),
        ([one("p", "M1", 0, 1, 1)], MetricError, "count from 1"),
        ([one("p", "M1", 1, -1, 1)], MetricError, "not an amount"),
        ([one("p", "M1", 1, 1, math.nan)], MetricError, "not an amount"),
        ([one("p", "M1", 1, True, 1)], MetricError, "not an amount"),
        ([one("p", "M1", 1, 1, 1e12)], MetricError, "not an amount"),
        ([Forecast("p", "M1", 1, (1, 2), (1,))], MisalignedInput, "one of each"),
        ([Forecast("p", "M1", 1, (), ())], MisalignedInput, "one of each"),
    ],
)
def test_bad_input(items: list[Forecast], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        forecast_errors(items)
