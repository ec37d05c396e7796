"""Counts over interviews, and students that look for tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews
from otherminds.dataset_builders.hugagent.telling.measure import measure
from otherminds.dataset_builders.hugagent.telling.tells import GRADE, Case, area, cases, scores
from otherminds.dataset_builders.hugagent.world.claims import ToldTurn


def test_what_recurs_is_counted_by_interview(twelve_told: list[Told]) -> None:
    plan = replace(twelve_told[0].plan, blocks=())
    turn = ToldTurn(
        "Well?",
        "I live in the house by the mill. No. I live in the house by the mill!",
        "background",
    )
    other = ToldTurn("Well?", "we all live in the house by the river", "background")
    found = measure([Told(plan, [turn]), Told(plan, [turn]), Told(plan, [other])])
    assert found.shared == (("i live in the house by the mill", 2),)
    assert found.most_shared == pytest.approx(2 / 3)
    assert found.turns == (1, 1.0, 1)
    # The answers have 17, 17 and 9 words.
    assert found.words == pytest.approx(43 / 3)
    # Of the third's five runs of five words, "live in the house by" and "in the house by the" recur.
    assert found.of_one == found.of_others == pytest.approx((1 + 1 + 2 / 5) / 3)


def test_a_planted_tell_is_found_and_noise_is_not() -> None:
    told = [
        Case(
            "planted",
            "g",
            person,
            f"word{person * 7 % 11} {'aye' if person % 3 else 'nay'}",
            str(person % 3 > 0),
        )
        for person in range(200)
    ]
    noise = [
        Case("noise", "g", person, f"word{person * 7 % 11}", str((person * person // 5) % 2))
        for person in range(200)
    ]
    found = scores([*told, *noise])
    assert found["planted"].student == 1.0
    assert found["noise"].student < found["noise"].commonest + 0.12


def test_sentences_are_counted_by_person(twelve_told: list[Told]) -> None:
    turn = ToldTurn("Well?", "I live in the house by the mill.", "background")
    plans = [replace(twelve_told[0].plan, blocks=(), person=number) for number in (0, 0, 1, 2)]
    other = ToldTurn("Well?", "We keep two goats out behind the mill.", "background")
    found = measure([Told(plan, [turn if plan.person < 2 else other]) for plan in plans])
    # One sentence is said by two of three people, in three interviews; the other by one.
    assert found.by_people == {1: 1, 2: 1}
    assert found.common == 2


@pytest.mark.slow
def test_words_of_an_answer_hardly_tell_what_is_stated_from_what_is_hinted_at() -> None:
    told = [case for case in cases(interviews(seed=3, count=40)) if case.question == GRADE]
    assert {case.label for case in told} == {"stated", "hinted"}
    assert area(told) < 0.78


def test_a_tell_of_the_grade_is_found() -> None:
    planted = [
        Case(GRADE, "g", person, f"word{person % 11} {'in Elm' if person % 5 else 'when'}",
             "stated" if person % 5 else "hinted")
        for person in range(200)
    ]  # fmt: skip
    assert area(planted) == pytest.approx(1.0)
    assert area(planted[:1]) != area(planted[:1])


def test_groups_that_are_too_small_are_left_out() -> None:
    assert scores([Case("q", "g", person, "a b", str(person % 4)) for person in range(10)]) == {}


def test_students_are_asked_of_every_kind(twelve_told: list[Told]) -> None:
    asked = {case.question for case in cases(twelve_told)}
    assert {
        "grade, from the interviewer's question",
        "stated effect on support, from its answer",
        "whether a first view stands, from its answer",
        "whether a belief is shared, from its answer",
        "weight, from the whole",
    } <= asked
