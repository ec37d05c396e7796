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
        ("Up.", "A"),
        ("It pushes it down.", "B"),
        ("It doesn't push it up.", None),
        ("Does it go up or down?", None),
        ("She rents. So the number of homes would drop.", "B"),
        ("She rents. So the number of homes would not drop.", None),
        ("Therefore they would expect the supply to increase.", "A"),
        ("It might push supply up, in her view.", None),
        ("Prices go up, so people sit on their homes.", None),
        ("Fees annoy him. It counts against the plan in his eyes.", "B"),
        ("Fees annoy him. Nothing here counts against the plan in his eyes.", None),
        ("It strengthens her support for the plan.", "A"),
        ("It erodes her support for the plan.", "B"),
        ("This pulls him toward the plan.", "A"),
        ("This pushes her away from the plan.", "B"),
        ("Her husband would be more favorable toward the plan.", None),
        ("I'm going with a downward push.", "B"),
        ("Le coût pèse. Donc : effet négatif.", "B"),
        ("If anything, it sours him on the plan.", "B"),
        ("She wouldn't see it as speaking for the plan, but against it.", "B"),
        ("It would speak against the plan if she paid taxes. She doesn't.", None),
        ("He trusts markets. In other words, upward.", "A"),
        ("It would be a stretch to read this as A.", None),
    ],
)
def test_the_direction_of_an_effect(text: str, answer: str | None) -> None:
    assert parse_letter(text, EFFECTS) == answer
    assert parse_letter(text, EFFECTS[::-1]) == SWAP[answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("If pushed, I'd say the second one.", "B"),
        ("The latter fits the quote.", "B"),
        ("The second option is wrong.", None),
        ("Her first choice would be to move. The second option is to stay.", None),
        ("This person would pick A, whereas most people in the area would pick B.", "A"),
        ("Neighbors would definitely say A, but she'd say B.", "B"),
        ("It's tempting to say A, but the right call here is B.", "B"),
        ("On balance the evidence tips the scale away from A.", None),
        ("So of the two letters, the one that clashes with his view is A.", None),
        ("Initially I thought B, yet rereading the remark, A holds up better.", "A"),
        ("He says trade grows, which sounds like POSITIVE. I can't decide it for him.", None),
        ("It goes to A. I can't decide it for him, though.", None),
        ("My verdict falls on B.", "B"),
        ("I stick to the plan that I made before the first one, and drop none.", None),
        ("The claim is a better one, and a side to take.", None),
        ("Slightly more are in favor, more favorable than hostile.", None),
    ],
)
def test_whose_answer_it_is(text: str, answer: str | None) -> None:
    assert parse_letter(text, EFFECTS) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is (b), he means to confront him and to keep her pace.", None),
        ("The answer is (d), he means to confront him and to keep her pace.", "D"),
        ("The fourth option.", "D"),
        ("The fifth option.", None),
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
        *((word, None) for word in ("s\u0131x", "\u017fix", "F\u0130VE", "7/\u017fix")),
        ("It drops from 8 to 6.", 6),
        ("Her starting point looks like a 4. The new facts would push her down.", None),
        ("Most would say 5; this person, 9.", 9),
        ("between a 3 and a 4", None),
        ("A 3 would be the safe bet, yet her tone says more. 4.", 4),
        ("Answer: 3\n\nShe isn't hostile, which is why I stop short of a 1.", 3),
        ("If rents rise I'd still be in favor, so 7.", 7),
        ("If rents rise I'd say 7.", None),
        ("I'd give it the lowest possible score.", 1),
        ("I'd give it the top score.", 10),
        ("Near the bottom of the scale.", None),
        ("His brother would give 9. He himself is harder to read.", None),
        ("I put moderate at the top and low at the bottom.", None),
        ("That leaves the middle one.", None),
        ("1 is the lowest score and 10 the highest score.", None),
        ("I correct my estimate to 2.", 2),
        ("Answer: 3 (out of 5)", None),
    ],
)
def test_numbers(text: str, answer: int | None) -> None:
    assert parse_number(text, 1, 10) == answer


def test_the_middle_of_a_scale_that_has_one() -> None:
    assert parse_number("That leaves the middle one.", 1, 5) == 3
