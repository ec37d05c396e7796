"""SynchToM's documents, as models without weights read them."""

from __future__ import annotations

import json
from typing import Any

from otherminds.metrics.synchtom import DIMENSIONS
from otherminds.tasks.synchtom.questions import QUESTIONS
from otherminds.tasks.synchtom.weightless import LexicalJudge, WrongPremise
from otherminds.weightless import Oracle, Random, questions

BELIEF, PROFILE, SOLUTION = DIMENSIONS
ANSWERING: dict[str, Any] = {
    "item_id": "c1-5",
    "instance_id": "c1",
    "instruction": "Replace the lamp.",
    "rubrics": {BELIEF: ["Blames the lamp.", "Not the wires."], PROFILE: ["Old."], SOLUTION: ["."]},
}
JUDGING: dict[str, Any] = {
    "item_id": "c1-5",
    "instance_id": "c1",
    "marker": "M",
    "rules": "paper",
    "dimensions": [{"name": PROFILE, "text": "The user is old.", "criteria": ["Is old."]}],
}


def test_the_dataset_has_these_questions() -> None:
    assert questions.of_dataset("synchtom") is QUESTIONS


def test_nothing_has_answers_to_choose_from() -> None:
    assert not any(QUESTIONS.is_closed(doc) for doc in (ANSWERING, JUDGING))
    assert [QUESTIONS.is_judgement(doc) for doc in (ANSWERING, JUDGING)] == [False, True]
    assert QUESTIONS.person(JUDGING) == "c1"


def test_the_perfect_answer_states_every_criterion_and_nothing_is_judged() -> None:
    said = json.loads(Oracle().write(QUESTIONS.asked(ANSWERING), 0))
    assert said == {BELIEF: "Blames the lamp.\nNot the wires.", PROFILE: "Old.", SOLUTION: "."}
    assert Oracle().write(QUESTIONS.asked(JUDGING), 0) == ""
    assert Random().write(QUESTIONS.asked(ANSWERING), 0) == ""


def test_who_answers_does_not_judge_and_who_judges_does_not_answer() -> None:
    answering, judging = map(QUESTIONS.asked, (ANSWERING, JUDGING))
    assert "Replace the lamp." in WrongPremise().write(answering, 0)
    assert WrongPremise().write(judging, 0) == ""
    assert json.loads(LexicalJudge().write(judging, 0))[PROFILE][0]["verdict"] == 1
    assert LexicalJudge().write(answering, 0) == ""
