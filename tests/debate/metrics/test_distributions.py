from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from otherminds.metrics.debate import summarize_distributions
from otherminds.metrics.errors import EmptyInput, MisalignedInput


def test_by_hand(make: Any) -> None:
    items = [make.belief("a", "P", True, True), make.belief("b", "Q", False, True)]
    found = summarize_distributions(items, [np.array([0.8, 0.2]), np.array([0.6, 0.4])])
    # Brier: 0.2² + 0.2² = 0.08 and 0.6² + 0.6² = 0.72; mean 0.40.
    # With one item per person, SE = s/sqrt(2) = (0.72 - 0.08)/2 = 0.32.
    assert found["brier"].value == pytest.approx(0.40)
    assert found["brier"].stderr == pytest.approx(0.32)
    # 0.8 is right (gap 0.2), 0.6 is wrong (gap -0.6), in bins of their own: (0.2 + 0.6)/2.
    assert found["ece"].value == pytest.approx(0.4)
    assert (found["ece"].n, found["ece"].n_clusters) == (2, 2)


def test_items_are_pooled_over_categories(make: Any) -> None:
    items = [make.belief(f"{i}", f"U{i}", True, True) for i in range(3)]
    items.append(make.belief("z", "U9", True, False, category="Arts"))
    sure, wrong = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert summarize_distributions(items, [sure, sure, sure, wrong])["brier"].value == 0.5


def test_what_gave_no_distribution_is_left_out(make: Any) -> None:
    items = [make.belief("a", "P", True, True), make.belief("b", "Q", False, None)]
    found = summarize_distributions(items, [np.array([1.0, 0.0]), None])
    assert (found["brier"].value, found["brier"].n) == (0.0, 1)
    nothing = summarize_distributions(items, [None, None])
    assert all(math.isnan(one.value) and one.n == 0 for one in nothing.values())


def test_the_order_of_items_does_not_matter(make: Any) -> None:
    items = make.population(20, seed=3)
    p = np.random.default_rng(0).random(len(items))
    vectors = [np.array([x, 1 - x]) for x in p]
    assert summarize_distributions(items, vectors) == summarize_distributions(
        items[::-1], vectors[::-1]
    )


def test_bad_input_is_refused(make: Any) -> None:
    items = [make.belief("a", "P", True, True)]
    with pytest.raises(MisalignedInput, match="2 distributions for 1 items"):
        summarize_distributions(items, [None, None])
    with pytest.raises(MisalignedInput, match="probabilities of agree and disagree"):
        summarize_distributions(items, [np.array([0.2, 0.3, 0.5])])
    with pytest.raises(EmptyInput):
        summarize_distributions([], [])
