"""Rankings at a wanted distance from another: the imposed priors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.types import IntArray

EXACT_UP_TO = 9
"""Number of levels up to which all permutations are enumerated (9! = 362,880)."""

_STARTS = 50
_TRIES_PER_PAIR = 40
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Perturbed:
    """A perturbed ranking.

    order     the levels from the one that sends least to the one that sends most
    spearman  Spearman's ρ of `order` with the ranking that was perturbed
    exact     whether that is the target; else it is the closest that was found
    """

    order: tuple[int, ...]
    spearman: float
    exact: bool


def perturbed(ranking: Sequence[int], target: float, *, seed: int) -> Perturbed:
    """A permutation of `ranking` whose Spearman correlation with it is as close to `target` as can be.

    ρ = 1 - 6 Σ d² / (L (L² - 1)),  d = how many places each of the L levels moves

    ranking  the levels 0 to L - 1 in the elicited order, without ties
    target   -1 to 1; the paper imposes 0.8 and 0.2

    Up to EXACT_UP_TO levels all permutations are enumerated, so that no other comes closer, and one of
    the equally distant ones is drawn uniformly. With more levels, random exchanges of two places are
    accepted when they do not lead away from the wanted Σ d², from up to 50 random starts; the best
    permutation found is returned, which need not be drawn uniformly.

    Few levels allow few correlations: two only -1 and 1 (hence the elicited ranking itself for any
    target above 0), three also ±0.5. When a correlation below the target is exactly as close as one
    above, the one below is taken: the other is nearer to the elicited ranking, and at worst equal to
    it, which would impose nothing. Same arguments, same result; rankings of equally many levels are
    perturbed alike under the same seed, so give each attribute its own.

    Raises MisalignedInput unless `ranking` is a permutation of 0 to L - 1, MetricError for L < 2 or a
    target outside -1..1.
    """
    order = np.array(ranking, dtype=np.intp)
    levels = len(order)
    if sorted(ranking) != list(range(levels)):
        raise MisalignedInput(f"Ranking {list(ranking)}: give each level 0 to {levels - 1} once.")
    if levels < 2:
        raise MetricError(f"A ranking of {levels} levels cannot be perturbed: two are needed.")
    if not -1 <= target <= 1:
        raise MetricError(f"Target correlation {target}: give a number from -1 to 1.")
    rng = np.random.default_rng(seed)
    unit = 6 / (levels * (levels**2 - 1))
    wanted = (1 - target) / unit
    find = _enumerated if levels <= EXACT_UP_TO else _searched
    places = find(levels, wanted, rng)
    moved = int(((places - np.arange(levels)) ** 2).sum())
    return Perturbed(
        order=tuple(int(level) for level in order[places]),
        spearman=1 - unit * moved,
        exact=abs(moved - wanted) <= _ROUNDING * levels**3,
    )


def _enumerated(levels: int, wanted: float, rng: np.random.Generator) -> IntArray:
    """A permutation of the closest Σ d², drawn uniformly."""
    table, moved = _all_permutations(levels)

    def distance(value: int) -> tuple[float, int]:
        """By closeness; of two equally close ones the larger Σ d², which is the lower correlation."""
        return round(abs(value - wanted), 6), -value

    best = min(np.unique(moved).tolist(), key=distance)
    found = np.flatnonzero(moved == best)
    places: IntArray = table[found[rng.integers(len(found))]].astype(np.intp)
    return places


@lru_cache(maxsize=EXACT_UP_TO)
def _all_permutations(levels: int) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """All permutations of 0 to levels - 1, shape (levels!, levels), and the Σ d² of each."""
    table = np.zeros((1, 1), dtype=np.int8)
    for level in range(1, levels):
        table = np.concatenate(
            [np.insert(table, place, level, axis=1) for place in range(level + 1)]
        )
    moves = table.astype(np.int32) - np.arange(levels, dtype=np.int32)
    return table, (moves**2).sum(axis=1, dtype=np.int32)


def _searched(levels: int, wanted: float, rng: np.random.Generator) -> IntArray:
    """A permutation of the even Σ d² next to `wanted`, or the closest that the search comes to."""
    # Σ d² is even, and from four levels on every even number up to its maximum occurs.
    goal = min(2 * math.floor(wanted / 2 + 0.5 + _ROUNDING), levels * (levels**2 - 1) // 3)
    closest, left = np.arange(levels), goal
    for _ in range(_STARTS):
        places = rng.permutation(levels)
        off = int(((places - np.arange(levels)) ** 2).sum()) - goal
        for i, j in rng.integers(levels, size=(_TRIES_PER_PAIR * levels**2, 2)).tolist():
            if abs(off) < left:
                closest, left = places.copy(), abs(off)
            if left == 0:
                return closest
            # Exchanging the places of i and j changes Σ d² by 2 (i - j)(p_i - p_j).
            change = 2 * (i - j) * int(places[i] - places[j])
            if abs(off + change) <= abs(off):
                places[[i, j]] = places[[j, i]]
                off += change
    return closest
