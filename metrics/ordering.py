"""Whether people's scores fall from condition to condition: paired tests over people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import page_trend_test

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.permutation import SIGN_FLIPS, sign_flip_test
from otherminds.metrics.uncertainty import SEED, Estimate, clustered_mean, partition


@dataclass(frozen=True)
class Step:
    """A condition against the next one.

    above, below  their names
    difference    mean over people of above - below, with its t interval
    n_above       people who score higher under the first; ties count in neither direction
    p_value       one-sided, that the difference is greater than 0 (see `ordered`)
    exact         whether all sign patterns were compared, or some drawn at random
    """

    above: str
    below: str
    difference: Estimate
    n_above: int
    p_value: float
    exact: bool


@dataclass(frozen=True)
class Ordering:
    """Outcome of `ordered`.

    steps      each condition against the next one
    n_people   people, each with a score under every condition
    n_ordered  people whose own scores are strictly in the order
    p_value    that every step goes down
    page_l     Page's L
    page_p     its p-value, that there is a trend at all
    """

    steps: tuple[Step, ...]
    n_people: int
    n_ordered: int
    p_value: float
    page_l: float
    page_p: float


def ordered(
    scores: ArrayLike, conditions: Sequence[str], *, draws: int = SIGN_FLIPS, seed: int = SEED
) -> Ordering:
    """Test that scores fall strictly from each condition to the next, in the order given.

    scores      shape (n, C): a row per person, a column per condition, expected highest first
    conditions  their C ≥ 2 names

    A step's p-value is that of the one-sided sign-flip test of the people's differences d_i:
    p = #{s: Σ s_i·d_i ≥ Σ d_i} / 2^m over all patterns s of signs of the m nonzero d_i, or over `draws`
    seeded random ones where these are fewer; 1 where Σ d_i ≤ 0. At best it is 2^-m: four people cannot
    show an order at 5 %, five can.

    The order's p-value is the largest of its steps' (intersection-union test: the order holds only if
    every step does, and then no correction for several tests is needed). Page's test has a weaker
    alternative, that at least one step goes down and none up, and looks at ranks within people alone.

    Raises EmptyInput without people, MisalignedInput for another shape, MetricError for a score that is
    no number: leave such people out, and say how many.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] != len(conditions) or len(conditions) < 2:
        raise MisalignedInput(
            f"Scores of shape {values.shape} for {len(conditions)} conditions: give a row per person "
            "and a column for each of at least 2 conditions."
        )
    if len(values) == 0:
        raise EmptyInput("Nobody has a score under every condition: there is no order to test.")
    if not np.isfinite(values).all():
        raise MetricError("A score is NaN or infinite: leave that person out.")
    steps = tuple(
        _step(values[:, c] - values[:, c + 1], *conditions[c : c + 2], draws=draws, seed=seed)
        for c in range(len(conditions) - 1)
    )
    page = _page(values)
    return Ordering(
        steps=steps,
        n_people=len(values),
        n_ordered=int(np.all(np.diff(values, axis=1) < 0, axis=1).sum()),
        p_value=max(step.p_value for step in steps),
        page_l=page[0],
        page_p=page[1],
    )


def _step(differences: np.ndarray, above: str, below: str, *, draws: int, seed: int) -> Step:
    test = sign_flip_test(differences, draws=draws, seed=seed)
    people = partition([str(i) for i in range(len(differences))])
    return Step(
        above=above,
        below=below,
        difference=clustered_mean(differences.tolist(), people),
        n_above=int(np.count_nonzero(differences > 0)),
        # Under the hypothesis the sign of the sum is a fair coin, whatever its size.
        p_value=test.p_value / 2 if test.statistic > 0 else 1.0,
        exact=test.exact,
    )


def _page(values: np.ndarray) -> tuple[float, float]:
    """Page's L and its p-value; scipy's test takes at least 2 people and 3 conditions."""
    people, conditions = values.shape
    if people < 2 or conditions < 3:
        return float("nan"), float("nan")
    ranks = list(range(conditions, 0, -1))
    found = page_trend_test(values, predicted_ranks=ranks)
    return float(found.statistic), float(found.pvalue)
