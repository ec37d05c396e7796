"""All pairs of models compared at once, person by person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.multiplicity import ALPHA
from otherminds.metrics.permutation import sign_patterns
from otherminds.metrics.uncertainty import SEED
from otherminds.types import FloatArray

DRAWS = 1_999
"""Sign patterns drawn: the smallest p-value is 1/2,000."""

# As in the sign-flip test, values that differ by less are ties, which count against the observed one.
# It is wider here because all pairs' statistics are differences of projections.
_TIE = 1e-9


@dataclass(frozen=True)
class Pairs:
    """M models compared with each other; every matrix has shape (M, M).

    difference  of the means over all items, row minus column
    stderr      of the difference, person-clustered; NaN with one person
    p           adjusted for the number of pairs; 1 on the diagonal
    """

    difference: FloatArray
    stderr: FloatArray
    p: FloatArray
    n_people: int

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Which models are told apart: p < 0.05."""
        return self.p < ALPHA


def compare_all(
    sums: FloatArray, counts: FloatArray, *, draws: int = DRAWS, seed: int = SEED
) -> Pairs:
    """Compare every two of M models by the mean of their item scores.

    sums    shape (M, G): the sum of each of G people's item scores, by model
    counts  shape (G,): each person's items, the same for all models

    With d_g = x_ag - x_bg the statistic of a pair is t = |Σ_g d_g| / sqrt(Σ_g d_g²). Under a sign
    pattern s it becomes t* = |Σ_g s_g·d_g| / sqrt(Σ_g d_g²); one pattern is applied to all pairs, and
    a pair's t is compared with the largest t* of any pair:

    p = share of the patterns, the observed one included, with max over pairs of t* ≥ t

    For two models this is the sign-flip test of `otherminds.metrics.permutation`, with all patterns
    where there are few people and `draws` seeded ones otherwise. For more it is the single-step max-t
    adjustment of Westfall and Young (1993): the chance of any false "told apart" on a board is about α,
    however the pairs depend on each other. It is an approximation with three models or more, because
    flipping the signs of one person's differences together keeps their correlations, but is an exact
    symmetry only where these differences are jointly symmetric about 0. Holm's adjustment, which
    `otherminds compare` uses, would need a million draws to tell any two of 500 models apart.

    stderr = sqrt( G/(G-1) · Σ_g (d_g - δ·n_g)² ) / N, with the difference of means δ and N = Σ_g n_g.
    """
    models, people = sums.shape
    # Differences do not change, and rounding is smaller.
    centred = sums - sums.mean(axis=0)
    n = float(counts.sum())
    means = centred.sum(axis=1) / n
    difference = means[:, None] - means[None, :]
    sizes = np.empty((models, models))
    stderr = np.full((models, models), np.nan)
    for a in range(models):
        d = centred[a] - centred
        sizes[a] = np.sqrt((d * d).sum(axis=1))
        if people > 1:
            residuals = d - difference[a][:, None] * counts
            squares = (residuals * residuals).sum(axis=1)
            stderr[a] = np.sqrt(people / (people - 1) * squares) / n
    # Models with the same answers have t = 0 in every pattern.
    inverse = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    observed = np.abs(difference) * n * inverse
    p = np.ones((models, models))
    if models > 1:
        p = _adjusted(centred, inverse, observed, draws=draws, seed=seed)
        np.fill_diagonal(p, 1.0)
    return Pairs(difference, stderr, p, people)


def _adjusted(
    centred: FloatArray, inverse: FloatArray, observed: FloatArray, *, draws: int, seed: int
) -> FloatArray:
    patterns = sign_patterns(centred.shape[1], draws=draws, seed=seed)
    buffer = np.empty_like(inverse)
    largest = []
    for signs in patterns.blocks:
        for projected in signs @ centred.T:
            np.subtract(projected[:, None], projected[None, :], out=buffer)
            np.multiply(buffer, inverse, out=buffer)
            # The matrix is antisymmetric: its maximum is that of its absolute values.
            largest.append(float(buffer.max()))
    maxima = np.sort(largest)
    at_least = len(maxima) - np.searchsorted(maxima, observed * (1 - _TIE) - _TIE, side="left")
    p_of = np.array([patterns.p_value(count) for count in range(len(maxima) + 1)])
    return np.asarray(p_of[at_least], dtype=np.float64)
