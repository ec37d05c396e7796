"""Partition of items into clusters (people, stages, instances): the unit of all uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.types import FloatArray, IntArray


@dataclass(frozen=True)
class Clusters:
    """Which cluster each of N items belongs to.

    labels  the G distinct ids, sorted
    codes   shape (N,), integers 0..G-1: the index in `labels` of each item's id
    """

    labels: tuple[str, ...]
    codes: IntArray

    @property
    def count(self) -> int:
        """G, the number of clusters."""
        return len(self.labels)

    def totals(self, values: ArrayLike) -> FloatArray:
        """Sum of `values` (shape (N,)) within each cluster, shape (G,).

        Raises MisalignedInput when `values` does not have one number per item.
        """
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != self.codes.shape:
            raise MisalignedInput(
                f"{numbers.shape} values for {self.codes.shape} items: give one number per item."
            )
        sums = np.bincount(self.codes, weights=numbers, minlength=self.count)
        return np.asarray(sums, dtype=np.float64)


def partition(ids: Sequence[str]) -> Clusters:
    """Group items by `ids` (one id per item, in item order).

    A code depends on the set of ids only, never on the order of the items.
    Raises EmptyInput when there are no items.
    """
    if len(ids) == 0:
        raise EmptyInput("No items to partition: give at least one cluster id.")
    # np.unique would cut trailing NUL characters off the ids and so merge different clusters.
    labels = tuple(sorted(set(ids)))
    index = {label: code for code, label in enumerate(labels)}
    codes = np.fromiter((index[label] for label in ids), dtype=np.intp, count=len(ids))
    return Clusters(labels=labels, codes=codes)
