"""A person's rating of a stage, and answer to a question, of SocialMindChange."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.socialmindchange.items import (
    LETTERS,
    STATES,
    TYPES,
    is_letter,
    letters_told,
)

DIMENSIONS = ("coherence", "rationality", "authenticity")
SCALE = (1, 2, 3, 4, 5)


class Rating(NamedTuple):
    """One person's rating of one dimension of one stage; `value` is one of SCALE."""

    stage_id: str
    annotator: str
    dimension: str
    value: int


class HumanAnswer(NamedTuple):
    """One person's answer to one question; `given` and the gold `answer` are two of its letters.

    options  how many options the question has
    """

    item_id: str
    stage_id: str
    type: str
    mental_state: str
    annotator: str
    answer: str
    given: str
    options: int = len(LETTERS)


def check_ratings(ratings: Sequence[Rating]) -> None:
    """Refuse ratings that cannot be measured.

    Raises EmptyInput without any, MetricError for an unknown dimension or a value off the scale,
    MisalignedInput where a person rated a dimension of a stage twice.
    """
    if not ratings:
        raise EmptyInput("No ratings.")
    for one in ratings:
        if one.dimension not in DIMENSIONS:
            raise MetricError(f"Dimension {one.dimension!r} is none of {', '.join(DIMENSIONS)}.")
        if one.value not in SCALE:
            raise MetricError(f"Rating {one.value!r} of {one.stage_id!r} is not 1, 2, 3, 4 or 5.")
    _check_once((one.stage_id, one.dimension, one.annotator) for one in ratings)


def check_answers(answers: Sequence[HumanAnswer]) -> None:
    """Refuse answers that cannot be measured.

    Raises EmptyInput without any, MetricError for an unknown type, mental state or letter,
    MisalignedInput where a person answered a question twice, or a question has two golds or stages.
    """
    if not answers:
        raise EmptyInput("No answers.")
    facts: dict[str, tuple[str, ...]] = {}
    for one in answers:
        name = f"Question {one.item_id!r}"
        if one.type not in TYPES or one.mental_state not in STATES:
            raise MetricError(f"{name}: no type or mental state {one.type!r}/{one.mental_state!r}.")
        for letter in (one.answer, one.given):
            if not is_letter(letter, one.options):
                raise MetricError(
                    f"{name}: {letter!r} is not a letter {letters_told(one.options)}."
                )
        known = (one.stage_id, one.type, one.mental_state, one.answer, str(one.options))
        if facts.setdefault(one.item_id, known) != known:
            raise MisalignedInput(f"{name} has another gold, stage, type or state than before.")
    _check_once((one.item_id, "answer", one.annotator) for one in answers)


def _check_once(keys: Iterable[tuple[str, str, str]]) -> None:
    seen = set()
    for key in keys:
        if key in seen:
            of, what, annotator = key
            raise MisalignedInput(f"{annotator!r} gave the {what} of {of!r} twice.")
        seen.add(key)
