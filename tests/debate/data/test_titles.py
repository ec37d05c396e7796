"""Titles: what is left of them, and why some are rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.debate.titles import (
    REASONS,
    names_someone,
    proposition_of,
    rejection,
    unmistakable,
)


@pytest.mark.parametrize(
    ("title", "proposition"),
    [
        ("Zoos are cruel.", "Zoos are cruel"),
        ("zoos are cruel!!!", "Zoos are cruel"),
        ("&quot;Zoos&quot; are cruel", '"Zoos" are cruel'),
        ("&amp;quot;Zoos are cruel&amp;quot;", "Zoos are cruel"),
        ("Zoos\x00 are\n\t cruel\u200b", "Zoos are cruel"),
        ("Resolved: that zoos are cruel", "Zoos are cruel"),
        ("Be it resolved, zoos are cruel", "Zoos are cruel"),
        ("This House believes that zoos are cruel", "Zoos are cruel"),
        ("I strongly believe that zoos are cruel", "Zoos are cruel"),
        ("In my opinion, zoos are cruel (Part II)", "Zoos are cruel"),
        ("Zoos are cruel [Pro] - Round 3", "Zoos are cruel"),
        ("ZOOS ARE CRUEL IN THE USA", "Zoos are cruel in the USA"),
        ("Zoos should be closed?", "Zoos should be closed"),
        ("I believe in ghosts", "I believe in ghosts"),
        ("NASA", "NASA"),
        ("(2)", ""),
    ],
)
def test_what_surrounds_a_statement_goes(title: str, proposition: str) -> None:
    assert proposition_of(title) == proposition


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("", "empty"),
        (" ... ", "empty"),
        ("Los gatos son mejores que los perros", "non-English"),
        ("Die Katzen sind besser und das ist gut", "non-English"),
        ("Кошки лучше собак", "non-English"),
        ("Epic rap battle", "meta"),
        ("Debate me!", "meta"),
        ("This is my first debate", "meta"),
        ("The best member of DDO is online", "meta"),
        ("Batman vs. Superman", "comparison"),
        ("Xbox or PlayStation", "comparison"),
        ("Is tea or coffee better?", "comparison"),
        ("Does the moon matter?", "question"),
        ("Should homework be banned", "question"),
        ("Why cats purr", "question"),
        ("Zoos are cruel, aren't they? Yes they are", "question"),
        ("Abortion", "too short"),
        ("It is", "too short"),
        ("I am taller than you", "personal"),
        ("My dog is the best dog", "personal"),
        ("Snowdrop Winterbottom", "name"),
        ("The Great Gatsby", "name"),
        ("the merits of porridge", "fragment"),
        ("gay marriage", "fragment"),
    ],
)
def test_what_is_no_statement_is_rejected_with_its_reason(title: str, reason: str) -> None:
    assert rejection(title) == reason


@pytest.mark.parametrize(
    "title",
    [
        "God exists",
        "Zoos should be closed?",
        "Drugs should be legal or at least decriminalized",
        "Roe v. Wade should be overturned",
        "World War I was avoidable",
        "You can be moral without God",
        "The voters should decide",
        "Everyone should accept the theory of evolution",
        "Don't ban guns",
        "Free will is an illusion",
        "Résumés should not have photos",
        "El Niño is caused by warm water",
    ],
)
def test_statements_are_kept(title: str) -> None:
    assert rejection(title) is None


@given(st.text(max_size=60))
def test_any_text_is_judged_and_cleaning_twice_changes_nothing(title: str) -> None:
    assert rejection(title) in {None, *REASONS}
    statement = proposition_of(title)
    assert proposition_of(statement) == statement
    assert "\x00" not in statement


def test_users_are_recognised_by_names_that_are_no_words() -> None:
    names = unmistakable(["cy_77", "Freedom", "Al1", "1984", "xX_99"])
    assert names == {"cy_77", "xx_99"}
    assert names_someone("CY_77 is a good judge", [], names)
    assert not names_someone("Freedom is good", [], names)
    # A debater's own name counts also where it is a word, unless it is very short.
    assert names_someone("Freedom is good", ["Freedom"], names)
    assert names_someone("Mary Sue is right", ["Mary Sue"], names)
    assert not names_someone("God is good", ["God"], names)
