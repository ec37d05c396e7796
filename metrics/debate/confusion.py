"""Counts of answers by gold: what every number about debate beliefs follows from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.debate.items import Belief, check_items
from otherminds.metrics.uncertainty import Clusters, partition
from otherminds.types import FloatArray, IntArray

AGREE, DISAGREE, UNREAD = 0, 1, 2
_SHAPE = (2, 3)


@dataclass(frozen=True)
class Table:
    """N items of P people with K runs, in order of their ids.

    people   the partition of the items by person
    gold     shape (N,): AGREE or DISAGREE
    answers  shape (N, K): AGREE, DISAGREE or UNREAD
    """

    people: Clusters
    gold: IntArray
    answers: IntArray

    @property
    def runs(self) -> int:
        """K, the number of runs."""
        return int(self.answers.shape[1])

    def rows(self, index: IntArray) -> Table:
        """The table of the items at `index` alone, with only the people who have one of them."""
        present, codes = np.unique(self.people.codes[index], return_inverse=True)
        labels = tuple(self.people.labels[code] for code in present)
        return Table(Clusters(labels, codes), self.gold[index], self.answers[index])

    def confusion(self) -> FloatArray:
        """How many items of each gold each person's answers fall on, shape (P, K, 2, 3).

        Axis 2 is the gold (AGREE, DISAGREE), axis 3 the answer (AGREE, DISAGREE, UNREAD).
        """
        people, runs = self.people.count, self.runs
        run = np.arange(runs)
        where = (self.people.codes[:, None], run, self.gold[:, None], self.answers)
        shape = (people, runs, *_SHAPE)
        cell = np.ravel_multi_index(where, shape)
        counts = np.bincount(cell.ravel(), minlength=int(np.prod(shape)))
        return counts.reshape(shape).astype(np.float64)


def tabulate(items: Sequence[Belief]) -> Table:
    """Items as arrays, sorted by id, so that no sum depends on the order in which they came.

    Raises as `check_items`.
    """
    check_items(items)
    items = in_order(items)
    code = {True: AGREE, False: DISAGREE, None: UNREAD}
    return Table(
        people=partition([item.user_id for item in items]),
        gold=np.array([code[item.agrees] for item in items], dtype=np.intp),
        answers=np.array([[code[a] for a in item.answers] for item in items], dtype=np.intp),
    )


def in_order(items: Sequence[Belief]) -> list[Belief]:
    """Items sorted by id."""
    return sorted(items, key=lambda item: item.item_id)


def flat(confusion: FloatArray) -> FloatArray:
    """Each person's counts as a row, shape (P, K·6)."""
    return confusion.reshape(len(confusion), -1)


def unflat(rows: FloatArray) -> FloatArray:
    """Rows of `flat`, summed over people (shape (b, K·6)), as shape (b, K, 2, 3)."""
    return rows.reshape(len(rows), -1, *_SHAPE)
