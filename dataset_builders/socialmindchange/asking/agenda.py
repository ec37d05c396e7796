"""The eighty questions of a stage: five for each of four types and four mental states."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.asking import guidance, outcomes, plans
from otherminds.dataset_builders.socialmindchange.asking.question import (
    STATES,
    TYPES,
    Question,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Roll

PER_CELL: Final = 5
PER_STAGE: Final = PER_CELL * len(TYPES) * len(STATES)
_PLAN_SETS: Final = 6


def questions(rng: np.random.Generator, roll: Roll) -> list[Question]:
    """The questions of a stage by type and state. Raises NoQuestionError where there are not enough."""
    solved = list(guidance.solved(roll))
    if len(solved) < PER_CELL:
        raise outcomes.NoQuestionError(f"guidance_action: {len(solved)} occasions")
    asking = outcomes.Asking.of(rng, roll)
    sets = list(islice(plans.courses(rng, roll), _PLAN_SETS))
    found: list[Question] = []
    for kind in TYPES:
        for state in STATES:
            if kind == "guidance_action":
                for _ in range(PER_CELL):
                    found.append(guidance.question(rng, roll, solved, state, asking.used))
            elif kind == "transition_plan":
                for _ in range(PER_CELL):
                    found.append(plans.question(rng, roll, sets, state, asking.used))
            else:
                spans, orders = _spans(rng, len(roll.frame.scenes)), _orders(rng)
                found += outcomes.questions(rng, asking, kind, state, spans, orders)
    return found


def _spans(rng: np.random.Generator, scenes: int) -> list[int]:
    """Five spans: one of each there is (five of six in the longest stages), the rest of one scene."""
    spans: list[int] = shuffled(rng, range(1, scenes))[:PER_CELL]
    return spans + [1] * (PER_CELL - len(spans))


def _orders(rng: np.random.Generator) -> list[int]:
    """Orders of belief that follow each other in a drawn turn."""
    start = int(rng.integers(len(outcomes.ORDERS)))
    return [outcomes.ORDERS[(start + place) % len(outcomes.ORDERS)] for place in range(PER_CELL)]
