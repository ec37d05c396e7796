"""Checking the sizes in a builder's parameters."""

from __future__ import annotations


def check_sizes(min_beliefs: int, known_share: float) -> None:
    """Raises ValueError where a person could be left without a known or a test belief."""
    if not 0 < known_share < 1:
        raise ValueError(f"known_share is {known_share}, but must lie between 0 and 1.")
    if min_beliefs < 2:
        raise ValueError(
            f"min_beliefs is {min_beliefs}, but one known and one test belief need two."
        )
