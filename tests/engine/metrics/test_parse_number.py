from __future__ import annotations

import pytest

from otherminds.metrics.errors import MetricError
from otherminds.metrics.parsing import parse_number
from otherminds.metrics.reply import TAIL

READ = [
    # bare
    ("7", 7),
    (" 7\n", 7),
    ("7.", 7),
    ("7.0", 7),
    ("07", 7),
    ("10", 10),
    ("1", 1),
    ('"7"', 7),
    ("(7)", 7),
    ("[7]", 7),
    ("- 7", 7),
    ("7!", 7),
    ("~7", 7),
    ("7</s>", 7),
    ("7<|im_end|>", 7),
    # decorated
    ("**7**", 7),
    ("__7__", 7),
    ("`7`", 7),
    ("# 7", 7),
    ("> 7", 7),
    ("$7$", 7),
    ("\\boxed{7}", 7),
    ("$$\\boxed{\\text{7}}$$", 7),
    ("The result is \\boxed{7}.", 7),
    ("**7**/10", 7),
    ("<answer>7</answer>", 7),
    ('{"answer": 7}', 7),
    ('{"answer": 7, "reason": "she said 3 before"}', 7),
    # other digits and words
    ("７", 7),
    ("٧", 7),
    ("७", 7),
    ("１０", 10),
    ("𝟕", 7),
    ("7️⃣", 7),
    ("\u200b7\u200b", 7),
    ("7。", 7),
    ("seven", 7),
    ("Seven.", 7),
    ("TEN", 10),
    ("One", 1),
    ("7 (seven)", 7),
    ("seven (7)", 7),
    # out of the top of the scale
    ("8/10", 8),
    ("8 / 10", 8),
    ("8 out of 10", 8),
    ("eight out of ten", 8),
    ("10/10", 10),
    ("10 out of 10.", 10),
    ("I would rate it 8 out of 10.", 8),
    ("I'd give it 8/10, because it fits.", 8),
    # with a label or a reason
    ("7 - Somewhat more supportive", 7),
    ("7 — because they value safety", 7),
    ("7: Somewhat more supportive", 7),
    ("7 (Somewhat more supportive)", 7),
    ("7 = Support", 7),
    ("7, because they value safety.", 7),
    ("7 because they value safety.", 7),
    ("7. The person values safety.", 7),
    ("7\n\nThe person said 3 before, then 5.", 7),
    # marked
    ("Answer: 7", 7),
    ("answer:7", 7),
    ("ANSWER： 7", 7),
    ("Answer - 7", 7),
    ("Answer = 7", 7),
    ("**Answer:** 7", 7),
    ("**Answer: 7**", 7),
    ("### Final Answer\nAnswer: 7", 7),
    ("Answer:\n7", 7),
    ("Answer:\n\n**7**", 7),
    ("Answer: \\boxed{7}", 7),
    ("Answer (1-10): 7", 7),
    ("Final answer: seven", 7),
    ("My answer is 7.", 7),
    ("The answer is: 7", 7),
    ("The final answer would be 7.", 7),
    ("My rating would be 7.", 7),
    ("Rating: 7", 7),
    ("Prediction: 7/10", 7),
    ("So the answer is 7 because on question 3 she said 2.", 7),
    ("7 is my final answer, although she said 3 once.", 7),
    ("Answer: I would say 7.", 7),
    ("Answer: about 7", 7),
    ("Answer: 7 (on the 1-10 scale)", 7),
    ("She said 3, then 5.\nAnswer: 7", 7),
    ("She moved from 3 to 5 on item 2.6.\n\nFinal answer: 7\n", 7),
    ("Answer: 3\nOn reflection this is too low.\nAnswer: 7", 7),
    ("Answer: 6 or 7\nI have to choose.\nAnswer: 7", 7),
    ("Answer: 7\n\nAnswer: 7\nDone.", 7),
    ("7\n\nShe said 3 once.\nAnswer: 7", 7),
    ("Answer: 7\nConfidence: 9", 7),
    ("Her previous answer is 3. My answer is 7.", 7),
    ("First \\boxed{3}, but then\n\\boxed{7}", 7),
    # on a line of its own
    ("She said 3 before and 5 after.\n\n7", 7),
    ("She moved from 3 to 5, so **7**", 7),
    ("She moved from 3 to 5, so **7**.", 7),
    # running text with one number
    ("I would say 7.", 7),
    ("I would say seven.", 7),
    ("I'd say 7, maybe.", 7),
    ("Probably a 7.", 7),
    ("I would answer one.", 1),
    ("They would give a 7 rating.", 7),
    ("I think 7. Yes, 7.", 7),
    ("On a scale of 1 to 10, I would say 7.", 7),
    ("On a scale from 1 (Oppose) to 10 (Support), I would say 7.", 7),
    ("On the 1-10 scale I would choose 7.", 7),
    ("On a rating scale of 1 to 10, I would say 7.", 7),
    ("On this 1 to 10 support scale I would choose 7.", 7),
    ("On a 10-point scale, 7.", 7),
    ("I am not sure, but I would say 7.", 7),
    # taken back for another
    ("Answer: 3. No: the answer is 7, I think, not more.", 7),
    ("The answer is 3. No, the answer is 7.", 7),
    ("Her previous answer is 3 and she would say 7.", 7),
    ("6. Actually, 7.", 7),
    ("Answer: 6. Wait, actually 7.", 7),
    # reasoning
    ("<think>3 or 4, no, 5</think>7", 7),
    ("<think>3</think>\n\nAnswer: 7", 7),
    ("<THINK>3</THINK> 7", 7),
    ("<thinking>3</thinking> 7", 7),
    ("so 3 or 4 ...</think>7", 7),
    ("<think>a <think> b</think> 3</think> 7", 7),
    ("7 <think>yes</think>", 7),
]

FAILS = [
    "",
    " \n",
    "lol",
    "I cannot answer that.",
    "Strongly agree",
    "B",
    # not whole
    "7.5",
    "7,5",
    "7½",
    "7²",
    "seven and a half",
    "seven point five",
    "Answer: 7.5",
    # ranges and alternatives
    "6-7",
    "6 - 7",
    "6–7",
    "6 to 7",
    "6 or 7",
    "6/7",
    "6, 7",
    "6 and 7",
    "7 (or 8)",
    "six or seven",
    "between 6 and 8",
    "Answer: 6-7",
    "Answer: 6 or 7",
    "Answer: between 6 and 8",
    "Answer: 7 or higher",
    "7+",
    ">7",
    "< 7",
    "more than 6",
    "at least 7",
    "less than 7",
    "7ish",
    # off the scale
    "0",
    "11",
    "100",
    "Answer: 0",
    "9" * 5000,
    "I would say 7/" + "9" * 5000,
    "-7",
    "−7",
    "Answer: -7",
    "Answer -7",
    "minus 7",
    "negative seven",
    # another scale
    "8/5",
    "4/5",
    "8/100",
    "8 out of 20",
    "7 out of 7",
    "seven out of twelve of them, so seven out of seven",
    # units and codes
    "7%",
    "7 percent",
    "70%",
    "She has 3 children.",
    "She is a mother of 3.",
    "Item 2.6",
    "Q3",
    "the 7th",
    "1. She values safety and",
    "1. Safety\n2. Privacy",
    "This one is clear.",
    "No one would.",
    "I'd say one or two.",
    # negation
    "I would not say 7.",
    "Definitely not 7.",
    "It isn't a 7.",
    "The answer is not 7.",
    # conflict
    "3\n7",
    "I thought 3 but 7 fits.",
    "Answer: 3\nAnswer: 7\nWho knows.",
    "Answer: 3\n\n7",
    "7\nThe answer is 3 because of her views.",
    "Answer: unknown",
    "She has 7 reasons. Answer: unclear",
    "Answer: 7, maybe 8",
    "Answer: 7 but it could be 8",
    "Answer: 7 8",
    "7 → 8",
    # taken back
    "7\n\nOn reflection, a little more.",
    # the answer, then an invented dialogue
    "7\n\nQuestion: and this one?\nAnswer: 5",
    "Rating of the mother: 3, of the father: 4",
    # cut off
    "<think>7",
    "<think>so the answer is 7\nAnswer: 7",
    "Answer: 7 <think> or",
    "<think>7</think>",
    "\\boxed{7",
    "Answer:",
    "1 to 10",
    "(1-10)",
    "1-10",
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads(text: str, expected: int) -> None:
    assert parse_number(text, 1, 10) == expected


@pytest.mark.parametrize("text", FAILS)
def test_refuses(text: str) -> None:
    assert parse_number(text, 1, 10) is None


def test_none_is_no_answer() -> None:
    assert parse_number(None, 1, 10) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5", 5), ("6", None), ("4/5", 4), ("4/10", None), ("4 out of five", 4), ("0", None)],
)
def test_five_point_scale(text: str, expected: int | None) -> None:
    assert parse_number(text, 1, 5) == expected


def test_zero_counts_where_the_scale_has_it() -> None:
    assert parse_number("0", 0, 4) == 0


@pytest.mark.parametrize(("low", "high"), [(-5, 5), (5, 5), (5, 1)])
def test_impossible_scales_are_refused(low: int, high: int) -> None:
    with pytest.raises(MetricError, match="Scale"):
        parse_number("1", low, high)


def test_of_a_very_long_reply_only_the_final_line_counts() -> None:
    noise = "She said 3 once, and 4. " * 400_000
    assert parse_number(noise + "\nAnswer: 7", 1, 10) == 7
    assert parse_number(noise + "\n7", 1, 10) == 7
    assert parse_number("7\n" + noise, 1, 10) is None
    assert parse_number("Answer: 7\n" + noise, 1, 10) is None
    assert parse_number("x" * 10_000_000 + " I would say 7.", 1, 10) is None


@pytest.mark.attack(
    "endless brackets, digits or repetitions in a reply",
    outcome="read in linear time, or no answer",
    against="judges",
)
@pytest.mark.parametrize(
    "unit",
    [
        "7",
        "<think>",
        "</think>",
        "<think></think>",
        "\n",
        " ",
        "(",
        "*",
        "answer ",
        "answer: ",
        "\\boxed{",
        "my final ",
        "one ",
        "7 ",
        "not ",
        "scale of ",
        "1.",
        "/10",
        "٧",
        "\x00",
        "x",
        "-",
        "'",
        "on a ",
        "\n7",
        "1 to ",
    ],
)
@pytest.mark.parametrize("size", [1_000_000, pytest.param(10_000_000, marks=pytest.mark.slow)])
def test_hostile_repetition_is_read_in_linear_time(unit: str, size: int) -> None:
    # Nothing is timed: a quadratic rule would not come back from a megabyte, nor soon from the longest
    # reply that is read whole.
    parse_number(unit * (size // len(unit)), 1, 10)
    parse_number(unit * (TAIL // len(unit)), 1, 10)


LABELS = ("Strongly oppose", "Strongly support")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Strongly oppose", 1),
        ("**Strongly support.** They said so.", 10),
        ("The person would strongly oppose the plan.", 1),
        ("This person is strongly opposed to it.", 1),
        ("10 (Strongly support)", 10),
        ("Strongly support (10)", 10),
        ("On a scale from 1 (Strongly oppose) to 10 (Strongly support), 4.", 4),
        ("10 (Strongly oppose)", None),
        ("The person strongly opposes it, and the plan is strongly supported.", None),
        ("This person would not strongly oppose it.", None),
        ("They might strongly oppose it.", None),
        ("Would they strongly oppose it?", None),
        ("Somewhat supportive", None),
        ("1 = Strongly oppose, 10 = Strongly support", None),
    ],
)
def test_a_label_of_the_scale_is_its_number(text: str, expected: int | None) -> None:
    assert parse_number(text, 1, 10, LABELS) == expected


def test_without_labels_their_words_say_nothing() -> None:
    assert parse_number("Strongly oppose", 1, 10) is None
