"""The numbers of SocialMindChange for a set of answered questions, with their uncertainty."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from otherminds.metrics.socialmindchange.items import (
    GUIDANCE,
    STATES,
    TRANSITIONS,
    TYPES,
    Question,
)
from otherminds.metrics.socialmindchange.table import (
    SETS,
    Table,
    in_order,
    restricted,
    tabulate,
)
from otherminds.metrics.uncertainty import Estimate, clustered_mean, nothing
from otherminds.types import BoolArray

Label = TypeVar("Label", bound=Hashable)

POOLED = "transition"
"""The three transition types taken together."""

CELLS = tuple(f"{kind}/{state}" for kind in (GUIDANCE, POOLED, *TRANSITIONS) for state in STATES)
"""Type and mental state, first the two rows of the paper's table."""

STEPS: Mapping[str, int | None] = {"1-5": 5, "6-7": 7, "8-10": 10, "11+": None}
"""Numbers of steps that are taken together, with the most of each."""


@dataclass(frozen=True)
class Summary:
    """Everything reported about one model, on all questions or on some of them.

    estimates      by metric (`table.METRICS`), all of them fractions; NaN with n = 0 where no question
                   is of the kind:
                   acc              share of right answers
                   acc_guidance     the same of guidance-action questions
                   acc_transition   the same of the three transition types, pooled
                   acc_third_order  the same of questions about third-order beliefs
                   parse_rate       share of answers that could be read
                   sets_…           shares of dependency sets (`summarize`), which add up to 1
    counts         n_items, n_stages, n_sets (dependency sets) and, as a mean over the runs, n_read
    by_type        the same for each question type alone
    by_state       the same for each mental state alone
    by_cell        the same for each of CELLS, such as "transition/belief"
    by_span        the same for the transition questions of each span, rising
    by_order       the same for each order of belief, rising, of questions that have one
    by_steps       the same for each of STEPS, of questions that have a number of steps
    by_group_size  the same for each group size, rising
    by_length      the same for each number of scenes of a stage, rising
    runs           K, the number of runs averaged over

    Parts without questions are left out; a part has no parts of its own.
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    runs: int
    by_type: Mapping[str, Summary] = field(default_factory=dict)
    by_state: Mapping[str, Summary] = field(default_factory=dict)
    by_cell: Mapping[str, Summary] = field(default_factory=dict)
    by_span: Mapping[int, Summary] = field(default_factory=dict)
    by_order: Mapping[int, Summary] = field(default_factory=dict)
    by_steps: Mapping[str, Summary] = field(default_factory=dict)
    by_group_size: Mapping[int, Summary] = field(default_factory=dict)
    by_length: Mapping[int, Summary] = field(default_factory=dict)

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]

    @property
    def sets(self) -> Mapping[str, Estimate]:
        """The estimates of the dependency sets alone, by the names of `table.SETS`."""
        return {name: self.estimates[name] for name in SETS}


def summarize(questions: Sequence[Question]) -> Summary:
    """All numbers with 95 % intervals, and by type, mental state, cell, span, order, steps and size.

    Every number is a mean over questions, computed per run and averaged over the runs, with the
    cluster-robust standard error of `clustered_mean` by stage. An answer that could not be read is
    wrong.

    A dependency set is a transition question (the primary) that has prerequisites, with these, all of
    which must be among the questions. Per set and run:

    sets_full      fully correct: the primary and all prerequisites are right
    sets_local     local guidance error: all prerequisites are right, the primary is wrong
    sets_apparent  apparent success: the primary is right, a prerequisite is wrong
    sets_error     full error: the primary and a prerequisite are wrong

    The names are the paper's; which answers each of them stands for is our reading. A set belongs to the
    part in which its primary is, wherever its prerequisites are. The result does not depend on the order
    of the questions.

    Raises as `check_items`. An unread answer never raises.
    """
    table = tabulate(questions)
    ordered = in_order(questions)
    whole = _part(table)
    spans = [() if q.type == GUIDANCE else (q.span,) for q in ordered]
    orders = [() if q.order is None else (q.order,) for q in ordered]
    steps = [() if q.steps is None else (steps_bin(q.steps),) for q in ordered]
    sizes = [(q.group_size,) for q in ordered]
    lengths = [(q.n_scenarios,) for q in ordered]
    return Summary(
        estimates=whole.estimates,
        counts=whole.counts,
        runs=whole.runs,
        by_type=_split(table, [(q.type,) for q in ordered], TYPES),
        by_state=_split(table, [(q.mental_state,) for q in ordered], STATES),
        by_cell=_split(table, [_cells(q) for q in ordered], CELLS),
        by_span=_split(table, spans, _rising(spans)),
        by_order=_split(table, orders, _rising(orders)),
        by_steps=_split(table, steps, tuple(STEPS)),
        by_group_size=_split(table, sizes, _rising(sizes)),
        by_length=_split(table, lengths, _rising(lengths)),
    )


def steps_bin(steps: int) -> str:
    """The one of STEPS that a number of steps belongs to."""
    return next(name for name, most in STEPS.items() if most is None or steps <= most)


def _rising(labels: Sequence[tuple[int, ...]]) -> list[int]:
    return sorted({label for one in labels for label in one})


def _cells(question: Question) -> tuple[str, ...]:
    pooled = () if question.type == GUIDANCE else (POOLED,)
    return tuple(f"{kind}/{question.mental_state}" for kind in (*pooled, question.type))


def _split(
    table: Table, labels: Sequence[tuple[Label, ...]], names: Sequence[Label]
) -> dict[Label, Summary]:
    """The summary of each label that has questions, in the order of `names`."""
    index: dict[Label, list[int]] = {name: [] for name in names}
    for row, given in enumerate(labels):
        for label in given:
            index[label].append(row)
    parts: dict[Label, Summary] = {}
    for name, rows in index.items():
        if rows:
            chosen = np.zeros(len(labels), dtype=np.bool_)
            chosen[rows] = True
            parts[name] = _part(table.rows(chosen))
    return parts


def _part(table: Table) -> Summary:
    return Summary(
        estimates={
            name: _mean(hits, counted, table) for name, (hits, counted) in table.measures().items()
        },
        counts={
            "n_items": float(len(table.right)),
            "n_stages": float(table.stages.count),
            "n_sets": float(np.count_nonzero(table.in_set)),
            "n_read": float(np.count_nonzero(table.read)) / table.runs,
        },
        runs=table.runs,
    )


def _mean(hits: BoolArray, counted: BoolArray, table: Table) -> Estimate:
    if not counted.any():
        return nothing()
    return clustered_mean(hits[counted].mean(axis=1), restricted(table.stages, counted))
