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
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.comparison import Difference
from otherminds.metrics.errors import MetricError
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.probability import probabilities
from otherminds.metrics.sufficient import Sufficient

Aggregation = Callable[[Sequence["ItemScores"]], float]

_LOG = logging.getLogger("otherminds")


Answer = str | int | None
"""An answer as it was read: a letter, a number, or None where none could be read."""


class Record(Protocol):
    """A scored document, as `ItemScores` carries it."""

    @staticmethod
    def details(records: Sequence[Any]) -> dict[str, Any]:
        """All numbers over some records with intervals and n, for the results file.

        `estimates` are those over all records. Every `by_<name>` is a breakdown, from its parts, in
        order, to their estimates; `by_topic` is the one by `View.part`.
        """


class View(NamedTuple):
    """A scored document as tables and pages show it, whatever the benchmark.

    item_id    unique in the task
    person     the cluster of all uncertainty
    part       what results are broken down by, such as a topic
    category   a finer kind of question
    gold       the gold answer, as text
    answers    the parsed answer of each run
    correct    by run, whether the task's accuracy counts the answer as right
    score      share of runs in which it does
    scale      lowest and highest answer where answers are numbers
    options    the answers that the document admits, in the order in which it lists them
    """

    item_id: str
    person: str
    part: str
    category: str
    gold: str
    answers: tuple[Answer, ...]
    correct: tuple[bool, ...]
    scale: tuple[int, int] | None
    options: tuple[Answer, ...]

    @property
    def score(self) -> float:
        """Share of the runs in which the answer is right."""
        return sum(self.correct) / len(self.correct)


class Change(NamedTuple):
    """How an answer differs from an earlier one of the same person, truly and as predicted."""

    part: str
    true: float
    predicted: float


class Gains(NamedTuple):
    """Differences told - baseline, by metric: over all items, and over those of each part."""

    overall: Mapping[str, Difference]
    by_part: Mapping[str, Mapping[str, Difference]]


class Answered(Record, Protocol):
    """A record of a question with a gold answer: runs of it can be pooled, compared and combined."""

    def view(self) -> View:
        """The document as tables show it."""

    def with_answers(self, answers: tuple[Answer, ...]) -> Self:
        """The same document, answered otherwise (one answer per run)."""

    @staticmethod
    def sufficient(records: Sequence[Any]) -> Sufficient:
        """What resampling people needs of some records."""

    @staticmethod
    def changes(records: Sequence[Any]) -> list[Change]:
        """All changes of answers within people, none where the benchmark asks for none."""

    @staticmethod
    def confidence(records: Sequence[Any]) -> list[tuple[float, bool]]:
        """Probability of the chosen answer and whether it is right; none without probabilities."""


class Conditioned(Answered, Protocol):
    """A record of a benchmark that tells models more or less of a person, on the same items."""

    @staticmethod
    def gains(told: Sequence[Any], baseline: Sequence[Any]) -> Gains:
        """What being told gains a model: records of the same items, under two conditions.

        Raises MetricError for records that are not of the same items.
        """


class Judged(Answered, Protocol):
    """A record of judgements: its runs are more than the answers that tables show of them."""

    @staticmethod
    def joined(records: Sequence[Any]) -> Any:
        """One document judged in several runs, as one record of all of these."""


def is_judged(record: Any) -> TypeGuard[Judged]:
    """Whether a record is of judgements."""
    return hasattr(record, "joined")


def is_answered(record: Any) -> TypeGuard[Answered]:
    """Whether a record is of a question with a gold answer."""
    # A runtime-checkable protocol would look at every member, for every one of many records.
    return hasattr(record, "view")


def is_conditioned(record: Any) -> TypeGuard[Conditioned]:
    """Whether a record's benchmark says what being told more gains."""
    return hasattr(record, "gains")


class ItemScores(list["float | None"]):
    """One metric's scores of one document: one per run, empty where the metric does not apply.

    A list, because that is the one shape that JSON and Arrow can hold for every metric: numbers,
    missing numbers (null) and no number at all. `record` is the document's scored answer.
    """

    def __init__(self, scores: Iterable[float | None], record: Record) -> None:
        super().__init__(scores)
        self.record = record


def of_metrics(found: Sufficient, metrics: Sequence[str]) -> Sufficient:
    """The same clusters, for some of the metrics."""
    columns = [found.metrics.index(metric) for metric in metrics]
    return replace(
        found,
        metrics=tuple(metrics),
        statistic=lambda summed: found.statistic(summed)[:, columns],
        rests_on=None if found.rests_on is None else found.rests_on[:, columns],
    )


def defined(found: Sufficient) -> Sufficient:
    """The same clusters, for the metrics that have a value: what two models can differ in."""
    values = found.values()
    return of_metrics(found, [name for name in found.metrics if not math.isnan(values[name])])


def with_errors(metrics: Iterable[str]) -> tuple[str, ...]:
    """Metrics by the names that the task YAMLs use, each followed by its `<metric>_stderr`."""
    return tuple(name for metric in metrics for name in (metric, f"{metric}_stderr"))


def item_scores(
    record: Record, own: Mapping[str, Iterable[float | None]], names: Iterable[str]
) -> dict[str, ItemScores]:
    """What `process_results` returns for a document: its `own` scores, and none under other names."""
    return {name: ItemScores(own.get(name, ()), record) for name in names}


def numbers(
    estimates: Mapping[str, Estimate], counts: Mapping[str, float], names: Iterable[str] = ()
) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use; NaN for `names` that have none."""
    found = dict.fromkeys(names, math.nan) | dict(counts)
    for name, estimate in estimates.items():
        found |= {name: estimate.value, f"{name}_stderr": estimate.stderr}
    return found


def likeliest(log_likelihoods: Sequence[float]) -> int | None:
    """The place of the likeliest option, the first of equal ones; None where the output is broken."""
    if any(map(math.isnan, log_likelihoods)) or all(log == -math.inf for log in log_likelihoods):
        return None
    return int(np.argmax(log_likelihoods))


def distribution(log_likelihoods: Sequence[float]) -> NDArray[np.float64] | None:
    """The probabilities of the options; None where the output is broken, which parse_rate counts."""
    try:
        return probabilities(log_likelihoods)
    except MetricError:
        return None


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
