from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.hugagent import (
    METRICS,
    PAPER,
    RELEASE,
    Item,
    Protocol,
    constant_scores,
    summarize,
    uniform_scores,
)


def test_uniform_by_hand(make: Any) -> None:
    # Letters: ½ and, for A/B, 0 or 1.
    # Reason with gold 1: 1, 2 of five are within 1: 2/5; mean |v - 1| = 2. Gold 0: only 1: 1/5; mean 3.
    # Opinions with gold 5 and 8 and 5: 3..7 5/10, 6..10 5/10; mean |v - 5| = 2.5, |v - 8| = 3.1, halved.
    items = [
        make.bsi("a", "P", "A"),
        make.bsi("b", "P", "A/B"),
        make.reason("c", "P", 1),
        make.reason("d", "P", 0),
        make.opinion("e", "P", "1.1", 5),
        make.opinion("f", "P", "1.2", 8),
        make.opinion("g", "P", "1.3", 5),
    ]
    scores = uniform_scores(items)
    assert scores["bsi_acc"] == 0.25
    assert uniform_scores(items, protocol=RELEASE)["bsi_acc"] == 0.75
    assert scores["bdu_acc"] == pytest.approx((0.4 + 0.2 + 0.5 + 0.5 + 0.5) / 5)
    assert scores["bdu_mae"] == pytest.approx((2 + 3 + 1.25 + 1.55 + 1.25) / 5)
    # Δ = +3 and 0: the model changes with probability 9/10, and agrees with 9/10 and 1/10.
    assert scores["bdu_change"] == pytest.approx(0.5)
    # One pair can show a direction; it does so with probability 9/10, and is right half of the time.
    assert scores["bdu_direction"] == pytest.approx(0.45)
    assert scores["bdu_dir"] == pytest.approx(0.3 * 0.5 + 0.7 * 0.45)
    assert scores["parse_rate"] == 1


def test_constant_by_hand(make: Any) -> None:
    items = [
        make.bsi("a", "P", "A"),
        make.bsi("b", "P", "B"),
        make.opinion("c", "P", "1.1", 5),
        make.opinion("d", "P", "1.2", 2),
        make.opinion("e", "P", "1.3", 5),
    ]
    scores = constant_scores(items)
    assert scores["bsi_acc"] == 0.5
    assert scores["bdu_acc"] == pytest.approx(1 / 3)
    assert scores["bdu_mae"] == pytest.approx((2 + 0.5 + 2) / 3)
    assert (scores["bdu_change"], scores["bdu_direction"]) == (0.5, 0)
    assert constant_scores(items, letter="B", number=5)["bdu_mae"] == pytest.approx(0.5)


def test_what_is_not_asked_has_no_chance_level(make: Any) -> None:
    for scores in (
        uniform_scores([make.bsi("a", "P", "A")]),
        constant_scores([make.bsi("a", "P", "A")]),
    ):
        assert {name for name in METRICS if not math.isnan(scores[name])} == {
            "parse_rate",
            "bsi_acc",
        }
    with pytest.raises(EmptyInput):
        uniform_scores([])


def random_answers(items: list[Item], runs: int) -> list[Item]:
    rng = np.random.default_rng(11)
    return [
        item._replace(
            answers=tuple(str(x) for x in rng.choice(["A", "B"], runs))
            if item.task == "bsi"
            else tuple(int(x) for x in rng.integers(item.low, item.high + 1, runs))
        )
        for item in items
    ]


def assert_close_to_simulation(items: list[Item], protocol: Protocol, runs: int) -> None:
    expected = uniform_scores(items, protocol=protocol)
    simulated = summarize(random_answers(items, runs), protocol=protocol, draws=2)
    # About five standard errors of the simulation.
    wide = {"composite": 0.5, "ati": 1.3}
    for name in METRICS:
        assert simulated[name].value == pytest.approx(expected[name], abs=wide.get(name, 0.025)), (
            name
        )


def test_uniform_agrees_with_simulation(make: Any) -> None:
    assert_close_to_simulation(make.population(8, seed=4), PAPER, runs=3_000)
    # Few pairs, so that "nobody changed together" is not negligible.
    assert_close_to_simulation(make.population(1, seed=4), PAPER, runs=3_000)


@pytest.mark.parametrize("protocol", [PAPER, RELEASE])
def test_uniform_agrees_with_simulation_on_the_public_items(
    published: Callable[[str], list[Item]], protocol: Protocol
) -> None:
    assert_close_to_simulation(published("gpt-5.1"), protocol, runs=100)
