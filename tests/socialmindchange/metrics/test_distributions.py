from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.socialmindchange import LETTERS, summarize_distributions


def vector(**given: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Probabilities of the given letters, 0 for the others."""
    return np.array([given.get(letter, 0.0) for letter in LETTERS])


def test_by_hand(make: Any) -> None:
    items = [make.question("x", "P", "c"), make.question("y", "Q", "d")]
    found = summarize_distributions(items, {"x": vector(c=0.8, a=0.2), "y": vector(d=0.6, c=0.4)})
    # Gold c. Brier: 0.2² + 0.2² = 0.08 and 0.6² + 0.6² = 0.72; mean 0.40.
    # With one question per stage, SE = s/sqrt(2) = (0.72 - 0.08)/2 = 0.32.
    assert found["brier"].value == pytest.approx(0.40)
    assert found["brier"].stderr == pytest.approx(0.32)
    # 0.8 is right (gap 0.2), 0.6 is wrong (gap -0.6), in bins of their own: (0.2 + 0.6)/2.
    assert found["ece"].value == pytest.approx(0.4)
    assert (found["ece"].n, found["ece"].n_clusters) == (2, 2)


def test_knowing_nothing(make: Any) -> None:
    items = [make.question(f"{i}", f"S{i}", "a") for i in range(3)]
    found = summarize_distributions(items, {q.item_id: np.full(16, 1 / 16) for q in items})
    # Brier: (15/16)² + 15/16² = 15/16. Sixteen options tie, so the credit is the confidence, 1/16.
    assert found["brier"].value == pytest.approx(15 / 16)
    assert found["ece"].value == pytest.approx(0)


def test_questions_without_a_distribution_are_left_out(make: Any) -> None:
    items = [make.question("x", "P", "c"), make.question("y", "Q", None)]
    found = summarize_distributions(items, {"x": vector(c=1.0)})
    assert (found["brier"].value, found["brier"].n) == (0.0, 1)
    nothing = summarize_distributions(items, {})
    assert all(math.isnan(one.value) and one.n == 0 for one in nothing.values())


def test_the_order_of_questions_does_not_matter(make: Any) -> None:
    items = make.population(4, seed=3)
    rng = np.random.default_rng(0)
    vectors = {q.item_id: rng.dirichlet(np.ones(16)) for q in items}
    backwards = dict(reversed(vectors.items()))
    assert summarize_distributions(items, vectors) == summarize_distributions(
        items[::-1], backwards
    )


def test_bad_input_is_refused(make: Any) -> None:
    items = [make.question("x", "P", "c")]
    with pytest.raises(MisalignedInput, match="such as that of 'z'"):
        summarize_distributions(items, {"z": vector(c=1.0)})
    with pytest.raises(MisalignedInput, match="options a to p"):
        summarize_distributions(items, {"x": np.array([0.5, 0.5])})
    with pytest.raises(MetricError, match="not a distribution"):
        summarize_distributions(items, {"x": vector(c=0.7)})
    with pytest.raises(EmptyInput):
        summarize_distributions([], {})


def test_questions_of_eight_and_of_sixteen_options(make: Any) -> None:
    few = make.question("x", "P", "c")._replace(options=8)
    many = make.question("y", "Q", "c")
    even = {"x": np.full(8, 1 / 8), "y": np.full(16, 1 / 16)}
    found = summarize_distributions([few, many], even)
    # Of n options that are equally likely: 1 - 1/n, here the mean of 7/8 and 15/16.
    assert found["brier"].value == pytest.approx((7 / 8 + 15 / 16) / 2)
    assert found["ece"].value == pytest.approx(0)
    with pytest.raises(MisalignedInput, match="options a to h"):
        summarize_distributions([few], {"x": vector(c=1.0)})
