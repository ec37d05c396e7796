"""Scores of distributions over options: by hand, and what is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics import MisalignedInput
from otherminds.metrics.hugagent import Item
from otherminds.metrics.hugagent.distributions import summarize_distributions


def bsi(person: str, gold: str, topic: str = "zoning", number: int = 0) -> Item:
    return Item(f"{person}-{topic}-{number}", person, topic, "bsi", "", "", 0, 0, gold, (None,))


def bdu(person: str, gold: str, topic: str = "zoning") -> Item:
    name = f"{person}-{topic}-bdu"
    return Item(name, person, topic, "bdu", "1.1", "opinion", 1, 10, gold, (None,))


def test_two_items_by_hand() -> None:
    items = [bsi("P1", "A"), bsi("P2", "B")]
    p = [np.array([0.8, 0.2]), np.array([0.6, 0.4])]
    found = summarize_distributions(items, p)
    # Brier: (0.2² + 0.2²) = 0.08 and (0.6² + 0.6²) = 0.72; mean 0.40.
    assert found["brier"].value == pytest.approx(0.40)
    # 0.8 is right (gap 0.2), 0.6 is wrong (gap -0.6), in bins of their own: (0.2 + 0.6) / 2 = 0.4.
    assert found["ece"].value == pytest.approx(0.4)
    assert found["ece"].n == 2
    assert math.isnan(found["bdu_mae_expected"].value)
    assert found["bdu_mae_expected"].n == 0


def test_the_expected_value_is_compared_on_the_five_point_scale() -> None:
    uniform = np.full(10, 0.1)  # expected value 5.5
    found = summarize_distributions([bdu("P1", "9"), bdu("P2", "5")], [uniform, uniform])
    # |5.5 - 9| / 2 = 1.75 and |5.5 - 5| / 2 = 0.25; mean 1.
    assert found["bdu_mae_expected"].value == pytest.approx(1.0)


def test_topics_count_equally() -> None:
    items = [bsi("P1", "A", number=n) for n in range(3)] + [bsi("P1", "A", "healthcare")]
    sure, wrong = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    found = summarize_distributions(items, [sure, sure, sure, wrong])
    # Zoning 0, healthcare 2; one topic each.
    assert found["brier"].value == pytest.approx(1.0)


def test_what_has_no_single_right_option_is_left_out() -> None:
    half = np.array([0.5, 0.5])
    tenth = np.full(10, 0.1)
    items = [bsi("P1", "A/B"), bsi("P2", "A"), bdu("P3", "0"), bsi("P4", "A")]
    found = summarize_distributions(items, [half, half, tenth, None])
    assert found["brier"].n == 1
    assert found["bdu_mae_expected"].n == 1
    assert found["bdu_mae_expected"].value == pytest.approx(5.5 / 2)


def test_without_any_distribution_everything_is_unavailable() -> None:
    found = summarize_distributions([bsi("P1", "A")], [None])
    assert all(math.isnan(estimate.value) and estimate.n == 0 for estimate in found.values())


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(MisalignedInput, match="0 distributions for 1 items"):
        summarize_distributions([bsi("P1", "A")], [])
