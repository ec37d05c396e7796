from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.parsing import parse_letter, parse_number

# Arbitrary text, with surrogates and NUL, and text made of the pieces that the rules look for.
ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
PIECES = st.lists(
    st.sampled_from(
        [
            "Answer: ",
            "the answer is ",
            "7",
            "3",
            "10",
            "/10",
            "A",
            "B",
            "a ",
            "**",
            "\n",
            ". ",
            " or ",
            "(",
            ")",
            "<think>",
            "</think>",
            "\\boxed{",
            "}",
            "seven",
            "one",
            " not ",
            " because ",
            "-",
            "POSITIVE effect",
            "scale of 1 to 10",
            "choose ",
            "٧",
            "½",
            "\x00",
            "\ud800",
            ", ",
            ": ",
            "is my answer",
            "#",
            "> ",
        ]
    ),
    max_size=14,
).map("".join)
TEXTS = st.one_of(ANY, PIECES)
SCALES = st.sampled_from([(1, 5), (1, 10), (0, 4)])
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
OPTIONS = st.one_of(st.integers(1, 26), st.just(("POSITIVE effect", "NEGATIVE effect")))


@given(TEXTS, SCALES)
def test_a_number_is_on_the_scale_or_none(text: str, scale: tuple[int, int]) -> None:
    value = parse_number(text, *scale)
    assert value is None or scale[0] <= value <= scale[1]


@given(TEXTS, OPTIONS)
def test_a_letter_is_an_option_or_none(text: str, options: int | tuple[str, ...]) -> None:
    count = options if isinstance(options, int) else len(options)
    letter = parse_letter(text, options)
    assert letter is None or letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]


@given(TEXTS, st.text(" \t\n\r", max_size=5), st.text(" \t\n\r", max_size=5))
def test_surrounding_whitespace_changes_nothing(text: str, before: str, after: str) -> None:
    assert parse_number(before + text + after, 1, 10) == parse_number(text, 1, 10)
    assert parse_letter(before + text + after, 2) == parse_letter(text, 2)


@given(
    st.integers(1, 10),
    st.sampled_from(
        [
            "{}",
            "{}.",
            "**{}**",
            "({})",
            "Answer: {}",
            "The answer is {}.",
            "\\boxed{{{}}}",
            "I would say {}.",
            "Some thoughts on this.\nAnswer: {}",
            "<think>3 or 4</think>{}",
            "{}/10",
            "Answer: {} out of 10",
        ]
    ),
)
def test_a_rendered_number_is_read_back(number: int, form: str) -> None:
    assert parse_number(form.format(number), 1, 10) == number
    assert parse_number(form.format(WORDS[number - 1]), 1, 10) in (
        {number} if "/10" not in form else {number, None}
    )


@given(
    st.integers(0, 25),
    st.sampled_from(
        [
            "{}",
            "{}.",
            "**{}**",
            "({})",
            "Answer: {}",
            "The answer is {}.",
            "\\boxed{{{}}}",
            "I would choose {}.",
            "Some thoughts on this.\nAnswer: {}",
            "<think>A or B</think>{}",
        ]
    ),
)
def test_a_rendered_letter_is_read_back(index: int, form: str) -> None:
    letter = chr(ord("A") + index)
    assert parse_letter(form.format(letter), 26) == letter


@given(st.integers(1, 10), st.integers(1, 10))
def test_two_different_numbers_are_never_read(first: int, second: int) -> None:
    for form in ("{} or {}", "{}-{}", "between {} and {}", "I thought {} but {} fits.", "{}\n{}"):
        value = parse_number(form.format(first, second), 1, 10)
        assert value is None or first == second == value


@given(TEXTS, st.integers(1, 10))
def test_a_final_answer_line_after_reasoning_wins(thoughts: str, number: int) -> None:
    text = f"Let me see. {thoughts}".replace("<", "").replace("\\", "") + f"\nAnswer: {number}"
    assert parse_number(text, 1, 10) == number
