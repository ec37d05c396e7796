"""Documents of debate beliefs, as models without weights read them."""

from __future__ import annotations

from typing import Any

import pytest

from otherminds.benchmark import of_dataset
from otherminds.tasks.debate.questions import QUESTIONS
from otherminds.weightless import questions
from otherminds.weightless.questions import known_answers

KNOWN = {"proposition": "Cats are better.", "category": "Society", "agrees": False}
STANCE: dict[str, Any] = {
    "item_id": "U1-7",
    "user_id": "U1",
    "proposition": "Dogs are better.",
    "category": "Society",
    "agrees": True,
    "background": [{"attribute": "party", "value": "left"}],
    "known_beliefs": [KNOWN],
    "n_known": 1,
}
TITLE = {"item_id": "title-1", "title": "Dogs are better.", "rejected_as": None}


def test_all_datasets_have_these_questions() -> None:
    for dataset in of_dataset("debate-beliefs").datasets:
        assert questions.of_dataset(dataset) is QUESTIONS


@pytest.mark.parametrize(("agrees", "gold", "number"), [(True, 0, 1.0), (False, 1, -1.0)])
def test_a_stance_is_agree_or_disagree(agrees: bool, gold: int, number: float) -> None:
    doc = {**STANCE, "agrees": agrees}
    assert QUESTIONS.answers(doc) == ["agree", "disagree"]
    assert (QUESTIONS.gold(doc), QUESTIONS.number(doc)) == (gold, number)
    assert QUESTIONS.is_two_sided(doc)
    # A sealed document has none of the two.
    assert QUESTIONS.answers({**doc, "agrees": None}) == ["agree", "disagree"]


def test_kinds_go_from_the_proposition_to_its_category() -> None:
    assert QUESTIONS.kinds(STANCE) == [
        ("proposition", "Dogs are better."),
        ("category", "Society"),
    ]
    assert QUESTIONS.question(STANCE) == "Dogs are better."
    assert QUESTIONS.facts(STANCE) == [("party", "left")]


def test_what_is_shown_of_a_person_is_known_too_and_once() -> None:
    docs = [STANCE, {**STANCE, "item_id": "U1-8"}, STANCE]
    found = [(who, one.doc) for who, one in known_answers(map(QUESTIONS.asked, docs))]
    assert found == [("U1", docs[0]), ("U1", KNOWN), ("U1", docs[1])]


def test_a_title_is_judged_in_free_text() -> None:
    assert QUESTIONS.is_closed(STANCE)
    assert not QUESTIONS.is_closed(TITLE)
    assert QUESTIONS.perfect_reply(TITLE) == ""
