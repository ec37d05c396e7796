"""Does more context help? Accuracy against the length of what is known about the person (H4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import (
    DRAWS,
    ROUNDING,
    SEED,
    Estimate,
    clustered_mean,
    divided,
    estimates_from_sums,
    nothing,
    partition,
    sums_by_cluster,
)
from otherminds.types import FloatArray


@dataclass(frozen=True)
class LengthBin:
    """Accuracy on the items whose context length is in low ≤ length < high.

    The last bin includes its upper edge. An empty bin has an accuracy of NaN with n = 0.
    """

    low: float
    high: float
    accuracy: Estimate


@dataclass(frozen=True)
class ContextLength:
    """Accuracy against context length (definitions: `accuracy_by_context_length`).

    bins   in the order of the edges
    slope  change of accuracy (a fraction) per unit of length
    """

    bins: tuple[LengthBin, ...]
    slope: Estimate


def accuracy_by_context_length(
    correct: ArrayLike,
    lengths: ArrayLike,
    people: Sequence[str],
    *,
    edges: Sequence[float],
    draws: int = DRAWS,
    seed: int = SEED,
) -> ContextLength:
    """Accuracy in bins of context length, and the slope of a straight line through the items.

    slope = Σ (x_i - x̄)(y_i - ȳ) / Σ (x_i - x̄)², x the length and y the accuracy of item i

    correct  shape (N,): 1 or 0, or with repeated runs the share of runs that are right
    lengths  shape (N,): in any unit, such as the number of question-answer pairs
    people   N ids; accuracies have the standard error clustered by person and an interval that is cut
             to 0..1, the slope a bootstrap over
             people. A person's items often share one length: the slope rests on people, not items
    edges    B + 1 rising numbers for B bins; -inf and inf are fine at the ends

    The slope is NaN when all lengths are equal. It compares people with long and short contexts, who
    may differ otherwise: the ablations that cut contexts compare within people.
    Raises EmptyInput without items, MisalignedInput for unequal lengths, MetricError for edges that do
    not rise, a length outside them, a length that is NaN or infinite, or `correct` outside 0..1.
    """
    clusters = partition(people)
    y, x = np.asarray(correct, dtype=np.float64), np.asarray(lengths, dtype=np.float64)
    if not y.shape == x.shape == clusters.codes.shape:
        raise MisalignedInput(
            f"{y.shape} scores, {x.shape} lengths, {clusters.codes.shape} people: give one per item."
        )
    if not ((y >= 0) & (y <= 1)).all():
        raise MetricError("A score is outside 0..1 or NaN: a parse failure counts as 0.")
    bounds = _edges(edges, x)
    index = np.minimum(np.searchsorted(bounds, x, side="right") - 1, len(bounds) - 2)
    bins = []
    for b, (low, high) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        here = np.flatnonzero(index == b).tolist()
        accuracy = nothing()
        if here:
            accuracy = SHARE.cut(clustered_mean(y[here], partition([people[i] for i in here])))
        bins.append(LengthBin(low, high, accuracy))

    # The slope does not change with the origin of x; near zero no digits cancel.
    x = x - np.round(x.mean())
    sums = sums_by_cluster(clusters, np.ones(x.size), x, y, x**2, x * y)
    (slope,) = estimates_from_sums(sums, _slope, n=x.size, draws=draws, seed=seed)
    return ContextLength(bins=tuple(bins), slope=slope)


def _slope(sums: FloatArray) -> FloatArray:
    """Least-squares slope from the sums of 1, x, y, x² and xy."""
    n, x, y, squares, products = sums.T
    spread = squares - x**2 / n
    return divided(products - x * y / n, spread, floor=ROUNDING * squares)[:, None]


def _edges(edges: Sequence[float], lengths: FloatArray) -> FloatArray:
    bounds = np.asarray(edges, dtype=np.float64)
    if bounds.ndim != 1 or bounds.size < 2 or not (np.diff(bounds) > 0).all():
        raise MetricError(f"Edges {list(edges)}: give at least two rising numbers.")
    if not np.isfinite(lengths).all():
        raise MetricError("A context length is NaN or infinite.")
    outside = lengths[(lengths < bounds[0]) | (lengths > bounds[-1])]
    if outside.size:
        raise MetricError(
            f"Context length {outside[0]:g} is outside the edges {bounds[0]:g}..{bounds[-1]:g}: widen "
            "them, no item is left out silently."
        )
    return bounds
