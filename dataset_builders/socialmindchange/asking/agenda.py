"""The eighty questions of a stage: five for each of four types and four mental states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.asking import (
    guidance,
    outcomes,
    plans,
    situations,
)
from otherminds.dataset_builders.socialmindchange.asking.parts import ORDERS
from otherminds.dataset_builders.socialmindchange.asking.question import Question
from otherminds.dataset_builders.socialmindchange.asking.situations import Asking, NoQuestionError
from otherminds.dataset_builders.socialmindchange.cells import (
    PER_CELL,
    STATES,
    TYPES,
    MentalState,
    QuestionType,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Roll


def questions(rng: np.random.Generator, roll: Roll) -> list[Question]:
    """The questions of a stage by type and state. Raises NoQuestionError where there are not enough."""
    stirring = situations.stirring(roll)
    solved = guidance.solved(rng, roll)
    if len(solved) < PER_CELL:
        raise NoQuestionError(f"guidance_action: {len(solved)} occasions")
    asking = Asking.of(rng, roll, stirring)
    sets = plans.courses(rng, roll)
    if not sets:
        raise NoQuestionError("transition_plan: no courses")
    found = {
        (kind, state): list(_cell(rng, kind, state, solved, sets, asking))
        for state in reversed(STATES)
        for kind in reversed(TYPES)
    }
    return [question for kind in TYPES for state in STATES for question in found[kind, state]]


def _cell(
    rng: np.random.Generator,
    kind: QuestionType,
    state: MentalState,
    solved: list[guidance.Solved],
    sets: list[plans.Courses],
    asking: Asking,
) -> Iterator[Question]:
    """The questions of a type about a state."""
    if kind == "guidance_action":
        for _ in range(PER_CELL):
            yield guidance.question(rng, asking.roll, solved, state, asking.used)
    elif kind == "transition_plan":
        for _ in range(PER_CELL):
            yield plans.question(rng, asking.roll, sets, state, asking.used)
    else:
        spans, orders = _spans(rng, len(asking.roll.frame.scenes)), _orders(rng)
        yield from outcomes.questions(rng, asking, kind, state, spans, orders)


def _spans(rng: np.random.Generator, scenes: int) -> list[int]:
    """Five spans: one of each there is (five of six in the longest stages), the rest of one scene."""
    spans: list[int] = shuffled(rng, range(1, scenes))[:PER_CELL]
    return spans + [1] * (PER_CELL - len(spans))


def _orders(rng: np.random.Generator) -> list[int]:
    """Orders of belief that follow each other in a drawn turn."""
    start = int(rng.integers(len(ORDERS)))
    return [ORDERS[(start + place) % len(ORDERS)] for place in range(PER_CELL)]
