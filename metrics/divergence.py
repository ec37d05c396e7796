"""How alike two distributions of answers over the points of a scale are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import ROUNDING, divided
from otherminds.types import FloatArray


def answer_counts(answers: Iterable[int], *, low: int, high: int) -> FloatArray:
    """How often each point of the scale low, low + 1, …, high was given, shape (high - low + 1,).

    Raises MetricError for low > high or an answer that is not on the scale. No answers: all zeros.
    """
    if low > high:
        raise MetricError(f"Scale {low}-{high}: low must not be above high.")
    counts = np.zeros(high - low + 1)
    for answer in answers:
        if not low <= answer <= high or int(answer) != answer:
            raise MetricError(f"Answer {answer!r} is not on the scale {low}-{high}: leave it out.")
        counts[int(answer) - low] += 1
    return counts


def jensen_shannon(p: ArrayLike, q: ArrayLike) -> float:
    """Jensen-Shannon divergence in bits (base 2): 0 for equal, 1 for disjoint distributions.

    JSD = ½·Σ_j p_j·log2(p_j/m_j) + ½·Σ_j q_j·log2(q_j/m_j), m = ½·(p + q)

    p, q have shape (points,): probabilities or counts, each divided by its sum. This is the divergence;
    the metric called Jensen-Shannon distance is its square root. Between two samples of sizes n and m
    from one distribution it is not 0 but on average about (points - 1)·(1/n + 1/m) / (8·ln 2).
    Raises EmptyInput for no points or a distribution with sum 0, MisalignedInput for unequal shapes,
    MetricError for a negative, NaN or infinite entry.
    """
    first, second = _weights(p, q)
    if not first.sum() or not second.sum():
        raise EmptyInput("A distribution without any answers has no divergence from another.")
    return float(jensen_shannon_rows(first[None], second[None])[0])


def pearson_r(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson correlation Σ(x - x̄)(y - ȳ) / sqrt(Σ(x - x̄)²·Σ(y - ȳ)²) of paired numbers, -1 to 1.

    x, y have shape (n,). For two distributions over a scale give their probabilities or counts (r does
    not change with a factor); it then asks whether the same points are the popular ones, without
    regard to their order. NaN where x or y is constant (a uniform distribution) or n = 1.
    Raises EmptyInput for n = 0, MisalignedInput for unequal shapes, MetricError for NaN or infinity.
    """
    first, second = _pair(x, y)
    return float(pearson_rows(first[None], second[None])[0])


def jensen_shannon_rows(p: FloatArray, q: FloatArray) -> FloatArray:
    """`jensen_shannon` along the last axis of checked counts; NaN where either has sum 0.

    `scipy.spatial.distance.jensenshannon(p, q, base=2)` is its square root, from the same terms, and as
    fast on rows. It stands in for nothing here, because it is NaN for distributions that are equal but
    for rounding, where it takes the root of -1e-17; squaring the root again costs the last digit.
    """
    first = divided(p, p.sum(axis=-1, keepdims=True))
    second = divided(q, q.sum(axis=-1, keepdims=True))
    middle = (first + second) / 2
    nats = (rel_entr(first, middle) + rel_entr(second, middle)).sum(axis=-1) / 2
    # Rounding may leave the ends of the range by a few ulps.
    return np.asarray(np.clip(nats / np.log(2), 0.0, 1.0), dtype=np.float64)


def pearson_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """`pearson_r` along the last axis of finite numbers; NaN where either is constant."""
    first, second = _unit(x), _unit(y)
    return np.asarray(np.clip((first * second).sum(axis=-1), -1.0, 1.0), dtype=np.float64)


def _unit(x: FloatArray) -> FloatArray:
    """Deviations from the mean along the last axis, scaled to length 1; NaN for a constant."""
    deviations = x - x.mean(axis=-1, keepdims=True)
    # Scaled by the largest first: squares of tiny or huge numbers leave the range of floats.
    largest = np.abs(deviations).max(axis=-1, keepdims=True)
    size = np.abs(x).max(axis=-1, keepdims=True)
    scaled = divided(deviations, largest, floor=ROUNDING * size)
    return divided(scaled, np.sqrt((scaled**2).sum(axis=-1, keepdims=True)))


def _weights(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    first, second = _pair(p, q)
    if (first < 0).any() or (second < 0).any():
        raise MetricError("A probability or count is negative.")
    return first, second


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise MisalignedInput(
            f"Shapes {first.shape} and {second.shape}: give two vectors of the same length."
        )
    if first.size == 0:
        raise EmptyInput("Nothing to compare: both vectors are empty.")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise MetricError("A number is NaN or infinite: leave that pair out.")
    return first, second


def spearman_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's ρ along the last axis: Pearson's r of midranks, -1 to 1.

    x, y     finite numbers of shapes that broadcast to (..., L)
    returns  shape (...); NaN where either side has fewer than two distinct values

    Doubled midranks are whole numbers, so that equal rankings give exactly 1.
    """
    first, second = _deviations(x), _deviations(y)
    size = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    return divided((first * second).sum(axis=-1), size)


def _deviations(values: FloatArray) -> FloatArray:
    """Doubled midranks less their mean, which is L + 1 whatever the ties."""
    from scipy.stats import rankdata  # slow to import, and few commands rank anything

    ranks: FloatArray = rankdata(values, method="average", axis=-1)
    deviations: FloatArray = 2 * ranks - (values.shape[-1] + 1)
    return deviations
