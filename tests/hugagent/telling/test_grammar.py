"""Sentences with choices and slots, and verbs in the form that a sentence needs."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.dataset_builders.hugagent.telling.grammar import GrammarError, parse, write
from otherminds.dataset_builders.hugagent.telling.verbs import clause, past_of, third_of


def _all(text: str, **slots: str) -> set[str]:
    rng = np.random.default_rng(1)
    rules = {"season": (parse("spring"), parse("<old> fall"))}
    return {write(rng, parse(text), slots, rules) for _ in range(200)}


def test_choices_may_stand_within_choices_and_be_empty() -> None:
    assert _all("[a|b [c|d]] e [|f]") == {"a e", "b c e", "b d e", "a e f", "b c e f", "b d e f"}


def test_slots_are_filled_from_what_is_given_then_from_rules_that_fit() -> None:
    assert _all("{nb} in {season}", nb="Sal") == {"Sal in spring"}


def test_numbers_are_in_words_or_in_digits_and_years_take_no_comma() -> None:
    assert _all("{2-4}") == {"two", "three", "four"}
    assert _all("{21-21} of {#1000-2000/500}") == {
        "twenty-one of 1,000",
        "twenty-one of 1,500",
        "twenty-one of 2,000",
    }
    assert _all("{#1931-1931}") == {"1931"}


def test_articles_and_spaces_are_put_right() -> None:
    assert _all("a(n) [apple|pear] [|,] then") == {
        "an apple then",
        "a pear then",
        "an apple, then",
        "a pear, then",
    }


def test_tags_say_whom_a_line_fits() -> None:
    line = parse("<kids !car> we walk")
    assert line.fits({"kids"})
    assert not line.fits({"kids", "car"})
    assert not line.fits(set())


@pytest.mark.parametrize("text", ["[a|b", "a]b]", "a {b", "a | b"])
def test_lines_that_cannot_be_read_are_refused_with_the_line(text: str) -> None:
    with pytest.raises(GrammarError) as refused:
        parse(text)
    assert text in str(refused.value)


def test_a_slot_that_nothing_fills_is_refused_by_name() -> None:
    with pytest.raises(GrammarError, match="'nobody'"):
        _all("{nobody}")


def test_a_clause_takes_every_form() -> None:
    rent = clause("the rent ~goes up")
    assert rent.slots("c") == {
        "c": "the rent goes up",
        "c.past": "the rent went up",
        "c.bare": "the rent go up",
        "c.to": "the rent to go up",
        "c.ing": "the rent going up",
        "c.would": "the rent would go up",
    }


@pytest.mark.parametrize(
    ("text", "past", "gerund"),
    [
        ("there ~is more noise", "there was more noise", "there being more noise"),
        ("rules ~tie hands", "rules tied hands", "rules tying hands"),
        ("insurers ~shop around", "insurers shopped around", "insurers shopping around"),
        ("rent ~stops", "rent stopped", "rent stopping"),
        ("the city ~has less", "the city had less", "the city having less"),
        ("the area ~loses its look", "the area lost its look", "the area losing its look"),
        ("care ~gets better", "care got better", "care getting better"),
        ("houses ~fit in", "houses fit in", "houses fitting in"),
        ("somebody ~carries it", "somebody carried it", "somebody carrying it"),
        ("help ~agrees", "help agreed", "help agreeing"),
    ],
)
def test_past_and_gerund(text: str, past: str, gerund: str) -> None:
    assert (clause(text).past, clause(text).gerund) == (past, gerund)


def test_a_clause_without_its_mark_is_refused() -> None:
    with pytest.raises(GrammarError, match="needs one"):
        clause("rent goes up")


def test_third_person() -> None:
    assert [third_of(verb) for verb in ("have", "cool", "notice", "carry", "go")] == [
        *("has", "cools", "notices", "carries", "goes"),
    ]
    assert past_of("hum") == "hummed"
