"""Scores of probability distributions over the options of an item (the `_logprob` tasks)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import FloatArray

# Distributions are made by normalising in double precision; anything further off is not one.
_TOLERANCE = 1e-6

# Equal-width confidence bins of the calibration error.
BINS = 10


def probabilities(log_likelihoods: ArrayLike) -> FloatArray:
    """Normalise log-likelihoods of the options of one item: p_j = exp(l_j) / Σ_k exp(l_k).

    Takes nats of shape (options,), returns probabilities of the same shape; -inf is an impossible
    option (p = 0).

    Raises EmptyInput without options, MetricError for NaN, +inf, or nothing but -inf.
    """
    logs = _vector(log_likelihoods)
    if np.isnan(logs).any() or np.isposinf(logs).any():
        raise MetricError("A log-likelihood is NaN or +inf: the model's output is broken.")
    top = logs.max()
    if np.isneginf(top):
        raise MetricError(
            "Every option has log-likelihood -inf: no distribution can be made of it."
        )
    weights = np.exp(logs - top)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def brier_scores(distributions: Sequence[ArrayLike], gold: Sequence[int]) -> FloatArray:
    """Multi-class Brier score of each item: Σ_j (p_j - [j = gold])², 0 (best) to 2 (worst).

    distributions  one vector per item; items may differ in their number of options
    gold           index of the right option of each item
    returns        shape (items,), so that it can be averaged over clusters

    Raises EmptyInput without items, MisalignedInput for unequal lengths or a gold that is no
    option, MetricError for a vector that is not a distribution.
    """
    checked = _checked(distributions, gold)
    scores = np.empty(len(checked))
    for i, (p, right) in enumerate(zip(checked, gold, strict=True)):
        scores[i] = float(p @ p) - 2 * float(p[right]) + 1
    # Rounding may leave a perfect forecast a few ulps below zero.
    return np.maximum(scores, 0.0)


def calibration_gaps(
    distributions: Sequence[ArrayLike], gold: Sequence[int], *, bins: int = BINS
) -> FloatArray:
    """Each item's credit minus its confidence, in the column of its confidence's bin.

    The result has shape (items, bins) and is zero outside the item's bin, so that sums over items,
    such as those of a cluster, can be added. Confidence is the largest probability. Bin b holds
    confidences in (b/bins, (b+1)/bins]; the first bin also holds 0. Several options at the maximum
    share the credit: it is 1/ties when the gold is among them, else 0.

    Raises as `brier_scores`, and MetricError for bins < 1.
    """
    if bins < 1:
        raise MetricError(f"{bins} bins: give at least 1.")
    checked = _checked(distributions, gold)
    confidence = np.array([p.max() for p in checked])
    credit = np.array(
        [
            float(p[right] == p.max()) / np.count_nonzero(p == p.max())
            for p, right in zip(checked, gold, strict=True)
        ]
    )
    # Rounded so that a confidence on a bin's edge (0.7 · 10) falls where its decimal value says.
    index = np.clip(np.ceil(np.round(confidence * bins, 9)).astype(np.intp) - 1, 0, bins - 1)
    gaps = np.zeros((len(checked), bins))
    gaps[np.arange(len(checked)), index] = credit - confidence
    return gaps


def expected_calibration_error(
    distributions: Sequence[ArrayLike], gold: Sequence[int], *, bins: int = BINS
) -> float:
    """Expected calibration error with equal-width bins: Σ_b n_b/N · |accuracy_b - confidence_b|.

    Bins, confidence and accuracy are those of `calibration_gaps`, which also says what is raised.
    """
    gaps = calibration_gaps(distributions, gold, bins=bins)
    return float(np.abs(gaps.sum(axis=0)).sum() / len(gaps))


def expected_value(distribution: ArrayLike, *, low: int) -> float:
    """Mean of a distribution over the scale low, low + 1, …: Σ_j p_j · (low + j).

    Raises EmptyInput without options, MetricError for a vector that is not a distribution.
    """
    p = _distribution(distribution)
    return float(p @ (low + np.arange(p.size)))


def _checked(distributions: Sequence[ArrayLike], gold: Sequence[int]) -> list[FloatArray]:
    if len(distributions) != len(gold):
        raise MisalignedInput(
            f"{len(distributions)} distributions for {len(gold)} golds: give one per item."
        )
    if len(gold) == 0:
        raise EmptyInput("No items to score.")
    checked = [_distribution(p) for p in distributions]
    for i, (p, right) in enumerate(zip(checked, gold, strict=True)):
        if not 0 <= right < p.size:
            raise MisalignedInput(f"Item {i}: gold {right} is none of its {p.size} options.")
    return checked


def _distribution(values: ArrayLike) -> FloatArray:
    p = _vector(values)
    if not np.isfinite(p).all() or (p < 0).any() or abs(p.sum() - 1) > _TOLERANCE:
        raise MetricError(
            f"{p.tolist()} is not a distribution: it must be non-negative with sum 1."
        )
    return p


def _vector(values: ArrayLike) -> FloatArray:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise MisalignedInput(f"Shape {vector.shape}: give one number per option.")
    if vector.size == 0:
        raise EmptyInput("An item without options.")
    return vector
