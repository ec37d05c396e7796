"""The eighty questions of a stage: five for each of four types and four mental states."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.asking import guidance, outcomes, plans
from otherminds.dataset_builders.socialmindchange.asking.elsewhere import Elsewhere
from otherminds.dataset_builders.socialmindchange.asking.question import (
    STATES,
    TYPES,
    Question,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Roll

PER_CELL: Final = 5
PER_STAGE: Final = PER_CELL * len(TYPES) * len(STATES)
ORDERS: Final = 3
_PLAN_SETS: Final = 6


def questions(rng: np.random.Generator, roll: Roll) -> list[Question]:
    """The questions of a stage by type and state. Raises NoQuestionError where there are not enough."""
    used: set[object] = set()
    elsewhere = Elsewhere(roll)
    solved = list(guidance.solved(roll))
    sets = list(islice(plans.courses(rng, roll), _PLAN_SETS))
    found: list[Question] = []
    for kind in TYPES:
        for state in STATES:
            if kind == "guidance_action":
                found += [guidance.question(rng, roll, solved, state, used) for _ in range(PER_CELL)]
            elif kind == "transition_plan":
                found += [plans.question(rng, roll, sets, state, used) for _ in range(PER_CELL)]
            else:
                for span, order in _spans_and_orders(rng, len(roll.frame.scenes)):
                    found.append(
                        outcomes.question(rng, roll, elsewhere, kind, state, span, order, used)
                    )
    return found


def _spans_and_orders(rng: np.random.Generator, scenes: int) -> list[tuple[int, int]]:
    """Five spans: one of each there is (five of six in the longest stages), the rest of one scene; with
    orders of belief that follow each other in a drawn turn."""
    spans: list[int] = shuffled(rng, range(1, scenes))[:PER_CELL]
    spans += [1] * (PER_CELL - len(spans))
    start = int(rng.integers(ORDERS))
    return [(span, (start + place) % ORDERS + 1) for place, span in enumerate(spans)]
