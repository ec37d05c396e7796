from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent import Item, order_swap

EXCHANGED = {"A": "B", "B": "A", "A/B": "A/B"}
letters = st.lists(st.tuples(st.sampled_from(["A", "B", None]), st.sampled_from(["A", "B", None])))


@pytest.fixture
def both(make: Any) -> Any:
    """Items in both orders from rows of (person, answers, answers when swapped)."""

    def build(rows: list[Any], gold: str = "A") -> tuple[list[Item], list[Item]]:
        first = [make.bsi(f"i{k:03}", p, gold, *a) for k, (p, a, _) in enumerate(rows)]
        second = [make.bsi(f"i{k:03}", p, EXCHANGED[gold], *b) for k, (p, _, b) in enumerate(rows)]
        return first, second

    return build


def test_by_hand(both: Any) -> None:
    rows = [
        ("P", ("A", "A"), ("B", "A")),  # consistent, same letter
        ("P", ("B", "B"), ("A", "A")),  # consistent twice
        ("Q", ("A", None), ("B", "B")),  # consistent, unread
        ("R", ("B", "A"), (None, None)),  # unread twice
    ]
    found = order_swap(*both(rows))
    assert found.consistency.value == pytest.approx((0.5 + 1 + 0.5 + 0) / 4)
    assert found.same_letter.value == pytest.approx((0.5 + 0 + 0 + 0) / 4)
    assert found.unread.value == pytest.approx((0 + 0 + 0.5 + 1) / 4)
    # Mean ½; residuals P 1.5 - 1, Q 0, R -½: SE = sqrt(3/2 · (¼ + ¼))/4.
    assert found.consistency.stderr == pytest.approx(0.75**0.5 / 4)
    assert (found.consistency.n, found.consistency.n_clusters) == (4, 3)


@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_constant_answerer_is_never_consistent(both: Any, letter: str) -> None:
    found = order_swap(*both([(f"P{k}", letter, letter) for k in range(9)]))
    assert (found.consistency.value, found.same_letter.value) == (0, 1)


def test_who_reads_the_options_is_always_consistent(both: Any) -> None:
    answers = [("A", "B"), ("B", "A"), ("A", "B")]
    found = order_swap(*both([(f"P{k}", a, b) for k, (a, b) in enumerate(answers)], gold="A/B"))
    assert (found.consistency.value, found.same_letter.value, found.unread.value) == (1, 0, 0)


@pytest.mark.parametrize("p", [0.5, 0.8])
def test_a_random_answerer_has_no_more_than_half(both: Any, p: float) -> None:
    rng = np.random.default_rng(1)
    drawn = np.where(rng.random((3_000, 2)) < p, "A", "B")
    found = order_swap(*both([(f"P{k}", str(a), str(b)) for k, (a, b) in enumerate(drawn)]))
    # 4 standard errors are 0.037.
    assert found.consistency.value == pytest.approx(2 * p * (1 - p), abs=0.037)


@given(letters.filter(bool), st.randoms())
def test_shares_add_up_and_order_does_not_matter(
    make: Any, pairs: list[tuple[str | None, str | None]], rng: random.Random
) -> None:
    first = [make.bsi(f"i{k:03}", f"P{k % 3}", "A", a) for k, (a, _) in enumerate(pairs)]
    second = [make.bsi(f"i{k:03}", f"P{k % 3}", "B", b) for k, (_, b) in enumerate(pairs)]
    found = order_swap(first, second)
    shares = (found.consistency.value, found.same_letter.value, found.unread.value)
    assert sum(shares) == pytest.approx(1)
    assert repr(order_swap(rng.sample(first, len(first)), second)) == repr(found)
    # Which order is called the original does not matter either.
    assert repr(order_swap(second, first)) == repr(found)


def test_nothing_and_nonsense_are_refused(make: Any) -> None:
    one, two = make.bsi("a", "P", "A", "A"), make.bsi("a", "P", "B", "A")
    order_swap([one], [two])
    with pytest.raises(EmptyInput, match="No items"):
        order_swap([], [])
    with pytest.raises(EmptyInput):
        order_swap([one], [])
    for wrong, error, words in [
        (two._replace(item_id="b"), MisalignedInput, "one order only"),
        (two._replace(participant_id="Q"), MisalignedInput, "different people"),
        (two._replace(topic="healthcare"), MisalignedInput, "different people or topics"),
        (two._replace(gold="A"), MisalignedInput, "as they were shown"),
        (two._replace(answers=("A", "B")), MisalignedInput, "2 in the other"),
        (two._replace(answers=("C",)), MetricError, "not A or B"),
        (two._replace(gold="C"), MetricError, "options A and B"),
        (make.reason("a", "P", 3, 3), MetricError, "not a BSI item"),
    ]:
        with pytest.raises(error, match=words):
            order_swap([one], [wrong])
    with pytest.raises(MisalignedInput, match="twice"):
        order_swap([one, one], [two, two])
