"""Eta squared: the share of the variance of sends that lies between the levels of an attribute."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import partition

EFFECT_SIZE_CLASSES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"small": (0.01, 0.06), "medium": (0.06, 0.14), "large": (0.14, 1.0)}
)
"""Bounds of eta squared for each class that a model may name; the midpoint counts."""

PEOPLE_PER_LEVEL = 100
"""How many people per level the dollar elicitation asks the model to think of."""


def eta_squared(sends: ArrayLike, groups: Sequence[str]) -> float:
    """η² = SS_between / SS_total of a one-way analysis of variance, 0 to 1.

    SS_between = Σ_g n_g (x̄_g - x̄)²,  SS_total = Σ_i (x_i - x̄)²

    sends   shape (N,), dollars
    groups  the level of each of the N people

    Raises MisalignedInput for unequal lengths, EmptyInput without sends, MetricError for a send that is
    not finite, for fewer than two groups, or when all sends are equal: then nothing varies that could
    lie between levels, and η² is undefined rather than 0.
    """
    x = np.asarray(sends, dtype=np.float64)
    if x.shape != (len(groups),):
        raise MisalignedInput(f"Sends of shape {x.shape} for {len(groups)} groups: give one each.")
    if x.size == 0:
        raise EmptyInput("No sends: there is no effect to measure.")
    if not np.isfinite(x).all():
        raise MetricError("A send is NaN or infinite: leave that person out.")
    people = partition(groups)
    if people.count < 2:
        raise MetricError(f"All sends are of level {groups[0]!r}: eta squared needs two levels.")
    if np.ptp(x) == 0:
        raise MetricError(f"All sends are {x[0]:g}: eta squared is undefined.")
    deviations = x - x.mean()
    sizes = people.totals(np.ones(x.size))
    between = float((people.totals(deviations) ** 2 / sizes).sum())
    return min(between / float(deviations @ deviations), 1.0)


def elicited_eta_squared(means: ArrayLike, sds: ArrayLike, n: int = PEOPLE_PER_LEVEL) -> float:
    """η² of L levels of n people each, known by their means and standard deviations.

    SS_between = n Σ_l (m_l - m̄)²,  SS_within = Σ_l (n - 1) s_l²,  η² = SS_b / (SS_b + SS_w)

    means, sds  shape (L,), dollars

    Raises MisalignedInput for unequal shapes, MetricError for fewer than two levels, n < 2, a number
    that is not finite, a negative SD, or when nothing varies (equal means and all SDs 0).
    """
    m, s = np.asarray(means, dtype=np.float64), np.asarray(sds, dtype=np.float64)
    if m.ndim != 1 or m.shape != s.shape:
        raise MisalignedInput(f"Means of shape {m.shape}, SDs of {s.shape}: give one per level.")
    if m.size < 2 or n < 2:
        raise MetricError(f"{m.size} levels of {n} people: eta squared needs two of each.")
    if not (np.isfinite(m).all() and np.isfinite(s).all()) or (s < 0).any():
        raise MetricError("A mean or SD is NaN or infinite, or an SD is negative.")
    if np.ptp(m) == 0 and not s.any():
        raise MetricError("Means are equal and all SDs are 0: eta squared is undefined.")
    # By a power of two, which changes no digit: squares of huge numbers would overflow.
    _, exponent = math.frexp(max(float(np.abs(m).max()), float(s.max())))
    m, s = np.ldexp(m, -exponent), np.ldexp(s, -exponent)
    between = 0.0 if np.ptp(m) == 0 else n * float(((m - m.mean()) ** 2).sum())
    within = (n - 1) * float((s**2).sum())
    return between / (between + within)


def class_midpoint(name: str) -> float:
    """The η² that a class of EFFECT_SIZE_CLASSES counts as: the middle of its bounds.

    Raises MetricError for any other name.
    """
    if name not in EFFECT_SIZE_CLASSES:
        raise MetricError(
            f"Effect size {name!r}: the classes are {', '.join(EFFECT_SIZE_CLASSES)}."
        )
    low, high = EFFECT_SIZE_CLASSES[name]
    return (low + high) / 2
