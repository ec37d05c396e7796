"""HugAgent's documents, as models without weights read them."""

from __future__ import annotations

from typing import Any

import pytest

from otherminds.benchmark import of_dataset
from otherminds.tasks.hugagent import scoring
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.weightless import Persistence, RuleBasedReader
from otherminds.weightless import Questions, questions

CHANGE: dict[str, Any] = {
    "item_id": "P1-1.2",
    "participant_id": "P1",
    "topic": "zoning",
    "task": "bdu",
    "question_id": "1.2",
    "question_type": "opinion",
    "options": [],
    "scale": [1, 10],
    "answer": "7",
    "demographics": [{"attribute": "age", "value": "30"}, {"attribute": "pet", "value": "cat"}],
}
STATE = CHANGE | {
    "item_id": "P1-bsi-1",
    "task": "bsi",
    "question_id": None,
    "question_type": None,
    "options": ["POSITIVE effect", "NEGATIVE effect"],
    "scale": [],
    "answer": "B",
}
NOTES = {"item_id": "P1-notes", "participant_id": "P1", "topic": "zoning", "expert": "economist"}


def test_both_datasets_have_these_questions() -> None:
    for dataset in of_dataset("hugagent").datasets:
        assert questions.of_dataset(dataset) is QUESTIONS


def test_a_change_of_belief_is_a_number_and_a_state_a_letter() -> None:
    assert QUESTIONS.answers(CHANGE) == [str(value) for value in range(1, 11)]
    assert (QUESTIONS.gold(CHANGE), QUESTIONS.number(CHANGE)) == (6, 7.0)
    assert QUESTIONS.answers(STATE) == ["A", "B"]
    assert (QUESTIONS.gold(STATE), QUESTIONS.number(STATE)) == (1, -1.0)
    assert [QUESTIONS.is_two_sided(doc) for doc in (CHANGE, STATE)] == [False, True]
    assert [QUESTIONS.is_closed(doc) for doc in (CHANGE, STATE, NOTES)] == [True, True, False]
    assert [QUESTIONS.person(doc) for doc in (CHANGE, STATE, NOTES)] == ["P1"] * 3


def test_kinds_go_from_the_question_to_its_topic() -> None:
    broad = ("zoning", "bdu", "opinion", 10)
    assert QUESTIONS.kinds(CHANGE) == [(*broad, "1.2"), broad]
    effects = ("POSITIVE effect", "NEGATIVE effect")
    assert QUESTIONS.kinds(STATE)[-1] == ("zoning", "bsi", None, effects)


def test_regressions_read_demographics_and_the_question() -> None:
    assert QUESTIONS.facts(CHANGE) == [("age", "30"), ("pet", "cat")]
    assert [QUESTIONS.question(doc) for doc in (CHANGE, STATE)] == ["1.2", None]


def test_notes_of_experts_get_no_text() -> None:
    assert QUESTIONS.perfect_reply(NOTES) == QUESTIONS.random_reply(NOTES, 0, 0) == ""


def test_its_own_models_know_which_documents_are_its_own() -> None:
    # The same columns, of another benchmark: no topic has a baseline there, and nobody else answered.
    other = Questions("participant_id").asked(CHANGE)
    own = [
        QUESTIONS.asked(CHANGE | {"participant_id": who, "item_id": who, "answer": "3"})
        for who in "XY"
    ]
    strategy = Persistence()
    strategy.fit([other, *own])
    assert [strategy.choose(one, 0) for one in (other, *own)] == [4, 2, 2]
    with pytest.raises(ValueError, match="HugAgent's questions"):
        RuleBasedReader().choose(other, 0)


@pytest.mark.parametrize("labels", [[None, None], ["low"], "no", [1, 2]])
def test_ends_of_a_scale_that_are_no_two_texts_are_refused(labels: Any) -> None:
    asked = CHANGE | {"track": "synthetic"}
    for fine in ([], ["not at all", "fully"]):
        scoring.check_doc({**asked, "scale_labels": fine})
    with pytest.raises(ValueError, match="scale_labels"):
        scoring.check_doc({**asked, "scale_labels": labels})
