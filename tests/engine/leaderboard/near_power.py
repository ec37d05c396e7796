"""How often copies are flagged, and models that did not copy: the tables of docs/how-to/leaderboard.md.

`python -m tests.engine.leaderboard.near_power` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from otherminds.leaderboard.judging.near import likeness
from otherminds.leaderboard.judging.shared_errors import Codes, shared_errors

Pair = tuple[Codes, Codes, Codes]
"""Golds, and the answers of two models: places from 1."""

Draw = Callable[[np.random.Generator], Pair]


class Rates(NamedTuple):
    """Shares of pairs that are flagged: by wrong answers, and by these or kappa."""

    wrong: float
    either: float


def rates(draw: Draw, *, repeats: int, seed: int) -> Rates:
    """The shares among so many pairs."""
    rng = np.random.default_rng(seed)
    by_wrong = by_either = 0
    for _ in range(repeats):
        golds, one, other = draw(rng)
        by_wrong += shared_errors(one, other, golds, golds).is_improbable
        found = likeness(one[None], other[None], golds, golds)
        by_either += found is not None and found.is_improbable
    return Rates(by_wrong / repeats, by_either / repeats)


def answered(rng: np.random.Generator, golds: Codes, right: object, options: int) -> Codes:
    """Right with a probability (one, or one for each item), else another option at random."""
    wrong = (golds - 1 + rng.integers(1, options, len(golds))) % options + 1
    return np.where(rng.random(len(golds)) < right, golds, wrong)


def copies(accuracy: float, changed: int, *, n: int = 390, options: int = 2) -> Draw:
    """A model and its copy, of which so many answers are changed at random."""

    def draw(rng: np.random.Generator) -> Pair:
        golds = rng.integers(1, options + 1, n)
        one = answered(rng, golds, accuracy, options)
        other = one.copy()
        places = rng.choice(n, changed, replace=False)
        other[places] = (one[places] - 1 + rng.integers(1, options, changed)) % options + 1
        return golds, one, other

    return draw


def independent(first: float, second: float, *, n: int = 390, options: int = 2) -> Draw:
    """Two models that err independently."""

    def draw(rng: np.random.Generator) -> Pair:
        golds = rng.integers(1, options + 1, n)
        one, other = (answered(rng, golds, right, options) for right in (first, second))
        return golds, one, other

    return draw


def noisy(shared: float, own: float, *, n: int = 390) -> Draw:
    """Two models that are both wrong on the same share of two-option items, and err elsewhere too."""

    def draw(rng: np.random.Generator) -> Pair:
        golds = rng.integers(1, 3, n)
        best = answered(rng, golds, 1 - shared, 2)
        one, other = (answered(rng, best, 1 - own, 2) for _ in range(2))
        return golds, one, other

    return draw


def rows(repeats: int) -> Iterator[tuple[str, str, Rates]]:
    """Every case of the tables."""
    for options in (2, 4, 10):
        for accuracy in (0.6, 0.915, 0.97):
            for changed in (8, 18, 39, 59, 78):
                name = f"{options} options, accuracy {accuracy}"
                draw = copies(accuracy, changed, options=options)
                yield name, f"{changed} of 390 changed", rates(draw, repeats=repeats, seed=1)
    for options in (2, 4, 10):
        for pair in ((0.6, 0.6), (0.915, 0.915), (0.97, 0.97), (0.6, 0.915)):
            draw = independent(*pair, options=options)
            name = f"{options} options, accuracies {pair[0]} and {pair[1]}"
            yield name, "independent", rates(draw, repeats=repeats, seed=2)
    for shared, own in ((0.085, 0.0), (0.085, 0.05), (0.1, 0.15), (0.15, 0.05), (0.2, 0.1)):
        name = (
            f"2 options, {shared:.1%} of golds that nobody can know, {own:.0%} errors of each's own"
        )
        yield name, "no copy", rates(noisy(shared, own), repeats=repeats, seed=3)


if __name__ == "__main__":
    for name, what, found in rows(2_000):
        print(f"{name:75}{what:22}{found.wrong:8.4f}{found.either:8.4f}")
