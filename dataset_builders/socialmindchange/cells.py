"""The cells of a stage's questions: four types about four mental states, five questions in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

QuestionType: TypeAlias = Literal[
    "guidance_action", "transition_state", "transition_reason", "transition_plan"
]
MentalState: TypeAlias = Literal["belief", "emotion", "intention", "action"]

TYPES: Final[tuple[QuestionType, ...]] = get_args(QuestionType)
STATES: Final[tuple[MentalState, ...]] = get_args(MentalState)

LETTERS: Final = "abcdefghijklmnop"
"""Of options: a question has the first so many."""

PER_CELL: Final = 5
PER_STAGE: Final = PER_CELL * len(TYPES) * len(STATES)

_CODES: Final[dict[QuestionType, str]] = {
    "guidance_action": "GA",
    "transition_state": "T1",
    "transition_reason": "T2",
    "transition_plan": "T3",
}


def item_ids(stage_id: str, cells: Iterable[tuple[QuestionType, MentalState]]) -> list[str]:
    """The ids of a stage's questions, by the cells that they are in: numbered in each from 1."""
    counts: Counter[tuple[QuestionType, MentalState]] = Counter()
    found = []
    for kind, state in cells:
        counts[kind, state] += 1
        found.append(f"{stage_id}-{_CODES[kind]}-{state}-{counts[kind, state]}")
    return found
