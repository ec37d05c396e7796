"""How tasks score: one `Scorer` for all that list the same metrics.

A scoring module of a benchmark makes its scorers and gives the task YAMLs their `process_results`:

    SCORER = Scorer(metrics={"acc": True, "parse_rate": True}, counts=("n_items",), …)
    text, choice = SCORER.text, SCORER.choice

Every row of their `metric_list` has the one aggregation `over_documents`. `row_faults` compares the rows
with the scorer; `otherminds doctor` runs it on every task.
"""

from __future__ import annotations

import inspect
import logging
import math
import operator
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from otherminds.errors import OtherMindsError
from otherminds.scoring.base import ItemColumn, ItemScores, Record
from otherminds.types import Doc

_LOG = logging.getLogger("otherminds")

Texts = Sequence[str | None]
"""The replies of a model to one document, one per run; None where there is none."""

Scores = Mapping[str, Iterable[float | None]]
"""The scores of one document, one per run, by metric."""

_Record = TypeVar("_Record", bound=Record)
_Gold = TypeVar("_Gold")

SEALED = (
    "its gold answer is sealed until the season closes, so nothing can be scored. Run with "
    "`otherminds run TASK --season FOLDER`, or lm_eval's --predict_only, and submit the answers with "
    "`otherminds submit … --season FOLDER`."
)
"""The error of a document that cannot be scored, with its remedy."""


def _accept(doc: Any) -> None:
    """Tasks whose documents are made by stages before, and by nothing else."""


def _own(doc: Doc) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Scorer(Generic[_Record]):
    """How the documents of some tasks are scored.

    metrics    whether higher is better (None: neither), by metric; beside each is `<metric>_stderr`
    counts     names of the numbers without one
    read       a document and a model's replies to it, as a record
    scores     a record's own scores, by metric; metrics over all documents alone are absent
    choose     a document and the log-likelihoods of its options, as a record; None where tasks of this
               scorer are answered with text alone
    option_metrics
               all metrics, in order, where options are compared; `metrics` by default
    options    the options of a document, in order, with `choose`
    check_doc  raises pydantic's ValidationError, ValueError or MetricError for anything but a document
               of these tasks, such as may stand in a sample file
    gold       the column of the gold answer, which is null while it is sealed; None without any
    stand_in   columns of a sealed document that are withheld with its gold, and values in their place,
               so that answers can be read
    called     a task of this kind, for messages
    """

    metrics: Mapping[str, bool | None]
    counts: Sequence[str] = ()
    read: Callable[[Doc, Texts], _Record]
    scores: Callable[[_Record], Scores]
    choose: Callable[[Doc, tuple[float, ...]], _Record] | None = None
    option_metrics: Mapping[str, bool | None] = field(default_factory=dict)
    options: Callable[[Doc], Sequence[str]] | None = None
    check_doc: Callable[[Any], None] = _accept
    gold: str | None = None
    stand_in: Callable[[Doc], Mapping[str, Any]] = _own
    called: str = "a task"

    def text(self, doc: Doc, results: Sequence[Texts]) -> dict[str, ItemScores]:
        """`process_results` of tasks whose answers are generated: one list of replies, one per run."""
        return self._scored(self.record(doc, results, takes_options=False), self._text_rows)

    def choice(self, doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
        """`process_results` of tasks that compare options: a log-likelihood of each, in order."""
        return self._scored(self.record(doc, results, takes_options=True), self._choice_rows)

    def record(self, doc: Doc, results: Any, *, takes_options: bool) -> _Record:
        """The record that `text` or `choice` scores, for who needs no scores of single documents."""
        if not takes_options:
            return self.read(doc, results[0])
        if self.choose is None:
            raise OtherMindsError("These documents have no options to compare.")
        return self.choose(doc, tuple(float(log_likelihood) for log_likelihood, _ in results))

    def rows(self, *, takes_options: bool) -> Mapping[str, bool | None]:
        """The rows of a task's `metric_list`: whether higher is better, by name, in order."""
        return self._choice_rows if takes_options else self._text_rows

    def is_sealed(self, doc: Doc) -> bool:
        """Whether the gold answer of a document is withheld."""
        return self.gold is not None and self.gold in doc and doc[self.gold] is None

    def readable(self, doc: Doc) -> dict[str, Any]:
        """A document with placeholders for its sealed fields, so that answers can be read.

        How a reply is read depends on the question alone. Scores against these golds mean nothing, and
        nobody may compute any.
        """
        return {**doc, **self.stand_in(doc)} if self.is_sealed(doc) else dict(doc)

    def _scored(self, record: _Record, rows: Iterable[str]) -> dict[str, ItemScores]:
        own = self.scores(record)
        return {name: ItemScores(own.get(name, ()), record, name) for name in rows}

    @cached_property
    def _text_rows(self) -> Mapping[str, bool | None]:
        return _rows(self.metrics, self.counts)

    @cached_property
    def _choice_rows(self) -> Mapping[str, bool | None]:
        return _rows(self.option_metrics or self.metrics, self.counts)

    def __deepcopy__(self, memo: Any) -> Self:
        # lm-eval copies the configurations of tasks, and functions in them stay the same objects.
        return self


def over_documents(scores: Sequence[ItemScores]) -> float:
    """The aggregation of every metric: its value over the records of all documents.

    The numbers of a run are computed at once and kept for the next metric; one that has nothing to
    measure is NaN. An aggregation must not raise: lm-eval would lose the whole run after generation. A
    failure is logged and the metric is NaN.
    """
    metric = scores[0].metric if scores else ""
    try:
        records = (
            scores.records if isinstance(scores, ItemColumn) else [one.record for one in scores]
        )
        return _numbers(records).get(metric, math.nan)
    except Exception:
        _LOG.exception("The metric '%s' could not be computed; its value is NaN.", metric)
        return math.nan


def scorer_of(config: Mapping[str, Any]) -> Scorer[Any] | None:
    """The scorer of a task, by its YAML as it was loaded; None where `process_results` is of another."""
    process = config.get("process_results")
    owner = process.__self__ if inspect.ismethod(process) else None
    return owner if isinstance(owner, Scorer) else None


def row_faults(config: Mapping[str, Any]) -> list[str]:
    """The faults of `process_results` and `metric_list` of a task, by its YAML as it was loaded."""
    scorer = scorer_of(config)
    takes_options = config.get("output_type") == "multiple_choice"
    wanted = "choice" if takes_options else "text"
    if scorer is None or config["process_results"] != getattr(scorer, wanted):
        return [f"process_results is not the {wanted} of an otherminds.scoring.scorer.Scorer"]
    known = scorer.rows(takes_options=takes_options)
    listed = {one["metric"]: one for one in config["metric_list"]}
    found = [
        f"the metric '{name}' is not one of its scorer" for name in listed if name not in known
    ]
    found += [
        f"the metric '{name}' of its scorer is missing" for name in known if name not in listed
    ]
    if not found and list(known) != [one["metric"] for one in config["metric_list"]]:
        found.append(f"its metrics must be in the order of its scorer: {', '.join(known)}")
    for name in (name for name in listed if name in known):
        said = listed[name].get("higher_is_better")
        if said is not known[name]:
            found.append(f"'{name}' says higher_is_better: {said}, its scorer {known[name]}")
        if listed[name].get("aggregation") is not over_documents:
            found.append(f"the aggregation of '{name}' is not {__name__}.over_documents")
    return found


def revealed(gold: _Gold | None) -> _Gold:
    """A gold answer. Raises OtherMindsError for one that is sealed: no score may come of that."""
    if gold is None:
        raise OtherMindsError(f"A document cannot be scored: {SEALED}")
    return gold


def _rows(metrics: Mapping[str, bool | None], counts: Iterable[str]) -> dict[str, bool | None]:
    # A metric's standard error comes right after it: that is how lm-eval prints it as the ±.
    found: dict[str, bool | None] = {}
    for name, is_better in metrics.items():
        found |= {name: is_better, f"{name}_stderr": None}
    return found | dict.fromkeys(counts)


_KEPT = 4
"""Of how many tasks the numbers are kept, until all their metrics are asked for."""

_SUMMARIES: deque[tuple[Sequence[Record], Mapping[str, float]]] = deque(maxlen=_KEPT)


def _numbers(records: Sequence[Record]) -> Mapping[str, float]:
    for kept, numbers in _SUMMARIES:
        # By identity: to compare or hash a hundred thousand records takes as long as to score them.
        if len(kept) == len(records) and all(map(operator.is_, kept, records)):
            return numbers
    totals = records[0].totals(records)
    found = {name: float(count) for name, count in totals.counts.items()}
    for name, estimate in totals.estimates.items():
        found |= {name: estimate.value, f"{name}_stderr": estimate.stderr}
    _SUMMARIES.append((records, found))
    return found
