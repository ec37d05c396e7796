"""Macro-F1: by hand, and as scikit-learn computes it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from otherminds.metrics.debate import Belief, f1_by_class, macro_f1, tabulate

GOLDS = st.booleans()
PAIRS = st.lists(st.tuples(GOLDS, st.none() | st.booleans()), min_size=1, max_size=30)


def of(pairs: list[tuple[bool, bool | None]]) -> tuple[float, list[float]]:
    items = [Belief(f"{i:03}", "U", "Arts", 0, g, (a,)) for i, (g, a) in enumerate(pairs)]
    confusion = tabulate(items).confusion()[0, 0]
    return float(macro_f1(confusion)), f1_by_class(confusion).tolist()


def test_by_hand() -> None:
    # Golds agree x3, disagree x2. Answers: agree, agree, disagree | disagree, unread.
    # Agree:    TP 2, answered 2, gold 3: F1 = 4/5 (precision 1, recall 2/3).
    # Disagree: TP 1, answered 2, gold 2: F1 = 2/4 (precision 1/2, recall 1/2).
    value, classes = of([(True, True), (True, True), (True, False), (False, False), (False, None)])
    assert classes == [pytest.approx(4 / 5), pytest.approx(1 / 2)]
    assert value == pytest.approx((4 / 5 + 1 / 2) / 2)


def test_an_unread_answer_lowers_the_recall_of_its_gold_alone() -> None:
    pairs: list[tuple[bool, bool | None]] = [(True, True)] * 4 + [(False, False)] * 4
    unread = [*pairs[:3], (True, None), *pairs[4:]]
    # Agree: precision 3/3, recall 3/4, F1 = 6/7. Disagree: untouched.
    assert of(unread)[1] == [pytest.approx(6 / 7), 1.0]
    # A wrong answer costs precision of the other class too: 8/9.
    wrong = [*pairs[:3], (True, False), *pairs[4:]]
    assert of(wrong)[1] == [pytest.approx(6 / 7), pytest.approx(8 / 9)]


def test_a_class_that_is_in_neither_golds_nor_answers_is_left_out() -> None:
    value, classes = of([(True, True), (True, None)])
    # Agree: 2·1 / (2 + 1).
    assert value == classes[0] == pytest.approx(2 / 3)
    assert math.isnan(classes[1])


def test_a_class_that_only_answers_name_counts_with_zero() -> None:
    value, classes = of([(True, True), (True, False)])
    assert classes == [pytest.approx(2 / 3), 0.0]
    assert value == pytest.approx(1 / 3)


def test_nothing_readable_is_zero() -> None:
    # The golds ask for both classes; none of their items was found.
    assert of([(True, None), (False, None)])[0] == 0.0


@given(PAIRS)
def test_it_is_scikit_learns_with_unread_answers_as_a_third_label(
    pairs: list[tuple[bool, bool | None]],
) -> None:
    code = {True: 1, False: 0, None: 2}
    golds, answers = [code[g] for g, _ in pairs], [code[a] for _, a in pairs]
    expected = f1_score(golds, answers, labels=[0, 1], average="macro", zero_division=math.nan)
    assert of(pairs)[0] == pytest.approx(expected)


@given(st.lists(st.tuples(GOLDS, st.booleans()), min_size=1, max_size=30))
def test_without_unread_answers_it_is_scikit_learns_default(
    pairs: list[tuple[bool, bool | None]],
) -> None:
    golds, answers = [g for g, _ in pairs], [a for _, a in pairs]
    assert of(pairs)[0] == pytest.approx(f1_score(golds, answers, average="macro"))


@given(PAIRS)
def test_exchanging_agree_and_disagree_everywhere_changes_nothing(
    pairs: list[tuple[bool, bool | None]],
) -> None:
    turned = [(not g, None if a is None else not a) for g, a in pairs]
    assert of(turned)[0] == pytest.approx(of(pairs)[0])


@given(PAIRS)
def test_it_lies_between_zero_and_one(pairs: list[tuple[bool, bool | None]]) -> None:
    value, _ = of(pairs)
    assert 0 <= value <= 1
    perfect = [(g, g) for g, _ in pairs]
    assert of(perfect)[0] == 1
