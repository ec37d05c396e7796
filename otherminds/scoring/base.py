"""Scored documents: the kinds of records, what lm-eval holds of each, and what runs of them score.

lm-eval calls `process_results` once per document and passes the list of values that it returned for
a metric to that metric's `aggregation`. Ours returns an `ItemScores`: the document's own scores,
which lm-eval writes to the sample log, carrying the record from which the metric is computed over
all documents.

Every benchmark has classes of its own for its records, on one of the bases here: `Record`, `Answered`
(a question with a gold answer), `Conditioned` (under several conditions) and `Judged` (by a model).
K answers to each document are K runs: `details` says what each run scores alone, and how far runs lie
apart.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeGuard, overload

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.comparison import Difference
from otherminds.metrics.errors import MetricError
from otherminds.metrics.probability import probabilities
from otherminds.metrics.ranges import Ranges, cut
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate

Answer = str | int | None
"""An answer as it was read: a letter, a number, or None where none could be read."""


class Totals(NamedTuple):
    """The numbers that a run prints of all its records: estimates by metric, and counts by name."""

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]


class Record(ABC):
    """A scored document, as `ItemScores` carries it."""

    __slots__ = ()

    @staticmethod
    @abstractmethod
    def totals(records: Sequence[Any]) -> Totals:
        """The numbers that a run prints of all its records."""

    @classmethod
    def details(cls, records: Sequence[Any]) -> dict[str, Any]:
        """All numbers over some records with intervals and n, for the results file.

        `estimates` are those over all records. Every `by_<name>` is a breakdown, from its parts, in
        order, to their estimates; `by_topic` is the one by `View.part`.
        """
        found = cls.totals(records)
        return {"estimates": plain(found.estimates), "counts": dict(found.counts)}

    def single_runs(self) -> Sequence[Self]:
        """The record with the answer of each run alone; itself where runs are not distinguished."""
        return [self]


class View(NamedTuple):
    """A scored document of any benchmark, as tables and pages show it.

    item_id    unique in the task
    person     the cluster of all uncertainty
    part       its part in breakdowns of results, such as a topic
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
    """Differences of one condition to a baseline, by metric: over all items, and over each part's."""

    overall: Mapping[str, Difference]
    by_part: Mapping[str, Mapping[str, Difference]]


class Order(NamedTuple):
    """Which of two documents this is, of one item that is asked with its two options in both orders.

    item       the item, which both documents name
    exchanged  whether this one shows the options exchanged
    """

    item: str
    exchanged: bool


class Answered(Record):
    """A record of a question with a gold answer: runs of it can be pooled, compared and combined."""

    __slots__ = ()

    @abstractmethod
    def view(self) -> View:
        """The document as tables show it."""

    @abstractmethod
    def with_answers(self, answers: tuple[Answer, ...]) -> Self:
        """The same document, answered otherwise (one answer per run)."""

    @staticmethod
    @abstractmethod
    def sufficient(records: Sequence[Any]) -> Sufficient:
        """The sums of some records that resampling people needs."""

    @staticmethod
    def changes(records: Sequence[Any]) -> list[Change]:
        """All changes of answers within people, none where the benchmark asks for none."""
        return []

    @property
    def log_likelihoods(self) -> tuple[float, ...]:
        """Those of the options, in order, where the task compares them; else none."""
        return ()

    @property
    def order(self) -> Order | None:
        """Which order of its options it shows, where the task asks every item in both; else None."""
        return None

    @staticmethod
    def confidence(records: Sequence[Answered]) -> list[tuple[float, bool]]:
        """Probability of the likeliest option and whether it is right; none without probabilities."""
        found = []
        for record in records:
            vector = distribution(record.log_likelihoods) if record.log_likelihoods else None
            if vector is not None:
                found.append((float(vector.max()), record.view().correct[0]))
        return found

    @classmethod
    def joined(cls, records: Sequence[Self]) -> Self:
        """One document of several runs, as one record of all of these."""
        answers: tuple[Answer, ...] = sum((record.view().answers for record in records), ())
        return records[0].with_answers(answers)

    def single_runs(self) -> Sequence[Self]:
        """The same document with the answer of each run."""
        answers = self.view().answers
        return [self.with_answers((one,)) for one in answers] if len(answers) > 1 else [self]


class Conditioned(Answered):
    """A record of a benchmark that shows models more or less of a person, on the same items."""

    __slots__ = ()

    @staticmethod
    @abstractmethod
    def gains(shown: Sequence[Any], baseline: Sequence[Any]) -> Gains:
        """The gain of one condition over another: records of the same items under each.

        Raises MetricError for records that are not of the same items.
        """


class Judged(Answered):
    """A record of judgements: its runs are more than the answers that tables show of them.

    `joined` and `single_runs` therefore keep the fields that the answers lack.
    """

    __slots__ = ()

    @classmethod
    @abstractmethod
    def joined(cls, records: Sequence[Self]) -> Self:
        """One document judged in several runs, as one record of all of these."""

    @abstractmethod
    def single_runs(self) -> Sequence[Self]:
        """The same document with the judgement of each run."""


def is_judged(record: Any) -> TypeGuard[Judged]:
    """Whether a record is of judgements."""
    return isinstance(record, Judged)


def is_answered(record: Any) -> TypeGuard[Answered]:
    """Whether a record is of a question with a gold answer."""
    return isinstance(record, Answered)


def is_conditioned(record: Any) -> TypeGuard[Conditioned]:
    """Whether a record's benchmark compares conditions."""
    return isinstance(record, Conditioned)


class ItemScores(list["float | None"]):
    """One metric's scores of one document: one per run, empty where the metric does not apply.

    A list, because that is the one shape that JSON and Arrow can hold for every metric: numbers,
    missing numbers (null) and no number at all. `record` is the document's scored answer, and `metric`
    the name of the metric.
    """

    __slots__ = ("metric", "record")

    def __init__(self, scores: Iterable[float | None], record: Record, metric: str) -> None:
        super().__init__(scores)
        self.record = record
        self.metric = metric

    @staticmethod
    def column() -> ItemColumn:
        """What holds the scores of many documents, to aggregate them."""
        return ItemColumn()


class ItemColumn(Sequence["ItemScores"]):
    """One metric's scores of many documents, in their order: of each, its record alone is kept.

    The documents' own scores are in the sample log; an aggregation needs the records.
    """

    __slots__ = ("metric", "records")

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.metric = ""

    def extend(self, scores: Iterable[ItemScores]) -> None:
        """Add the scores of more documents."""
        for one in scores:
            self.records.append(one.record)
            self.metric = one.metric

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, place: int) -> ItemScores: ...

    @overload
    def __getitem__(self, place: slice) -> list[ItemScores]: ...

    def __getitem__(self, place: int | slice) -> ItemScores | list[ItemScores]:
        if isinstance(place, slice):
            return [ItemScores((), one, self.metric) for one in self.records[place]]
        return ItemScores((), self.records[place], self.metric)


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
    """The same clusters, for the metrics that have a value, in which two models can differ."""
    values = found.values()
    return of_metrics(found, [name for name in found.metrics if not math.isnan(values[name])])


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


def plain(
    estimates: Mapping[str, Estimate], ranges: Ranges = MappingProxyType({})
) -> dict[str, dict[str, float]]:
    """Estimates of the metrics that had something to measure, as JSON can hold them.

    One that rests on no item (n = 0) has a value by rule, such as 0 where nothing moved.

    ranges  the values that metrics can have, to which their intervals are cut
    """
    return {
        name: dataclasses.asdict(found)
        for name, found in cut(estimates, ranges).items()
        if found.n > 0 or not math.isnan(found.value)
    }


def keep_all_repeats(responses: list[list[Any]], docs: list[Mapping[str, Any]]) -> list[list[Any]]:
    """An lm-eval filter that keeps all K responses of a document; the default keeps the first."""
    return responses


RUNS = "runs"
"""The key of `over_runs` among the details of a task."""

EACH = "each_run"
"""The key of each run's own estimates, where the runs make no common record."""


def details(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All numbers of a task with intervals and n, from the samples that lm-eval logged in this process.

    Empty where the samples carry no records (`--predict_only`).
    """
    records = records_of(samples)
    return details_of(records) if records else {}


def records_of(samples: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The records of the samples that lm-eval logged in this process; none for `--predict_only`."""
    records = [
        next((value.record for value in sample.values() if isinstance(value, ItemScores)), None)
        for sample in samples
    ]
    return [] if not records or records[0] is None else [one for one in records if one is not None]


def details_of(records: Sequence[Record]) -> dict[str, Any]:
    """All numbers of some records with intervals and n; of several runs, `over_runs` under RUNS."""
    found = records[0].details(records)
    apart = over_runs(records)
    return {**found, RUNS: apart} if apart else found


def over_runs(records: Sequence[Record]) -> dict[str, Any]:
    """What each of K runs scores alone, with mean and population SD over the runs; empty for K = 1.

    n           K
    identical   whether all runs gave the same answers, as these were parsed: the SD is then 0
    estimates   by metric, `values` (one per run, None where it had nothing to measure), and their
                `mean` and `sd` = sqrt(Σ_k (x_k - x̄)²/K), over the runs that have a value
    by_…        the same for the parts of each breakdown

    This is the "± std" that the papers print over five runs. It is no standard error: it says how much a
    model's own sampling moves a score, and nothing of the choice of people or items.
    """
    if len(records[0].single_runs()) < 2:
        return {}
    runs = list(zip(*(record.single_runs() for record in records), strict=True))
    scored = [one[0].details(one) for one in runs]
    return _apart(scored, identical=_all_equal(runs))


def details_of_chains(
    runs: Sequence[Sequence[Any]], scored: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """All numbers of a task that K chains of stages ended in.

    runs    the records of each chain
    scored  the details of each chain alone; without them, they are computed

    Where the chains answered the same questions with golds, they are K runs of these: every number is a
    mean over the runs, and its interval resamples clusters with all their runs. Else there is no common
    interval: `estimates` is empty, EACH has each run's own, and RUNS their mean and population SD as
    ever. Empty where nothing was scored.
    """
    if not all(runs):
        return {}
    pooled = _pooled(runs)
    if pooled is not None:
        return details_of(pooled)
    scored = scored or [records[0].details(records) for records in runs]
    notes = dict.fromkeys(note for one in scored for note in one.get("notes", ()))
    return {
        "estimates": {},
        EACH: [one.get("estimates", {}) for one in scored],
        RUNS: _apart(scored, identical=_all_equal(runs)),
        **({"notes": list(notes)} if notes else {}),
    }


def _pooled(runs: Sequence[Sequence[Any]]) -> list[Answered] | None:
    """The records of K runs as records with K answers; None where they are not of the same items."""
    if not all(isinstance(record, Answered) for records in runs for record in records):
        return None
    by_id = [{record.view().item_id: record for record in records} for records in runs]
    unasked = [{name: one.with_answers(()) for name, one in found.items()} for found in by_id]
    if not _all_equal(unasked) or len(by_id[0]) < len(runs[0]):
        return None
    return [one.joined([found[name] for found in by_id]) for name, one in by_id[0].items()]


def _all_equal(values: Sequence[Any]) -> bool:
    return all(other == values[0] for other in values[1:])


def _apart(scored: Sequence[Mapping[str, Any]], *, identical: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n": len(scored),
        "identical": identical,
        "estimates": _spread([one.get("estimates", {}) for one in scored]),
    }
    for breakdown in (key for key in scored[0] if key.startswith("by_")):
        parts = dict.fromkeys(part for one in scored for part in one[breakdown])
        found[breakdown] = {
            part: _spread([one[breakdown].get(part, {}) for one in scored]) for part in parts
        }
    return found


def _spread(estimates: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, Any]:
    return dict(_spreads(estimates))


def _spreads(
    estimates: Sequence[Mapping[str, Mapping[str, float]]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    for metric in dict.fromkeys(name for one in estimates for name in one):
        found = [one[metric]["value"] if metric in one else math.nan for one in estimates]
        values = [None if math.isnan(value) else value for value in found]
        known = [value for value in values if value is not None]
        if known:
            mean, sd = statistics.fmean(known), statistics.pstdev(known)
            yield metric, {"mean": mean, "sd": sd, "values": values}
