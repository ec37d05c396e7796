"""Answers that follow from a reply in which no sentence names one, and those that do not."""

from __future__ import annotations

import pytest

from otherminds.metrics import parse_letter, parse_number

EFFECTS = ("POSITIVE effect", "NEGATIVE effect")
PLANS = (
    "Scene 1: to retreat from Omar; scene 5: to follow Lena's plan.",
    "Scene 1: to retreat from Omar; scene 5: to keep Lena's pace.",
    "Scene 1: to confront Omar; scene 5: to follow Lena's plan.",
    "Scene 1: to confront Omar; scene 5: to keep Lena's pace.",
)
SWAP = {"A": "B", "B": "A", None: None}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("He has no complaints. So it's not B.", "A"),
        ("Were A right, she would praise it. She does not. So A falls away.", "B"),
        ("He is calm. There is no reason to rule out A.", None),
        ("He is calm. I can't rule A out.", None),
        ("He is calm. It's not that A is wrong.", None),
        ("He is calm. Nobody would say A is wrong.", None),
        ("He is calm. It's not just A.", None),
        ("He is calm. Not A, and not B.", None),
    ],
)
def test_what_is_left_of_two(text: str, answer: str | None) -> None:
    assert parse_letter(text, EFFECTS) == answer
    mirrored = text.translate(str.maketrans("AB", "BA"))
    assert parse_letter(mirrored, EFFECTS) == SWAP[answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The effect she sees is upward.", "A"),
        ("Overall effect: downward.", "B"),
        ("He'd become less favorable.", "B"),
        ("She would be more supportive of it.", "A"),
        ("It's the negative one, then.", "B"),
        ("He wouldn't become less favorable.", None),
        ("The effect is not negative.", None),
        ("The direction of rents is up, that of trust is down.", None),
    ],
)
def test_the_direction_of_an_effect(text: str, answer: str | None) -> None:
    assert parse_letter(text, EFFECTS) == answer
    assert parse_letter(text, EFFECTS[::-1]) == SWAP[answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Scene 1: to confront Omar\nScene 5: to keep Lena's pace", "D"),
        ("He retreats rather than confronts, and follows her plan.", "A"),
        ("He retreats, then confronts him, and follows her plan.", None),
        ("He does not retreat, and follows her plan.", None),
        ("It fits c or d. He does not follow her. So c is out.", "D"),
        ("It fits b, c or d. So c is out.", None),
        ("Of {a, b} and {b, d} = {b}", "B"),
    ],
)
def test_an_option_in_other_words(text: str, answer: str | None) -> None:
    assert parse_letter(text, PLANS) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("His support would fall from 7 to 5.", 5),
        ("It would be anywhere from 5 to 7.", None),
        ("I'd say 6 or 7, closer to 7.", 7),
        ("A 9 would be a fan. That leaves me at eight.", 8),
        ("I'd say 3, hmm, lower: 2", 2),
        ("Respondent: 34, a nurse. I'd say 6.", 6),
        ("1IS", None),
    ],
)
def test_numbers(text: str, answer: int | None) -> None:
    assert parse_number(text, 1, 10) == answer
