"""A question of SocialMindChange as the metrics see it: what is asked, gold, and the parsed answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

GUIDANCE = "guidance_action"
TRANSITIONS = ("transition_state", "transition_reason", "transition_plan")
TYPES = (GUIDANCE, *TRANSITIONS)
STATES = ("belief", "emotion", "intention", "action")

LETTERS = "abcdefghijklmnop"
"""The sixteen options."""

CHANCE = 1 / len(LETTERS)
"""Expected accuracy of a blind guess."""


class Question(NamedTuple):
    """One question about one stage.

    item_id        unique in the data
    stage_id       the stage: the cluster of all uncertainty
    type           one of TYPES
    mental_state   one of STATES
    third_order    whether it asks what somebody believes that another one thinks of a third one's state
    span           scenes from the first to the second one asked about; 0 for guidance, which is about
                   one scene
    group_size     characters in the stage
    n_scenarios    scenes of the stage
    answer         gold: one of LETTERS
    prerequisites  ids of the guidance questions of the same stage that the answer rests on
    answers        the parsed answer of each of K runs: one of LETTERS, or None where none could be read
    """

    item_id: str
    stage_id: str
    type: str
    mental_state: str
    third_order: bool
    span: int
    group_size: int
    n_scenarios: int
    answer: str
    prerequisites: tuple[str, ...]
    answers: tuple[str | None, ...]


def check_items(questions: Sequence[Question]) -> int:
    """Refuse questions that cannot be scored; return K, the number of runs.

    Raises EmptyInput without questions; MisalignedInput for an id given twice, unless all questions have
    the same K ≥ 1, for a stage with two group sizes or numbers of scenes, or a prerequisite that is a
    question of another stage or no guidance question; MetricError for an unknown type, mental state or
    letter, a span that its type or stage cannot have, or an impossible group size.

    A prerequisite that is not among the questions is not an error: a part of the data may be scored.
    """
    if len(questions) == 0:
        raise EmptyInput("No questions to score.")
    runs = len(questions[0].answers)
    by_id: dict[str, Question] = {}
    shapes: dict[str, tuple[int, int]] = {}
    for question in questions:
        name = f"Question {question.item_id!r}"
        if question.item_id in by_id:
            raise MisalignedInput(f"{name} is given twice: ids must be unique.")
        by_id[question.item_id] = question
        if len(question.answers) != runs or runs == 0:
            raise MisalignedInput(
                f"{name} has {len(question.answers)} answers, {questions[0].item_id!r} has {runs}: "
                "every question needs one answer (or None) for each run."
            )
        shape = (question.group_size, question.n_scenarios)
        if shapes.setdefault(question.stage_id, shape) != shape:
            raise MisalignedInput(
                f"{name} gives stage {question.stage_id!r} another group size or number of scenes than "
                "before: give answers to one version of the data."
            )
        _check_labels(question, name)
        _check_numbers(question, name)
    for question in questions:
        _check_prerequisites(question, by_id)
    return runs


def _check_labels(question: Question, name: str) -> None:
    if question.type not in TYPES:
        raise MetricError(f"{name}: type {question.type!r} is none of {', '.join(TYPES)}.")
    if question.mental_state not in STATES:
        raise MetricError(
            f"{name}: mental state {question.mental_state!r} is none of {', '.join(STATES)}."
        )
    if not is_letter(question.answer):
        raise MetricError(f"{name}: gold {question.answer!r} is not a letter from a to p.")
    for answer in question.answers:
        if answer is not None and not is_letter(answer):
            raise MetricError(
                f"{name}: answer {answer!r} is not a letter from a to p and not None."
            )


def _check_numbers(question: Question, name: str) -> None:
    if question.group_size < 1:
        raise MetricError(f"{name}: a group of {question.group_size}.")
    if question.type == GUIDANCE and question.span != 0:
        raise MetricError(f"{name}: span {question.span}; guidance is about one scene, span 0.")
    if question.type != GUIDANCE and not 1 <= question.span < question.n_scenarios:
        raise MetricError(
            f"{name}: a transition of span {question.span} in a stage of {question.n_scenarios} scenes."
        )


def _check_prerequisites(question: Question, by_id: Mapping[str, Question]) -> None:
    for needed in question.prerequisites:
        other = by_id.get(needed)
        if other is not None and (other.stage_id, other.type) != (question.stage_id, GUIDANCE):
            raise MisalignedInput(
                f"Question {question.item_id!r} has the prerequisite {needed!r}, which is not a "
                "guidance question of its stage."
            )


def is_letter(value: object) -> bool:
    """Whether `value` is one of LETTERS."""
    return isinstance(value, str) and len(value) == 1 and value in LETTERS
