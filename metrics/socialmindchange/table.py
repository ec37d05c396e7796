"""Questions as arrays: right, read, and what became of each dependency set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.socialmindchange.items import GUIDANCE, Question, check_items
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Clusters, divided, partition, sums_by_cluster
from otherminds.types import BoolArray, FloatArray, IntArray

SETS = ("sets_full", "sets_local", "sets_apparent", "sets_error")
"""Outcomes of a dependency set (`summarize`): 2 · [a prerequisite is wrong] + [the primary is wrong]."""

NO_SET = -1

METRICS = ("acc", "acc_guidance", "acc_transition", "acc_third_order", "parse_rate", *SETS)


@dataclass(frozen=True, eq=False)
class Table:
    """N questions of G stages with K runs, in order of their ids.

    stages       the partition of the questions by stage
    right        shape (N, K): whether the answer is right
    read         shape (N, K): whether an answer could be read
    outcome      shape (N, K): index in SETS, or NO_SET where the question is not primary in a set
    transition   shape (N,): whether it asks about a transition
    third_order  shape (N,): whether it asks about a third-order belief
    """

    stages: Clusters
    right: BoolArray
    read: BoolArray
    outcome: IntArray
    transition: BoolArray
    third_order: BoolArray

    @property
    def runs(self) -> int:
        """K, the number of runs."""
        return int(self.right.shape[1])

    @property
    def in_set(self) -> BoolArray:
        """Shape (N,): whether the question is primary in a dependency set."""
        return np.asarray(self.outcome[:, 0] != NO_SET)

    def rows(self, chosen: BoolArray) -> Table:
        """The table of the `chosen` questions alone; outcomes still rest on all of them."""
        return Table(
            stages=restricted(self.stages, chosen),
            right=self.right[chosen],
            read=self.read[chosen],
            outcome=self.outcome[chosen],
            transition=self.transition[chosen],
            third_order=self.third_order[chosen],
        )

    def measures(self) -> Mapping[str, tuple[BoolArray, BoolArray]]:
        """Each of METRICS as the hits in each run, shape (N, K), and the questions that count, (N,)."""
        every = np.ones(len(self.right), dtype=np.bool_)
        measured = {
            "acc": (self.right, every),
            "acc_guidance": (self.right, ~self.transition),
            "acc_transition": (self.right, self.transition),
            "acc_third_order": (self.right, self.third_order),
            "parse_rate": (self.read, every),
        }
        for outcome, name in enumerate(SETS):
            measured[name] = (self.outcome == outcome, self.in_set)
        return measured


def tabulate(questions: Sequence[Question]) -> Table:
    """Questions as arrays, sorted by id, so that no sum depends on the order in which they came.

    Raises as `check_items`.
    """
    check_items(questions)
    ordered = in_order(questions)
    right = np.array([[one == q.answer for one in q.answers] for q in ordered], dtype=np.bool_)
    return Table(
        stages=partition([q.stage_id for q in ordered]),
        right=right,
        read=np.array([[one is not None for one in q.answers] for q in ordered], dtype=np.bool_),
        outcome=_outcomes(ordered, right),
        transition=np.array([q.type != GUIDANCE for q in ordered], dtype=np.bool_),
        third_order=np.array([q.third_order for q in ordered], dtype=np.bool_),
    )


def in_order(questions: Sequence[Question]) -> list[Question]:
    """Questions sorted by id."""
    return sorted(questions, key=lambda question: question.item_id)


def restricted(stages: Clusters, chosen: BoolArray) -> Clusters:
    """The partition of the `chosen` questions, with only the stages that have one of them."""
    present, codes = np.unique(stages.codes[chosen], return_inverse=True)
    return Clusters(tuple(stages.labels[code] for code in present), codes)


def _outcomes(ordered: Sequence[Question], right: BoolArray) -> IntArray:
    place = {question.item_id: row for row, question in enumerate(ordered)}
    outcome = np.full(right.shape, NO_SET, dtype=np.intp)
    for row, question in enumerate(ordered):
        needed = [place[one] for one in question.prerequisites if one in place]
        complete = len(needed) == len(question.prerequisites) > 0
        if question.type != GUIDANCE and complete:
            outcome[row] = 2 * ~right[needed].all(axis=0) + ~right[row]
    return outcome


COMPARED = ("acc", "acc_guidance", "acc_transition", "parse_rate")
"""What two models are compared by."""


def sufficient(questions: Sequence[Question]) -> Sufficient:
    """Per-stage sums from which COMPARED follow, by the definitions of `summarize`.

    The sums are, for each metric, the questions that count and the hits in each run. `rests_on` holds
    the questions that count. Two models are comparable when they answered the same questions in equally
    many runs.

    Raises as `check_items`.
    """
    table = tabulate(questions)
    measures = table.measures()
    sums = []
    for name in COMPARED:
        hits, counted = measures[name]
        sums.append(sums_by_cluster(table.stages, counted, *(hits & counted[:, None]).T))
    return Sufficient(
        clusters=table.stages.labels,
        sums=np.concatenate(sums, axis=1),
        metrics=COMPARED,
        statistic=_rates,
        rests_on=np.stack([one[:, 0] for one in sums], axis=1),
    )


def _rates(rows: FloatArray) -> FloatArray:
    """Hits / questions, averaged over the runs: shape (b, 4·(1 + K)) to (b, 4)."""
    sums = rows.reshape(len(rows), len(COMPARED), -1)
    return divided(sums[..., 1:].mean(axis=2), sums[..., 0])
