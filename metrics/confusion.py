"""Two ratings of the same targets in a table, and Cohen's kappa."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.ranges import CORRELATION
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    divided,
    estimates_from_sums,
    sums_by_cluster,
)
from otherminds.types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """How often the second rating is b where the first is a.

    labels  the L ratings, of rows and of columns
    counts  shape (L, L): rows are the first rating, columns the second
    """

    labels: tuple[int, ...]
    counts: IntArray


def confusion(
    first: Sequence[int], second: Sequence[int], *, labels: Sequence[int] | None = None
) -> Confusion:
    """The table of two ratings of the same targets.

    labels  in the order of rows and columns; by default all from the lowest to the highest rating

    Raises EmptyInput without ratings, MisalignedInput for unequal lengths, MetricError for a rating that
    is not a label, or a label given twice.
    """
    codes, named = _coded(first, second, labels)
    counts = np.zeros((len(named), len(named)), dtype=np.intp)
    np.add.at(counts, codes, 1)
    return Confusion(named, counts)


def cohen_kappa(
    first: Sequence[int],
    second: Sequence[int],
    clusters: Clusters,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Estimate:
    """Cohen's kappa of two ratings that agree or do not (Cohen 1960); near misses count as misses.

    κ = (p_o - p_e) / (1 - p_e)

    p_o  share of targets with equal ratings
    p_e  Σ_a (share of a among the first) · (share of a among the second)

    first, second  one rating per target
    clusters       what each target belongs to; the interval is a bootstrap over clusters,
                   cut to -1..1

    NaN where it is 0/0: all ratings are equal. Raises as `confusion`.
    """
    (a, b), named = _coded(first, second, None)
    rows = [(a == code).astype(np.float64) for code in range(len(named))]
    columns = [(b == code).astype(np.float64) for code in range(len(named))]
    equal = (a == b).astype(np.float64)
    sums = sums_by_cluster(clusters, np.ones(len(a)), equal, *rows, *columns)

    def statistic(sums: FloatArray) -> FloatArray:
        n, agreed = sums[:, 0], sums[:, 1]
        margins = sums[:, 2:].reshape(len(sums), 2, -1)
        by_chance = margins.prod(axis=1).sum(axis=1)
        # Both sides of the fraction times n², which keeps them whole numbers.
        return divided(agreed * n - by_chance, n**2 - by_chance)[:, None]

    (found,) = estimates_from_sums(sums, statistic, n=len(a), draws=draws, seed=seed)
    return CORRELATION.cut(found)


def _coded(
    first: Sequence[int], second: Sequence[int], labels: Sequence[int] | None
) -> tuple[tuple[IntArray, IntArray], tuple[int, ...]]:
    if len(first) != len(second):
        raise MisalignedInput(f"{len(first)} first and {len(second)} second ratings: give pairs.")
    if len(first) == 0:
        raise EmptyInput("No ratings to compare.")
    everything = (*first, *second)
    if labels is None:
        labels = range(min(everything), max(everything) + 1)
    code = {label: place for place, label in enumerate(labels)}
    if len(code) < len(labels):
        raise MetricError("A label is given twice.")
    if strange := sorted(set(everything) - code.keys()):
        raise MetricError(f"Rating {strange[0]} is none of the labels {tuple(labels)}.")
    a = np.array([code[rating] for rating in first], dtype=np.intp)
    b = np.array([code[rating] for rating in second], dtype=np.intp)
    return (a, b), tuple(labels)
