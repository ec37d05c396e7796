"""From a file of answers to scores, with the tagged data: a submission's claims are never used."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType
from typing import Any

from otherminds import manifest
from otherminds.leaderboard.judging.expected import Document, Expected, scored
from otherminds.leaderboard.records.answers import Row, digest
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import Metric, TaskRun, metrics_of
from otherminds.metrics.errors import MetricError
from otherminds.metrics.ranges import Range, Ranges
from otherminds.samples.read import Rules
from otherminds.scoring.base import Answered

TOLERANCE = 1e-9
"""Recomputed on another machine, the last digits may differ: this much, absolutely and relatively."""

_OF_INTERVAL = ("stderr", "low", "high")


@dataclass(frozen=True)
class Rescored:
    """The scores that answers give, and the scored answers, in the order of the data."""

    metrics: Mapping[str, Metric]
    records: Sequence[Answered]


def check_stated(run: TaskRun, rules: Rules, *, version: str | None = None) -> None:
    """Check the statements of a record on a task, without its data. Raises RefusedError.

    version  of the data; the manifest's where none is given
    """
    if run.dataset != rules.dataset:
        raise RefusedError("dataset-mismatch", f"{run.dataset}, and not {rules.dataset}.")
    if run.task_version != rules.version:
        raise RefusedError("task-version", f"{run.task_version}; it is {rules.version}.")
    if run.data_version != (tag := version or manifest.load(rules.dataset).version):
        raise RefusedError("data-version", f"{run.data_version}; the tag is {tag}.")
    if rules.takes_options and run.repeats != 1:
        raise RefusedError("repeats-unsupported", f"repeats is {run.repeats}.")


def check_shown(rows: Sequence[Row], *, is_open: bool) -> None:
    """Check that no row reveals what may not be shown. Raises RefusedError."""
    for row in rows:
        if not is_open and (row.doc_hash, row.raw, row.correct) != (None, None, None):
            raise RefusedError("column-not-allowed", f"{row.item_id}: the data are not shown.")


def check_data(run: TaskRun, known: Expected) -> None:
    """Check the statements of a record on data and prompts. Raises RefusedError."""
    if run.content_hash != dict(known.content_hash):
        raise RefusedError("content-hash", f"of {', '.join(sorted(run.content_hash))}.")
    if run.n_items != len(known.documents):
        raise RefusedError("n-items", f"{run.n_items}; the task has {len(known.documents)}.")
    if run.prompt_sha256 != known.prompts:
        raise RefusedError("prompt-hash", f"{run.prompt_sha256[:12]}; it is {known.prompts[:12]}.")


def check_digest(run: TaskRun, rows: Sequence[Row]) -> None:
    """Compare the hash of the answers with the record's. Raises RefusedError."""
    check_same_digest(run, digest(rows))


def check_same_digest(run: TaskRun, found: str) -> None:
    """Compare a hash of answers with the record's. Raises RefusedError."""
    if found != run.answers_sha256:
        raise RefusedError("answers-digest", f"of {run.answers}.")


def check_complete(
    rows: Sequence[Row], repeats: int, n_items: int | None = None
) -> dict[str, list[Row]]:
    """The rows of each document, in order of their runs: one for each run.

    n_items  how many documents there must be; any number by default
    Raises RefusedError.
    """
    found: dict[str, dict[int, Row]] = {}
    for row in rows:
        if not 0 <= row.run < repeats:
            raise RefusedError("run-out-of-range", f"{row.item_id}: {row.run} of {repeats}.")
        if row.run in (of_item := found.setdefault(row.item_id, {})):
            raise RefusedError("row-duplicate", f"{row.item_id}, run {row.run}.")
        of_item[row.run] = row
    for item, of_item in found.items():
        if len(of_item) < repeats:
            raise RefusedError("coverage", f"{item} has {len(of_item)} of {repeats} runs.")
    if n_items is not None and len(found) != n_items:
        raise RefusedError("coverage", f"{len(found)} of {n_items} documents.")
    return {item: [of_item[run] for run in range(repeats)] for item, of_item in found.items()}


def rescore(
    rows: Sequence[Row], repeats: int, known: Expected, *, is_marked: bool = True
) -> Rescored:
    """Score the answers of a file. Raises RefusedError as `read`, and for sealed data."""
    if known.is_sealed:
        raise RefusedError("scoring-failed", "the golds are sealed.")
    records = read(rows, repeats, known, is_marked=is_marked)
    return Rescored(metrics(records), records)


def read(
    rows: Sequence[Row], repeats: int, known: Expected, *, is_marked: bool = True
) -> list[Answered]:
    """The answered documents of a file, in the order of the data.

    is_marked  whether its column `correct` is by these rules, and so must be right
    Raises RefusedError where they are not one answer per document of the data and run, where a
    document's hash is another, and where the columns contradict each other.
    """
    check_shown(rows, is_open=known.is_open)
    by_item = check_complete(rows, repeats)
    if strangers := by_item.keys() - known.documents.keys():
        raise RefusedError("item-unknown", min(strangers))
    if missing := known.documents.keys() - by_item.keys():
        raise RefusedError("coverage", f"{len(missing)} are not answered, such as {min(missing)}.")
    has_raw = any(row.raw is not None for row in rows)
    records = []
    # Answers alone say nothing new of a document.
    is_read = has_raw or known.takes_options
    docs = known.read() if is_read else repeat(MappingProxyType({}), len(known.documents))
    for (item, document), doc in zip(known.documents.items(), docs, strict=True):
        given = by_item[item]
        _check_allowed(given, document, known, has_raw=has_raw)
        record = _record(given, document, doc, known)
        if known.in_season:
            _check_unmarked(given)
        elif known.is_open and is_marked:
            _check_correct(given, record)
        records.append(record)
    return records


def metrics(records: Sequence[Answered]) -> dict[str, Metric]:
    """All estimates over all documents. Raises RefusedError for answers that contradict each other."""
    try:
        return metrics_of(records[0].details(records)["estimates"])
    except MetricError as error:
        raise RefusedError("scoring-failed", str(error)) from error


def compare(
    claimed: Mapping[str, Metric],
    found: Mapping[str, Metric],
    ranges: Ranges = MappingProxyType({}),
) -> None:
    """Compare claimed scores with recomputed ones: every one of them. Raises RefusedError.

    ranges  the values that metrics can have: claims may be older than the rule that cuts intervals
    """
    if missing := sorted(found.keys() - claimed.keys()):
        raise RefusedError("metric-missing", ", ".join(missing))
    if others := sorted(claimed.keys() - found.keys()):
        raise RefusedError("metric-unknown", ", ".join(others))
    for name, ours in found.items():
        theirs = _cut(claimed[name], ranges[name]) if name in ranges else claimed[name]
        if not same(theirs.value, ours.value):
            raise RefusedError("score-mismatch", f"{name} {theirs.value!r}; it is {ours.value!r}.")
        for field in (*_OF_INTERVAL, "n", "n_clusters"):
            if not same(getattr(theirs, field), getattr(ours, field)):
                raise RefusedError(
                    "interval-mismatch",
                    f"{field} of {name} {getattr(theirs, field)!r}; it is {getattr(ours, field)!r}.",
                )


def _cut(claimed: Metric, within: Range) -> Metric:
    low, high = claimed.low, claimed.high
    if low is None or high is None:
        return claimed
    ends = {"low": max(low, within.lowest), "high": min(high, within.highest)}
    return claimed.model_copy(update=ends)


def same(one: float | None, other: float | None) -> bool:
    """Whether two numbers, or two that are not known, are the same but for rounding."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _check_allowed(
    given: Sequence[Row], document: Document, known: Expected, *, has_raw: bool
) -> None:
    for row in given:
        if known.is_open and row.doc_hash != document.doc_hash:
            raise RefusedError("doc-hash", row.item_id)
        if known.takes_options and row.raw is not None:
            raise RefusedError("column-not-allowed", f"{row.item_id}: the task reads no texts.")
        if has_raw and row.raw is None:
            raise RefusedError("raw-incomplete", row.item_id)
        if known.takes_options is (row.log_likelihoods is None):
            raise RefusedError("log-likelihoods", row.item_id)


def _record(
    given: Sequence[Row], document: Document, doc: Mapping[str, Any], known: Expected
) -> Answered:
    stated = tuple(_answer(row, document) for row in given)
    raws = list(_raws(given))
    logs = given[0].log_likelihoods
    if logs is not None:
        if len(logs) != len(document.answers):
            raise RefusedError("log-likelihoods", f"{given[0].item_id} has {len(logs)}.")
        record = scored(known.rules, doc, [(number, False) for number in logs])
    elif raws:
        record = scored(known.rules, doc, [raws])
    else:
        record = document.record.with_answers(stated)
    if record.view().answers != stated:
        raise RefusedError("raw-mismatch", given[0].item_id)
    return record


def _raws(given: Sequence[Row]) -> Iterator[str]:
    for row in given:
        if row.raw is not None:
            yield row.raw


def _answer(row: Row, document: Document) -> str | int | None:
    if row.parsed is None:
        return None
    if row.parsed not in document.answers:
        raise RefusedError("answer-invalid", f"{row.item_id}: {row.parsed}")
    return document.answers[row.parsed]


def _check_unmarked(given: Sequence[Row]) -> None:
    for row in given:
        if row.correct is not None:
            raise RefusedError("column-not-allowed", f"{row.item_id}: nobody knew what was right.")


def _check_correct(given: Sequence[Row], record: Answered) -> None:
    for row, right in zip(given, record.view().correct, strict=True):
        if row.correct is not right:
            raise RefusedError("correct-mismatch", f"{row.item_id}, run {row.run}.")
