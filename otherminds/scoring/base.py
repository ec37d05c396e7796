"""How a metric sees all documents inside lm-eval.

lm-eval calls `process_results` once per document and hands the list of what it returned for a metric
to that metric's `aggregation`. What we return is an `ItemScores`: the document's own scores, which
lm-eval writes to the sample log, carrying the record from which the metric is computed over all
documents.
"""

from __future__ import annotations

import dataclasses
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol

from otherminds.metrics.estimate import Estimate

Aggregation = Callable[[Sequence["ItemScores"]], float]

_LOG = logging.getLogger("otherminds")


class Record(Protocol):
    """A scored document, as `ItemScores` carries it."""

    @staticmethod
    def details(records: Sequence[Any]) -> dict[str, Any]:
        """All numbers over some records with intervals and n, for the results file."""


class ItemScores(list["float | None"]):
    """One metric's scores of one document: one per run, empty where the metric does not apply.

    A list, because that is the one shape that JSON and Arrow can hold for every metric: numbers,
    missing numbers (null) and no number at all. `record` is the document's scored answer.
    """

    def __init__(self, scores: Iterable[float | None], record: Record) -> None:
        super().__init__(scores)
        self.record = record


def details(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All numbers of a task with intervals and n, from the samples that lm-eval logged in this process.

    Empty where the samples carry no records (`--predict_only`).
    """
    records = [
        next((value.record for value in sample.values() if isinstance(value, ItemScores)), None)
        for sample in samples
    ]
    if not records or records[0] is None:
        return {}
    return records[0].details(records)


def plain(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, float]]:
    """Estimates of the metrics that had something to measure, as JSON can hold them."""
    return {
        name: dataclasses.asdict(estimate) for name, estimate in estimates.items() if estimate.n > 0
    }


def keep_all_repeats(responses: list[list[Any]], docs: list[Mapping[str, Any]]) -> list[list[Any]]:
    """An lm-eval filter that keeps all K responses of a document; the default keeps the first."""
    return responses


@cache
def aggregation(
    summarize: Callable[[tuple[Any, ...]], Mapping[str, float]], metric: str
) -> Aggregation:
    """The lm-eval aggregation of `metric`, over the records of all documents.

    `summarize` computes all metrics of a run at once; its result is kept for the next metric. An
    aggregation must not raise: lm-eval would lose the whole run after generation. A failure is
    logged and the metric is NaN.
    """
    shared = _remembered(summarize)

    def aggregate(scores: Sequence[ItemScores]) -> float:
        try:
            return float(shared(tuple(score.record for score in scores))[metric])
        except Exception:
            _LOG.exception("The metric '%s' could not be computed; its value is NaN.", metric)
            return math.nan

    aggregate.__name__ = metric
    return aggregate


@cache
def _remembered(
    summarize: Callable[[tuple[Any, ...]], Mapping[str, float]],
) -> Callable[[tuple[Any, ...]], Mapping[str, float]]:
    return lru_cache(maxsize=4)(summarize)
