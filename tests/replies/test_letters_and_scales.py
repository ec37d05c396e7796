"""How well letters and scales are read, by replies with verdicts of people, and what is never read."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.socialmindchange import parse_option
from tests.replies.corpus import Reply, load

EFFECTS = ("POSITIVE effect", "NEGATIVE effect")
ENDS = ("Strongly oppose", "Strongly support")


def opened(form: str) -> list[Reply]:
    return [reply for reply in load("open") if reply.form.startswith(form)]


def test_without_letters_texts_and_numbers_nothing_is_read() -> None:
    for reply in opened("hugagent_letter"):
        bare = re.sub(r"(?i)\b[a-z]\b|posit\w*|negat\w*|effect|option \d", "", reply.reply)
        # What is left may say the same in words: "so their spending falls".
        assert parse_letter(bare, reply.ask["options"]) in (None, reply.answer), bare
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    for reply in opened("hugagent_number"):
        named = "|".join([*words, *reply.ask["labels"]])
        bare = re.sub(rf"(?i)[^\W_]*\d[^\W_]*|\b(?:{named})\w*", "", reply.reply)
        assert parse_number(bare, *reply.ask["scale"], reply.ask["labels"]) is None, bare


def test_swapped_letters_swap_the_reading() -> None:
    # By B and C, as "A" may be an article.
    swap = {"B": "C", "C": "B"}
    for form in ("{}", "**{}**", "Answer: {}", "I'd pick {}.", "{}. She says so.", "Not {}."):
        for text in (form, "C or B? " + form, form + "\n\nWait, no. It's C."):
            said = parse_letter(text.format("B"), 3)
            other = parse_letter(re.sub("[BC]", lambda one: swap[one[0]], text.format("B")), 3)
            assert (None if said is None else swap[said]) == other, text


@given(st.sampled_from(["B", "C", "D"]), st.sampled_from(["B", "C", "D"]))
def test_a_choice_between_two_is_no_answer_until_it_is_made(one: str, other: str) -> None:
    if one == other:
        return
    for text in (
        "{} or {}",
        "{}/{}",
        "Either {} or {}.",
        "It is between {} and {}.",
        "{}, maybe {}",
    ):
        assert parse_letter(text.format(one, other), 4) is None
    assert parse_letter(f"{one} or {other}? I'd say {other}.", 4) == other
    assert parse_letter(f"Not {one} but {other}.", 4) == other
    assert parse_letter(f"{one}. Wait, no: {other}.", 4) == other


@given(st.integers(1, 10), st.integers(1, 10))
def test_a_range_is_no_number_until_one_is_chosen(low: int, high: int) -> None:
    if low == high:
        return
    for text in ("{}-{}", "{} or {}", "Between {} and {}.", "Perhaps a {} or a {}.", "{} to {}"):
        assert parse_number(text.format(low, high), 1, 10) is None, text
    assert parse_number(f"Between {low} and {high}, so {high}.", 1, 10) == high
    assert parse_number(f"{low}? No, {high}.", 1, 10) == high
    assert parse_number(f"I'd give it {low}/10.", 1, 10) == low


FRAGMENTS = [
    *(
        "A",
        "B",
        "(a)",
        "(b)",
        "c",
        "i",
        "7",
        "3/10",
        "ten",
        "6.5",
        "or",
        "and",
        "not",
        "n't",
        "but",
    ),
    *("Answer:", "answer is", "so", "I'd say", "Wait,", "maybe", "?", ".", "\n", "\n\n", "**", '"'),
    *(
        "POSITIVE",
        "negative effect",
        "Strongly oppose",
        "<think>",
        "</think>",
        "\\boxed{",
        "}",
        "{",
    ),
    *(
        '{"answer": "',
        "「",
        "答え：",
        "эт",
        "Antwort:",
        "|",
        "1.",
        "- ",
        "as an AI",
        "language model",
    ),
    *(
        "A person",
        "the",
        "from",
        "to",
        "%",
        "…",
        "—",
        "👍",
        "\u200b",
        "\ud800",
        "\x00",
        "scale of 1 to 10",
    ),
]
anything = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=30).map(" ".join)


@given(anything)
def test_no_reply_is_an_error(text: str) -> None:
    assert parse_letter(text, EFFECTS) in ("A", "B", None)
    assert parse_number(text, 1, 10, ENDS) in (*range(1, 11), None)
    assert parse_option(text, [f"Do thing {number} for him." for number in range(16)]) in (
        *"abcdefghijklmnop",
        None,
    )
