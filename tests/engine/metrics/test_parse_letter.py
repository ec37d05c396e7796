from __future__ import annotations

import string

import pytest

from otherminds.metrics.errors import MetricError
from otherminds.metrics.parsing import parse_letter
from otherminds.metrics.reply import TAIL

EFFECTS = ("POSITIVE effect", "NEGATIVE effect")

READ = [
    # bare
    ("B", "B"),
    ("b", "B"),
    ("A", "A"),
    ("a", "A"),
    (" B \n", "B"),
    ("B.", "B"),
    ("B)", "B"),
    ("(B)", "B"),
    ("(b).", "B"),
    ("[B]", "B"),
    ('"B"', "B"),
    ("B:", "B"),
    ("- B", "B"),
    ("Ｂ", "B"),
    ("（Ｂ）", "B"),
    ("Option B", "B"),
    ("option a", "A"),
    ("B</s>", "B"),
    # decorated
    ("**B**", "B"),
    ("**B.**", "B"),
    ("__B__", "B"),
    ("`B`", "B"),
    ("$B$", "B"),
    ("\\boxed{B}", "B"),
    ("\\boxed{\\text{B}}", "B"),
    ("<answer>B</answer>", "B"),
    ('{"answer": "B"}', "B"),
    # with the option's text
    ("B) NEGATIVE effect", "B"),
    ("B. negative effect.", "B"),
    ("B: NEGATIVE effect", "B"),
    ("B - NEGATIVE effect", "B"),
    ("B (NEGATIVE effect)", "B"),
    ("**B) NEGATIVE effect**", "B"),
    ("(A) POSITIVE effect", "A"),
    ("A POSITIVE effect", "A"),
    ("NEGATIVE effect", "B"),
    ("NEGATIVE", "B"),
    ("positive.", "A"),
    ("Answer: negative", "B"),
    ("B. NEGATIVE", "B"),
    ("negative  effect.", "B"),
    ("**POSITIVE effect**", "A"),
    ("Answer: NEGATIVE effect", "B"),
    ("Answer: B) NEGATIVE effect", "B"),
    # marked
    ("Answer: B", "B"),
    ("answer:b", "B"),
    ("Answer： B", "B"),
    ("**Answer:** B", "B"),
    ("**Answer: B**", "B"),
    ("Answer:\nB", "B"),
    ("Answer (A or B): B", "B"),
    ("Answer: \\boxed{B}", "B"),
    ("Answer: **B**", "B"),
    ("Final answer: A", "A"),
    ("The answer is (B)", "B"),
    ("answer is (B).", "B"),
    ("So the answer is B.", "B"),
    ("I think the answer is B because she dislikes it.", "B"),
    ("Therefore, my answer is: A", "A"),
    ("The correct answer is B, since she dislikes it.", "B"),
    ("My choice is B.", "B"),
    ("Choice: B", "B"),
    ("The best choice would be option B.", "B"),
    ("B is the correct answer.", "B"),
    ("A is the most likely answer.", "A"),
    ("Option A fits the first part.\nAnswer: B", "B"),
    ("A) POSITIVE effect\nB) NEGATIVE effect\n\nAnswer: B", "B"),
    ("Answer: A\nWait, she dislikes it.\nAnswer: B", "B"),
    ("Answer: A or B\nAnswer: B", "B"),
    ("Answer: B\n\nA person like this dislikes it.", "B"),
    ("Her previous answer is A. My answer is B.", "B"),
    ("Answer: A person like this would choose B.", "B"),
    # standing alone
    ("She dislikes it.\n\nB", "B"),
    ("She dislikes it.\n\n**B) NEGATIVE effect**", "B"),
    ("B\n\nA person like this dislikes it.", "B"),
    ("B. She dislikes it.", "B"),
    ("B, because she dislikes it.", "B"),
    ("B because she dislikes it.", "B"),
    ("B — she dislikes it.", "B"),
    ("A. She likes it.", "A"),
    ("A because she likes it.", "A"),
    ("I think **B** fits.", "B"),
    ("I believe it is (B) here.", "B"),
    ("B\n\n(A) does not fit because of her views.", "B"),
    ("Answer: 'B'", "B"),
    ("B。", "B"),
    ("Final: B", "B"),
    ("Letter: B", "B"),
    ("Selected option: B", "B"),
    ("The correct option is B", "B"),
    ("Answer: B. A is wrong.", "B"),
    # after a verb of choice
    ("Choose B", "B"),
    ("Between A and B, I choose B.", "B"),
    ("I would choose B.", "B"),
    ("I would go with option A.", "A"),
    ("They would pick A, because they like it.", "A"),
    ("The answer is A. No, the answer is B.", "B"),
    # reasoning
    ("<think>A? no</think>B", "B"),
    ("A or B ...</think>\nAnswer: B", "B"),
    ("<think>Answer: A</think>Answer: B", "B"),
]

FAILS = [
    "",
    "  ",
    "lol",
    "7",
    "C",
    "Z",
    "AB",
    "B2",
    "I",
    "I think so.",
    # the article
    "A person like this would support it.",
    "a person",
    "Answer: A person like this is hard to read.",
    "The answer is a positive one.",
    "A-list people",
    "I would choose A person.",
    "A, as in the first option, is wrong",
    # two letters
    "A or B",
    "A/B",
    "A and B",
    "A, B",
    "A & B",
    "Both A and B",
    "A\nB",
    "(A) or (B)",
    "**A** or **B**",
    "Answer: A or B",
    "Answer: A/B",
    "Answer: either A or B",
    "The answer is A or B would do.",
    "A) POSITIVE effect\nB) NEGATIVE effect",
    "I would choose A. I would choose B.",
    "Answer: A\nAnswer: B\nI cannot decide.",
    "A\nBut the answer is B because she dislikes it.",
    "The answer is B because she dislikes it.\nA",
    # letter against text
    "A) NEGATIVE effect",
    "Answer: B) POSITIVE effect",
    "POSITIVE effect or NEGATIVE effect",
    # negation, mention
    "The answer is not A.",
    "It is not (A).",
    "I would not choose A.",
    "Option A seems less likely.",
    "Her previous answer is A.",
    "Answer: B, maybe A",
    "Answer: B, but it could be A.",
    "B. Wait, actually she likes it.",
    "Answer: B\nActually, no.",
    "B\n\nQuestion: and this one?\nAnswer: A",
    "Answer: C",
    "Answer: none",
    # cut off
    "<think>B",
    "<think>\nAnswer: B",
    "<think>B</think>",
    "\\boxed{B",
    "Answer:",
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads(text: str, expected: str) -> None:
    assert parse_letter(text, EFFECTS) == expected


@pytest.mark.parametrize("text", FAILS)
def test_refuses(text: str) -> None:
    assert parse_letter(text, EFFECTS) is None


def test_none_is_no_answer() -> None:
    assert parse_letter(None, 2) is None


@pytest.mark.parametrize("options", [0, 27, (), ["x"] * 27])
def test_impossible_options_are_refused(options: int | list[str]) -> None:
    with pytest.raises(MetricError, match="options"):
        parse_letter("A", options)


def test_a_number_of_options_is_enough() -> None:
    assert parse_letter("J", 10) == "J"
    assert parse_letter("K", 10) is None
    assert parse_letter("p", 16) == "P"
    assert parse_letter("POSITIVE effect", 2) is None


def test_the_pronoun_is_no_option() -> None:
    assert parse_letter("I, for one, cannot say.", 10) is None
    assert parse_letter("I think she would agree.", 10) is None
    assert parse_letter("Answer: I would rather not.", 10) is None
    assert parse_letter("Answer: I", 10) == "I"


def test_the_longest_option_text_counts() -> None:
    options = ("agree", "agree strongly", "disagree")
    assert parse_letter("Agree strongly.", options) == "B"
    assert parse_letter("Agree", options) == "A"
    assert parse_letter("disagree", options) == "C"
    assert parse_letter("agree somewhat", options) is None


def test_a_text_that_two_options_share_says_nothing() -> None:
    assert parse_letter("yes", ("yes", "yes", "no")) is None
    assert parse_letter("B) yes", ("yes", "yes", "no")) is None
    assert parse_letter("no", ("yes", "yes", "no")) == "C"


def test_option_texts_that_are_letters_must_not_contradict() -> None:
    assert parse_letter("A", ("B", "A")) is None
    assert parse_letter("A", ("A", "B")) == "A"


@pytest.mark.parametrize("letter", string.ascii_uppercase)
def test_every_letter_can_be_said(letter: str) -> None:
    for form in (
        "{}",
        "{}.",
        "({})",
        "Answer: {}",
        "The answer is {}.",
        "**{}**",
        "I would choose {}.",
    ):
        assert parse_letter(form.format(letter), 26) == letter


def test_of_a_very_long_reply_only_the_final_line_counts() -> None:
    noise = "Option A is one thing. " * 400_000
    assert parse_letter(noise + "\nAnswer: B", 2) == "B"
    assert parse_letter(noise + "\nB", 2) == "B"
    assert parse_letter("B\n" + noise, 2) is None
    assert parse_letter("Answer: B\n" + noise, 2) is None


@pytest.mark.attack(
    "endless brackets, digits or repetitions in a reply",
    outcome="read in linear time, or no answer",
    against="judges",
)
@pytest.mark.parametrize(
    "unit",
    [
        "A",
        "A ",
        "(",
        "'",
        "(A)",
        "A or ",
        "A\n",
        "answer is A ",
        "choose A ",
        "**A**",
        "positive ",
        "-",
    ],
)
def test_hostile_repetition_is_read_in_linear_time(unit: str) -> None:
    parse_letter(unit * (10_000_000 // len(unit)), EFFECTS)
    parse_letter(unit * (TAIL // len(unit)), EFFECTS)
