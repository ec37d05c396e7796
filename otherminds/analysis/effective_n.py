"""The effective n of a task's numbers, and the differences that they can show, before any run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from otherminds import harness
from otherminds.analysis.layouts import unit_max
from otherminds.benchmark import evidence_columns
from otherminds.metrics.power import mde_of_two
from otherminds.scoring.base import ItemScores, is_answered
from otherminds.weightless import CorruptedOracle, Questions, questions

# The model that the standard errors are taken from: wrong in 4 of 10 answers, wherever they are.
_ERROR_RATE = 0.4

# Two models stumble over the same people and questions; half shared is a usual figure.
CORRELATION = 0.5

# Two models that differ by a tenth of a metric's range differ a lot.
_COARSE = 0.1


class EffectiveN(NamedTuple):
    """The items and people behind one metric, and the smallest difference that it can show.

    n, n_people    items (or pairs) and people behind it
    mde_unrelated  minimum detectable difference between two models (80 % power, two-sided 5 %) whose
                   errors have nothing to do with each other
    mde_related    the same where their scores by person are correlated by CORRELATION
    is_coarse      whether even the latter exceeds a tenth of the metric's range
    """

    metric: str
    n: float
    n_people: int
    mde_unrelated: float
    mde_related: float
    is_coarse: bool


def effective_n(task: Any, metrics: Sequence[str]) -> list[EffectiveN]:
    """Each metric of a loaded task that has something to measure; none for one without closed answers.

    Standard errors are those of a made-up model that gives the gold answer six times in ten and any
    other one else, independently: further differences between people make them larger.
    """
    unanswered = _record(task.process_results(task.eval_docs[0], harness.no_answer(task)))
    read = questions.of_dataset(task.config.dataset_kwargs["dataset"])
    if not is_answered(unanswered) or not read.is_closed(task.eval_docs[0]):
        return []
    records = _answered(task, read)
    estimates = records[0].details(records)["estimates"]
    dataset = task.config.dataset_kwargs["dataset"]
    found = []
    for metric in metrics:
        one = estimates.get(metric)
        if one is None or not one["n"] or metric == "parse_rate":
            continue
        people = one["n_clusters"]
        unrelated = mde_of_two(one["stderr"], people)
        related = mde_of_two(one["stderr"], people, CORRELATION)
        is_coarse = related > _COARSE * unit_max(dataset, metric)
        found.append(EffectiveN(metric, one["n"], people, unrelated, related, is_coarse))
    return found


def _answered(task: Any, read: Questions) -> list[Any]:
    model = CorruptedOracle(rate=_ERROR_RATE)
    columns = [name for name in task.eval_docs.column_names if name not in evidence_columns()]
    asked = map(read.asked, task.eval_docs.select_columns(columns).to_list())
    return [
        _record(task.process_results(one.doc, _results(task, one.answers, model.choose(one, 0))))
        for one in asked
    ]


def _results(task: Any, space: Sequence[str], choice: int) -> list[Any]:
    if task.OUTPUT_TYPE == "multiple_choice":
        return [(0.0 if index == choice else -math.inf, False) for index in range(len(space))]
    return [[space[choice]]]


def _record(scores: Mapping[str, Any]) -> Any:
    return next(one.record for one in scores.values() if isinstance(one, ItemScores))
