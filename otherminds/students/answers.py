"""From scores of options to the share of right answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.students.view import Item
from otherminds.types import FloatArray

_SAME = 9
"""Scores that agree to so many decimals are ties, so that rounding decides nothing."""


def right(item: Item) -> FloatArray:
    """1 for each option that counts as right, else 0."""
    places = np.arange(len(item.options))
    return np.asarray(np.abs(places - item.gold) <= item.near, dtype=float)


def share(item: Item, scores: FloatArray) -> float:
    """The expected share right, from 0 to 1, of taking the option with the highest score.

    Scores are log-odds or their like, one for each option. Where neighbours of the right option count,
    an option's probability is summed with theirs first. Ties are broken at random.
    """
    value = np.asarray(scores, dtype=float)
    if item.near:
        odds = np.exp(value - value.max())
        value = within(odds / odds.sum(), item.near)
    value = np.round(value, _SAME)
    best = value == value.max()
    return float((best * right(item)).sum() / best.sum())


def shares(items: Sequence[Item], scores: Sequence[FloatArray]) -> FloatArray:
    """`share` of each item; shape (items,)."""
    return np.array([share(*pair) for pair in zip(items, scores, strict=True)])


def chance(items: Sequence[Item]) -> FloatArray:
    """The expected share right of options drawn at random; shape (items,)."""
    return np.array([right(item).mean() for item in items])


def within(chances: FloatArray, near: int) -> FloatArray:
    """For each place, the sum of the chances at most `near` places from it."""
    padded = np.concatenate([[0.0], np.cumsum(chances)])
    places = np.arange(len(chances))
    highest = np.minimum(places + near + 1, len(chances))
    return np.asarray(padded[highest] - padded[np.maximum(places - near, 0)])


def in_items(items: Sequence[Item], values: FloatArray) -> list[FloatArray]:
    """One array over all options of all items, cut into one array per item."""
    return np.split(values, np.cumsum([len(item.options) for item in items])[:-1])
