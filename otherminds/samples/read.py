"""Reading the sample files of lm-eval (`samples_*.jsonl`) and of `otherminds run` (`….jsonl.zst`)."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from otherminds import benchmark, harness, index, paths
from otherminds.errors import OtherMindsError
from otherminds.files import not_json
from otherminds.metrics.errors import MetricError
from otherminds.samples import packed
from otherminds.samples.names import named
from otherminds.scoring.base import ItemScores
from otherminds.scoring.scorer import SEALED, Scorer, scorer_of

Note = Callable[[str], None]

REDACTED = (
    "it was redacted. Give the originals, or put documents and golds back: "
    "`otherminds redact FOLDER restored --restore`."
)
"""The fault of samples that `otherminds redact` wrote."""


class Hashes(NamedTuple):
    """lm-eval's hashes of a sample: equal for equal documents, prompts (with the model's chat template)
    and golds. Empty where the file has none."""

    doc: str
    prompt: str
    target: str


class Sample(NamedTuple):
    """One document of one run, as it was answered.

    record       the scored answer, as the task itself scored it
    doc          the document, as the task saw it
    raw          the model's reply: a text per repeat, or a log-likelihood per option
    results      the same, as `process_results` takes it
    prompt       the model's prompt; empty where the file does not state it
    place        the file and line it was read from, for messages
    reasons      why its replies ended, where that is known
    """

    record: Any
    doc: Mapping[str, Any]
    raw: tuple[str, ...]
    results: Any
    prompt: str
    hashes: Hashes
    place: str
    reasons: tuple[str | None, ...] = ()


class Rules(NamedTuple):
    """How a task scores.

    scorer         the task's scorer
    takes_options  whether it compares log-likelihoods of options, or reads texts
    version        of the task
    metrics        whether higher is better, by metric, in the order in which a run prints them
    dataset        the dataset that the documents are of
    evidence       the condition: a choice of evidence; None for all of it
    form           the task's name with a star for its evidence, as in "chess_*_direct": tasks of one
                   form differ in their evidence alone. The name itself where it does not hold that
    """

    scorer: Scorer[Any]
    takes_options: bool
    version: str
    metrics: Mapping[str, bool | None]
    dataset: str
    evidence: str | None
    form: str

    @property
    def process(self) -> Callable[[Mapping[str, Any], Any], Mapping[str, ItemScores]]:
        """The task's `process_results`."""
        return self.scorer.choice if self.takes_options else self.scorer.text

    def record(self, doc: Mapping[str, Any], results: Any) -> Any:
        """The record that the task's `process_results` scores."""
        return self.scorer.record(doc, results, takes_options=self.takes_options)


def read(
    path: Path,
    *,
    note: Note,
    fault: Callable[[str], None] | None = None,
    sealed: bool = False,
) -> Iterator[Sample]:
    """The samples of one task in one run, line by line.

    Replies are parsed anew, by the task that the file's name states. Where it states none of ours,
    `note` says so, and each document is read by the first benchmark with a `fallback` that takes it.
    A run that was killed may have left its last line (or the end of its compressed file) unfinished:
    `note` says so, and the complete lines are used. Everything else that is wrong goes, with the file
    and the line, to `fault`, and reading goes on; without `fault` it raises OtherMindsError. So it does
    for a file that is damaged, or of an older form: what was read of it until then is not to be used.
    With `sealed`, documents whose golds are withheld are read too (`Scorer.readable`), for who reads
    answers and scores none.
    """
    name = named(path)
    rules = rules_of(name.task) if name else None
    if rules is None:
        note(f"{path}: its name states no task of ours, so the plain tasks' parser reads it.")
    of = f"'{name.task}'" if name and rules else " or ".join(one.called for one in _fallbacks())
    shared = _Shared()
    file = str(path)
    number = 0
    for number, line in _lines(path, note):
        place = f"{file}, line {number}"
        try:
            record = _decoded(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                note(f"{place} is cut off and was left out: the run did not end.")
                return
            _report(f"{place} is not JSON: {not_json(error)}.", fault, error)
            continue
        packed.check_form(path, record)
        try:
            yield _sample(record, rules, place, shared, sealed=sealed)
        except _SampleError as error:
            _report(f"{place} is not a sample of {of}: {error}", fault, error)
    if number == 0:
        _report(f"{path} has no samples; run the task again.", fault)


def records(path: Path, *, note: Note) -> Iterator[dict[str, Any]]:
    """The lines of a sample file of any task as they stand there.

    An unfinished last line is left out, and `note` is called with a message. Raises OtherMindsError
    for any other line that is not a JSON object.
    """
    for number, line in _lines(path, note):
        try:
            record = _decoded(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                note(f"{path}, line {number} is cut off and was left out: the run did not end.")
                return
            raise OtherMindsError(
                f"{path}, line {number} is not JSON: {not_json(error)}."
            ) from error
        if not isinstance(record, dict):
            raise OtherMindsError(f"{path}, line {number} is not a JSON object.")
        packed.check_form(path, record)
        yield record


@cache
def rules_of(task: str) -> Rules | None:
    """How one of our tasks scores; None for a name that is none of ours.

    Raises OtherMindsError for a task that scores without a `Scorer`.
    """
    config = _config(task)
    if config is None:
        return None
    scorer = scorer_of(config)
    if scorer is None:
        raise OtherMindsError(
            f"The samples of '{task}' cannot be read: its process_results is not of an "
            "otherminds.scoring.scorer.Scorer."
        )
    evidence = _condition(config)
    return Rules(
        scorer=scorer,
        takes_options=config["output_type"] == "multiple_choice",
        version=str(config["metadata"]["version"]),
        metrics={
            one["metric"]: one.get("higher_is_better")
            for one in config["metric_list"]
            if not one["metric"].endswith("_stderr")
        },
        dataset=config["dataset_kwargs"]["dataset"],
        evidence=evidence,
        form=task if evidence is None else _form(task, evidence),
    )


def _config(task: str) -> Mapping[str, Any] | None:
    """The task's YAML with its `process_results`; its other functions may be mere names.

    Those give documents and prompts, and would import the libraries of datasets.
    """
    entry = index.entries().get(task)
    if entry is None or entry.kind != "task":
        return None
    process = entry.content.get("process_results")
    module, _, name = str(process).rpartition(".")
    # lm-eval takes a file beside the YAML before any package.
    if not module.startswith(f"{paths.packages().get(entry.benchmark)}."):
        return harness.task_config(task)
    return {**entry.content, "process_results": getattr(importlib.import_module(module), name)}


def _condition(config: Mapping[str, Any]) -> str | None:
    """The condition: by the evidence in the task's YAML, or by its metadata."""
    found = config["dataset_kwargs"].get("evidence") or config["metadata"].get("condition")
    return found if isinstance(found, str) else None


def _form(task: str, evidence: str) -> str:
    """A task's name without its evidence, which by convention is a part of the name."""
    parts, words = task.split("_"), evidence.split("_")
    for start in range(len(parts)):
        if parts[start : start + len(words)] == words:
            return "_".join([*parts[:start], "*", *parts[start + len(words) :]])
    return task


class _SampleError(Exception):
    """A line that is JSON, but no sample."""


class _Line(BaseModel):
    model_config = ConfigDict(strict=True)

    doc: dict[str, Any]
    filtered_resps: list[Any]
    doc_hash: str = ""
    prompt_hash: str = ""
    target_hash: str = ""


def _check_line(record: Any) -> None:
    if (
        isinstance(record, dict)
        and isinstance(record.get("doc"), dict)
        and isinstance(record.get("filtered_resps"), list)
        and isinstance(record.get("doc_hash", ""), str)
        and isinstance(record.get("prompt_hash", ""), str)
        and isinstance(record.get("target_hash", ""), str)
    ):
        return
    # Its messages say which field is wrong, and how.
    _Line.model_validate(record)


class _Shared:
    """Replaces the short texts of documents by equal ones that stood in documents before.

    A person's id and the labels of a document are the same in thousands of them, and stay in memory
    with every record.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, doc: dict[str, Any]) -> dict[str, Any]:
        known = self._known
        if len(known) > _REMEMBERED:
            known.clear()
        for name, value in doc.items():
            if type(value) is str and len(value) <= _SHORT and name != "item_id":
                doc[name] = known.setdefault(value, value)
        return doc


_SHORT, _REMEMBERED = 48, 20_000


def _report(
    message: str, fault: Callable[[str], None] | None, cause: Exception | None = None
) -> None:
    if fault is None:
        raise OtherMindsError(message) from cause
    fault(message)


def _decoded(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        # lm-eval writes NaN, which JSON does not have, and halves of surrogate pairs, which no file has.
        lenient = json.dumps(json.loads(line), ensure_ascii=False)
        return json.loads(lenient.encode("utf-8", "replace"))


def _sample(
    record: Any, rules: Rules | None, place: str, shared: _Shared, *, sealed: bool
) -> Sample:
    try:
        _check_line(record)
        responses = record["filtered_resps"]
        scorers = [rules.scorer] if rules else _fallbacks()
        scorer, doc = _taken(record["doc"], scorers, sealed=sealed)
        # Where no name states it, the number of responses does.
        takes_options = (
            rules.takes_options if rules else len(responses) == _n_options(scorer, doc) > 1
        )
        _check_count(len(responses), _n_options(scorer, doc) if takes_options else 1)
        results, raw = _results(responses, takes_options=takes_options)
        scored = scorer.record(shared(doc), results, takes_options=takes_options)
    except ValidationError as error:
        fault = error.errors()[0]
        within = () if error.title == _Line.__name__ else ("doc",)
        field = ".".join(str(part) for part in (*within, *fault["loc"])) or "the line"
        raise _SampleError(f"{field}: {fault['msg']}.") from error
    except (MetricError, ValueError) as error:
        raise _SampleError(str(error)) from error
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise _SampleError(f"its document or answers are malformed ({error!r}).") from error
    hashes = Hashes(
        record.get("doc_hash", ""), record.get("prompt_hash", ""), record.get("target_hash", "")
    )
    return Sample(scored, doc, raw, results, _prompt(record), hashes, place, _reasons(record))


@cache
def _fallbacks() -> Sequence[Scorer[Any]]:
    return benchmark.collected(lambda one: one.fallback)


def _taken(
    doc: dict[str, Any], scorers: Sequence[Scorer[Any]], *, sealed: bool
) -> tuple[Scorer[Any], dict[str, Any]]:
    """The first of the scorers that takes a document, and the document as it reads it.

    Raises the first one's error where none takes it.
    """
    if len(doc) == 1 and "item_id" in doc:
        raise _SampleError(REDACTED)
    if not sealed and any(one.is_sealed(doc) for one in scorers):
        raise _SampleError(SEALED)
    if not scorers:
        raise _SampleError("its file's name states no task.")
    refused: list[Exception] = []
    for one in scorers:
        try:
            whole = one.readable(doc)
            one.check_doc(whole)
        except (MetricError, ValueError, KeyError, TypeError) as error:
            refused.append(error)
        else:
            return one, whole
    raise refused[0]


def _n_options(scorer: Scorer[Any], doc: Mapping[str, Any]) -> int:
    return len(scorer.options(doc)) if scorer.options is not None else 1


def _check_count(count: int, wanted: int) -> None:
    if count != wanted:
        of = f"the log-likelihoods of {wanted} options" if wanted > 1 else "the answers to one"
        raise ValueError(f"filtered_resps has {count} entries; expected {of}.")


def _results(responses: list[Any], *, takes_options: bool) -> tuple[Any, tuple[str, ...]]:
    """The argument of `process_results`, and the model's reply."""
    if takes_options:
        # lm-eval writes its pairs (log-likelihood, is greedy) as texts.
        pairs = [(float(pair[0]), str(pair[1]) == "True") for pair in responses]
        return pairs, tuple(str(pair[0]) for pair in responses)
    # One repeat may stand alone, where a filter took it out of its list.
    lists = [one if isinstance(one, list) else [one] for one in responses]
    if not all(lists):
        raise ValueError("filtered_resps has an entry without an answer.")
    results = [[None if text is None else str(text) for text in texts] for texts in lists]
    return results, tuple("" if text is None else text for text in results[0])


def _reasons(record: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Why the replies to a sample's first request ended."""
    found = record.get("finish_reasons")
    first = found[0] if isinstance(found, list) and found else ()
    listed = first if isinstance(first, list) else ()
    return tuple(one if isinstance(one, str) else None for one in listed)


def _prompt(record: Mapping[str, Any]) -> str:
    """The text of a sample's first request."""
    arguments = record.get("arguments")
    first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
    text = first.get("arg_0") if isinstance(first, dict) else None
    return text if isinstance(text, str) else ""


def _lines(path: Path, note: Note) -> Iterator[tuple[int, bytes]]:
    try:
        yield from packed.lines(path)
    except packed.CutOffError as error:
        note(f"{error}: the rest is missing. The file was copied in part, or its run did not end.")
