"""The parameters of ablations arrive from a command line: one clear error for a bad one."""

from __future__ import annotations


def check_count(k: int) -> None:
    """Raise ValueError unless `k` is a whole number of turns, at least 1."""
    if type(k) is not int or k < 1:
        raise ValueError(
            f"k is {k!r}, but it must be a whole number of turns, at least 1; the ablation "
            "no_context shows none."
        )


def check_seed(seed: int) -> None:
    """Raise ValueError unless `seed` is a whole number, at least 0."""
    if type(seed) is not int or seed < 0:
        raise ValueError(f"The seed is {seed!r}, but it must be a whole number, at least 0.")
