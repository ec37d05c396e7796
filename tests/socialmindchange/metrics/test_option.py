from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.socialmindchange import LETTERS, parse_option

READ = [
    # bare
    *(("c", "c"), ("C", "c"), ("(c)", "c"), ("(C)", "c"), ("c)", "c"), ("c.", "c"), ("[c]", "c")),
    *(("a", "a"), ("A", "a"), ("i", "i"), ("I", "i"), ("(i)", "i"), ("p", "p"), ("（ｃ）", "c")),
    *(("**C**", "c"), ("**(c)**", "c"), ("\\boxed{c}", "c"), ("option (c)", "c")),
    # with the option's text
    ("(c) Kevin thinks that Ana is angry.", "c"),
    ("c) Kevin thinks so", "c"),
    ("(c) Kevin is not angry.", "c"),
    ("Answer: a) Tell Kevin", "a"),
    ("Answer: I) Tell Kevin", "i"),
    ("The scenes show it.\n\n(c) Kevin believes", "c"),
    # marked
    ("Answer: c", "c"),
    ("**Answer:** (c)", "c"),
    ("The answer is (C).", "c"),
    ("the answer is c", "c"),
    ("The correct option is (c).", "c"),
    ("Answer: (c), not (a).", "c"),
    ("Answer: (a)\nWait, he left.\nAnswer: (c)", "c"),
    ("The best answer is (c) out of all.", "c"),
    ("<think>Answer: a</think>(c)", "c"),
    ("Answer: (c)\n\nExplanation: (a) is wrong because he left.", "c"),
    # with half of the parentheses
    ("a) is wrong. c) is right.", "c"),
    ("Therefore, c) is the best fit.", "c"),
    # in running text
    ("I would choose (c).", "c"),
    ("I choose c.", "c"),
    ("I would go with option m", "m"),
    ("It must be (g).", "g"),
    ("The most consistent option is (m).", "m"),
    ("(c) fits best.", "c"),
    ("(c) because he trusts her; (a) ignores that.", "c"),
    # after other options
    ("(a) is good, but I would choose (a).", "a"),
    ("Let me see: (a) fails, (b) fails. **(c)**", "c"),
    ("(a) is wrong.\n(b) does not fit.\nSo the answer is (c)", "c"),
    ("(a), (b) and (d) are wrong. Therefore, option (c) is correct.", "c"),
    ("(a) is good, (b) is better. Therefore, the best choice is (g).", "g"),
]

FAILS = [
    None,
    "",
    "a person",
    "I think",
    "I am not sure.",
    "A friend, I think.",
    "A person like this.",
    "The option a friend would take.",
    "Answer: a person",
    "the person(a) is",
    "(i) he leaves, (ii) she stays",
    "q",
    "Answer: (q)",
    "Therefore, (q) is what (r) is not.",
    "Therefore, option (q) fits.",
    "Answer: (a)\nAnswer: (c)",
    "(a) or (c)",
    "(c) and (d)",
    "Answer: a or c",
    "Hence (c) or (d).",
    "The answer is not (c).",
    "Therefore (c) is not right.",
    "(a) is good, (b) is better. Therefore, it could be (g).",
    "(a) is good, (b) is better. Therefore, it is (g",
    "(a) is good, (b) is better.",
    "Answer: (c). Wait, that is wrong.",
    "<think>(c)",
    "<think>(c)</think>",
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads(text: str, expected: str) -> None:
    assert parse_option(text) == expected


@pytest.mark.parametrize("text", FAILS)
def test_refuses(text: str | None) -> None:
    assert parse_option(text) is None


@given(
    st.sampled_from(LETTERS),
    st.sampled_from(
        [
            "({})",
            "{})",
            "**({})**",
            "Answer: {}",
            "The answer is ({}).",
            "Thus ({}).",
            "option ({})",
        ]
    ),
    st.booleans(),
)
def test_every_letter_in_every_form_and_case(letter: str, form: str, upper: bool) -> None:
    assert parse_option(form.format(letter.upper() if upper else letter)) == letter


@given(st.text(alphabet="abciqACI()[]*.:,? \nnotswerTNS'{}\\<>/", max_size=120) | st.text())
def test_any_text_gives_a_letter_or_none(text: str) -> None:
    found = parse_option(text)
    assert found is None or (len(found) == 1 and found in LETTERS)


OPTIONS = [
    f"Scene 1: he {first}; scene 2: he {second}, with {whom} in mind."
    for first in ("is angry", "is ashamed")
    for second in ("is calm again", "is proud of it")
    for whom in ("Ana", "Ben", "Cleo", "Dan")
]


def test_a_text_says_its_letter_and_no_other() -> None:
    for letter, option in zip(LETTERS, OPTIONS, strict=True):
        assert parse_option(option, OPTIONS) == letter
        assert parse_option(f"({letter}) {option}", OPTIONS) == letter
        assert parse_option(f"Answer: ({letter}) {option[:40]}", OPTIONS) in (letter, None)
        for other in OPTIONS:
            if other != option:
                assert parse_option(f"({letter}) {other}", OPTIONS) is None


def test_the_text_of_another_option_in_other_order_is_noticed() -> None:
    swapped = "With Dan in mind he is proud of it in scene 2, and he is ashamed in scene 1."
    assert parse_option(f"(p) {swapped}", OPTIONS) == "p"
    assert parse_option(f"(a) {swapped}", OPTIONS) is None


def test_a_list_of_the_options_chooses_none() -> None:
    listed = "\n".join(f"({letter}) {text}" for letter, text in zip(LETTERS, OPTIONS, strict=True))
    for cut in range(2, 17):
        assert parse_option("\n".join(listed.split("\n")[:cut]), OPTIONS) is None
    assert parse_option(f"{listed}\n\nAnswer: (k)", OPTIONS) == "k"


def test_letters_beyond_the_options_are_no_answer() -> None:
    eight = [f"option number {number} of the eight" for number in range(8)]
    for text in ("h", "(h)", "Answer: h", "The answer is (h)."):
        assert parse_option(text, eight) == "h"
    for letter in "ijklmnop":
        for text in (letter, f"({letter})", f"Answer: {letter}", f"The answer is ({letter})."):
            assert parse_option(text, eight) is None, text
            assert parse_option(text, [*eight, *eight]) == letter
