"""Which of a person's beliefs are known, and which are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

_Belief = TypeVar("_Belief")


def split(beliefs: Sequence[_Belief], share: float) -> tuple[list[_Belief], list[_Belief]]:
    """The first `share` of `beliefs`, rounded down, and the rest.

    Ordered by time, the first are the known beliefs and the rest the test. Rounding down agrees
    with the paper's counts (92,267 known and 26,852 test beliefs of 5,712 people with a share of
    0.8; rounding to the nearest would give fewer test beliefs). Raises ValueError for a share that
    is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"The share of known beliefs is {share}, but must lie between 0 and 1.")
    # As a fraction: 0.8 as a float would round some multiples of 5 to one too few or too many.
    known = int(Fraction(str(share)) * len(beliefs))
    return list(beliefs[:known]), list(beliefs[known:])


def check_sizes(min_beliefs: int, known_share: float) -> None:
    """Raises ValueError where a person could be left without a known or a test belief."""
    if not 0 < known_share < 1:
        raise ValueError(f"known_share is {known_share}, but must lie between 0 and 1.")
    if min_beliefs < 2:
        raise ValueError(
            f"min_beliefs is {min_beliefs}, but one known and one test belief need two."
        )
