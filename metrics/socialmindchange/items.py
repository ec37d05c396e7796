"""A question of SocialMindChange as the metrics see it: what is asked, gold, and the parsed answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

GUIDANCE = "guidance_action"
TRANSITIONS = ("transition_state", "transition_reason", "transition_plan")
TYPES = (GUIDANCE, *TRANSITIONS)
STATES = ("belief", "emotion", "intention", "action")

LETTERS = "abcdefghijklmnop"
"""The options, sixteen at most; a question has the first so many."""

FEWEST = 2
"""Options that a question has at least."""


class Question(NamedTuple):
    """One question about one stage.

    item_id        unique in the data
    stage_id       the stage: the cluster of all uncertainty
    type           one of TYPES
    mental_state   one of STATES
    third_order    whether it asks what somebody believes that another one thinks of a third one's state
    span           scenes from the first to the second one asked about; 0 for guidance that is about one
                   scene
    group_size     characters in the stage
    n_scenarios    scenes of the stage
    answer         gold: one of its letters
    prerequisites  ids of the other questions of the same stage that the answer rests on
    answers        the parsed answer of each of K runs: one of its letters, or None where none could be
                   read
    options        how many options it has; its letters are the first so many of LETTERS
    order          the highest order of belief that it is about, 0 for what everybody can see; None where
                   the data do not say
    steps          how many conclusions the right answer takes; None where the data do not say
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
    options: int = len(LETTERS)
    order: int | None = None
    steps: int | None = None


def check_items(questions: Sequence[Question]) -> int:
    """Refuse questions that cannot be scored; return K, the number of runs.

    Raises EmptyInput without questions; MisalignedInput for an id given twice, unless all questions have
    the same K ≥ 1, for a stage with two group sizes or numbers of scenes, or a prerequisite that is the
    question itself or one of another stage; MetricError for an unknown type, mental state or letter, a
    letter beyond the options, a span that its type or stage cannot have, or an impossible group size,
    order, number of steps or of options.

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
    if not FEWEST <= question.options <= len(LETTERS):
        raise MetricError(
            f"{name}: {question.options} options; there are {FEWEST} to {len(LETTERS)}."
        )
    if not is_letter(question.answer, question.options):
        raise MetricError(
            f"{name}: gold {question.answer!r} is not a letter {letters_told(question.options)}."
        )
    for answer in question.answers:
        if answer is not None and not is_letter(answer, question.options):
            raise MetricError(
                f"{name}: answer {answer!r} is not a letter {letters_told(question.options)} and not "
                "None."
            )


def _check_numbers(question: Question, name: str) -> None:
    if question.group_size < 1:
        raise MetricError(f"{name}: a group of {question.group_size}.")
    # An aim of guidance may be for its own scene or for a later one.
    least, what = (0, "guidance") if question.type == GUIDANCE else (1, "a transition")
    if not least <= question.span < question.n_scenarios:
        raise MetricError(
            f"{name}: {what} of span {question.span} in a stage of {question.n_scenarios} scenes."
        )
    for counted in (question.order, question.steps):
        if counted is not None and counted < 0:
            raise MetricError(f"{name}: an order of belief or a number of steps of {counted}.")


def _check_prerequisites(question: Question, by_id: Mapping[str, Question]) -> None:
    for needed in question.prerequisites:
        other = by_id.get(needed)
        if needed == question.item_id or (other and other.stage_id != question.stage_id):
            raise MisalignedInput(
                f"Question {question.item_id!r} has the prerequisite {needed!r}, which is not another "
                "question of its stage."
            )


def is_letter(value: object, options: int = len(LETTERS)) -> bool:
    """Whether `value` is one of the first `options` of LETTERS."""
    return isinstance(value, str) and len(value) == 1 and value in LETTERS[:options]


def letters_told(options: int = len(LETTERS)) -> str:
    """The letters of so many options, for messages."""
    return f"from {LETTERS[0]} to {LETTERS[options - 1]}"


def chance(options: Iterable[int]) -> float:
    """Expected accuracy of a blind guess: the mean of 1 / options over questions.

    Raises EmptyInput without questions.
    """
    shares = [1 / one for one in options]
    if not shares:
        raise EmptyInput("No questions.")
    return math.fsum(shares) / len(shares)
