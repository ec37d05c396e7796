"""SocialMindChange's documents, as models without weights read them."""

from __future__ import annotations

from typing import Any

from otherminds.metrics.socialmindchange.scene import BEGIN, END
from otherminds.tasks.socialmindchange.codes_weightless import SceneRewriter
from otherminds.tasks.socialmindchange.questions import QUESTIONS
from otherminds.weightless import Oracle, Random, questions

QUESTION: dict[str, Any] = {
    "item_id": "s1-q1",
    "stage_id": "s1",
    "type": "transition",
    "mental_state": "belief",
    "options": ["Yes.", "No.", "Both."],
    "answer": "c",
}
SCENE: dict[str, Any] = {
    "item_id": "s1-1",
    "stage_id": "s1",
    "lines": [
        {"speaker": "", "text": "Night fell.", "kept": False},
        {"speaker": "Ann", "text": "Who is there?", "kept": False},
        {"speaker": "Bob", "text": "Me.", "kept": True},
    ],
}


def test_the_dataset_has_these_questions() -> None:
    for dataset in ("socialmindchange-codes", "socialmindchange-scale"):
        assert questions.of_dataset(dataset) is QUESTIONS


def test_options_are_small_letters() -> None:
    assert QUESTIONS.answers(QUESTION) == ["a", "b", "c"]
    assert QUESTIONS.gold(QUESTION) == 2
    assert QUESTIONS.kinds(QUESTION) == [("transition", "belief")]
    assert QUESTIONS.person(QUESTION) == "s1"
    # Of a sealed question the state of mind is withheld.
    sealed = {name: QUESTION[name] for name in ("item_id", "stage_id", "options")}
    assert QUESTIONS.answers(sealed) == ["a", "b", "c"]


def test_a_scene_is_told_anew_with_more_said_where_lines_need_not_stay() -> None:
    asked = QUESTIONS.asked(SCENE)
    assert not asked.is_closed
    expected = [
        BEGIN,
        "A few moments passed. Night fell.",
        "Ann: Listen. Who is there?",
        "Bob: Me.",
        END,
    ]
    assert Oracle().write(asked, 0).split("\n") == expected
    assert SceneRewriter().write(asked, 0) == Oracle().write(asked, 0)
    assert Random().write(asked, 0) == ""
