"""Reading the sample files of lm-eval (`samples_*.jsonl`) and of `otherminds run` (`….jsonl.gz`)."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import Item
from otherminds.samples.names import named
from otherminds.samples.shared_texts import Restoring
from otherminds.scoring.base import ItemScores
from otherminds.scoring.sealed import SEALED, is_sealed
from otherminds.tasks.hugagent import scoring as hugagent

Note = Callable[[str], None]
Fill = Callable[[Mapping[str, Any]], dict[str, Any]]


class Hashes(NamedTuple):
    """lm-eval's hashes of a sample: equal for equal documents, prompts (with the model's chat template)
    and golds. Empty where the file has none."""

    doc: str
    prompt: str
    target: str


@dataclass(frozen=True)
class Sample:
    """One document of one run, as it was answered.

    record       the scored answer, as the task itself scored it
    doc          the document, as the task saw it
    raw          what the model returned: a text per repeat, or a log-likelihood per option
    prompt       what the model was shown; empty where the file does not say
    place        the file and line it was read from, for messages
    """

    record: Any
    doc: Mapping[str, Any]
    raw: tuple[str, ...]
    prompt: str
    hashes: Hashes
    place: str

    @property
    def item(self) -> Item:
        """A HugAgent document, with the parsed answer of each repeat in this run."""
        found: Item = self.record.item
        return found


class Rules(NamedTuple):
    """How a task scores.

    process        the task's `process_results`
    check_doc      raises for what is no document of the task's benchmark
    takes_options  whether `process` takes log-likelihoods of options, or texts
    version        of the task
    metrics        whether higher is better, by metric, in the order in which a run prints them
    dataset        the dataset that the documents are of
    evidence       the condition: what documents show of a person; None for all there is
    form           the task's name with a star for its evidence, as in "debate_*_direct": tasks of one
                   form differ in their evidence alone. The name itself where it does not hold that
    """

    process: Callable[[Mapping[str, Any], Any], Mapping[str, Any]]
    check_doc: Callable[[Any], None]
    takes_options: bool
    version: str
    metrics: Mapping[str, bool | None]
    dataset: str
    evidence: str | None
    form: str


def read(
    path: Path,
    *,
    note: Note,
    fault: Callable[[str], None] | None = None,
    fill: Fill | None = None,
) -> Iterator[Sample]:
    """The samples of one task in one run, line by line.

    Replies are parsed anew, by the task that the file's name states. `note` is told when that is none
    of ours; the plain HugAgent tasks' parser is then used.
    A run that was killed may have left its last line (or the end of its compressed file) unfinished:
    `note` is told so, and what is complete is used. Everything else that is wrong goes, with the file
    and the line, to `fault`, and reading goes on; without `fault` it raises OtherMindsError.
    `fill` completes documents whose golds are sealed, for who reads answers and scores none.
    """
    name = named(path)
    rules = rules_of(name.task) if name else None
    if rules is None:
        note(f"{path}: its name states no task of ours, so the plain tasks' parser reads it.")
    of = f"'{name.task}'" if name and rules else "a HugAgent task"
    restored = Restoring()
    number = 0
    for number, line in _lines(path, note):
        place = f"{path}, line {number}"
        try:
            record = _decoded(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                note(f"{place} is cut off and was left out: the run did not end.")
                return
            _report(f"{place} is no JSON: {error}.", fault, error)
            continue
        try:
            yield _sample(_whole(record, restored), rules, place, fill)
        except _SampleError as error:
            _report(f"{place} is no sample of {of}: {error}", fault, error)
    if number == 0:
        _report(f"{path} has no samples; run the task again.", fault)


def records(path: Path, *, note: Note) -> Iterator[dict[str, Any]]:
    """The lines of a sample file as they stand there, whatever task they are of, with all their texts.

    An unfinished last line is left out, and `note` told so. Raises OtherMindsError for any other line
    that is no JSON object.
    """
    restored = Restoring()
    for number, line in _lines(path, note):
        try:
            record = _decoded(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                note(f"{path}, line {number} is cut off and was left out: the run did not end.")
                return
            raise OtherMindsError(f"{path}, line {number} is no JSON: {error}.") from error
        if not isinstance(record, dict):
            raise OtherMindsError(f"{path}, line {number} is no JSON object.")
        try:
            whole = _whole(record, restored)
        except _SampleError as error:
            raise OtherMindsError(f"{path}, line {number} is not whole: {error}") from error
        yield whole


def combine(samples: Iterable[Sample], *, note: Note) -> list[Item]:
    """The items of one model's runs, each with the answers of all runs, in order of their ids.

    Files may hold other items (a BSI and a BDU task) or the same items again (further runs). Items
    that fewer runs answered than others are left out, and `note` is told how many: a number over runs
    needs all of them. Raises OtherMindsError where there is no item, and where an item was asked in
    another way or with another gold: those are runs of different tasks or data versions.
    """
    first: dict[str, Sample] = {}
    answers: dict[str, tuple[str | int | None, ...]] = {}
    for sample in samples:
        item = sample.item
        # Documents hold whole interviews, and nothing here needs them.
        known = first.setdefault(item.item_id, replace(sample, doc={}, prompt=""))
        if item._replace(answers=()) != known.item._replace(answers=()):
            raise _conflict(known, sample, "has another gold answer or question")
        if sample.hashes.prompt != known.hashes.prompt:
            raise _conflict(known, sample, "was asked with another prompt")
        answers[item.item_id] = (*answers.get(item.item_id, ()), *item.answers)
    if not answers:
        raise OtherMindsError("There is no complete sample to read; run the task again.")
    runs = max(len(given) for given in answers.values())
    complete = [name for name in sorted(answers) if len(answers[name]) == runs]
    if len(complete) < len(answers):
        note(
            f"{len(answers) - len(complete):,} of {len(answers):,} items do not have an answer from "
            f"each of the {runs} runs and were left out."
        )
    return [first[name].item._replace(answers=answers[name]) for name in complete]


@cache
def rules_of(task: str) -> Rules | None:
    """How one of our tasks scores; None for a name that is none of ours."""
    config = harness.task_config(task)
    if config is None:
        return None
    process = config["process_results"]
    evidence = _condition(config)
    return Rules(
        process=process,
        check_doc=getattr(sys.modules[process.__module__], "check_doc", _accept),
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


def _condition(config: Mapping[str, Any]) -> str | None:
    """What documents show: by the evidence in the task's YAML, or by its metadata."""
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
    prompt_hash: str = ""
    doc_hash: str = ""
    target_hash: str = ""


def _accept(doc: Any) -> None:
    """A benchmark without a check of its own."""


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


def _whole(record: Any, restored: Restoring) -> Any:
    try:
        return restored(record)
    except ValueError as error:
        raise _SampleError(f"{error}.") from error


def _sample(record: Any, rules: Rules | None, place: str, fill: Fill | None) -> Sample:
    try:
        line = _Line.model_validate(record)
        doc: dict[str, Any] = record["doc"] if fill is None else fill(record["doc"])
        if is_sealed(doc):
            raise _SampleError(SEALED)
        (rules.check_doc if rules else hugagent.check_doc)(doc)
        scored, raw = _scored(doc, line.filtered_resps, rules)
    except ValidationError as error:
        fault = error.errors()[0]
        within = () if error.title == _Line.__name__ else ("doc",)
        field = ".".join(str(part) for part in (*within, *fault["loc"])) or "the line"
        raise _SampleError(f"{field}: {fault['msg']}.") from error
    except (MetricError, ValueError) as error:
        raise _SampleError(str(error)) from error
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise _SampleError(f"its document or answers are malformed ({error!r}).") from error
    hashes = Hashes(line.doc_hash, line.prompt_hash, line.target_hash)
    return Sample(scored, doc, raw, _prompt(record), hashes, place)


def _scored(
    doc: Mapping[str, Any], responses: list[Any], rules: Rules | None
) -> tuple[Any, tuple[str, ...]]:
    """The scored answer, by the code that scored the task, and what the model returned."""
    options = len(hugagent.letters(doc)) if rules is None or rules.takes_options else 1
    takes_options = rules.takes_options if rules else len(responses) == options > 1
    if len(responses) != (options if takes_options else 1):
        raise ValueError(
            f"filtered_resps has {len(responses)} entries; expected "
            + (
                f"the log-likelihoods of {options} options."
                if takes_options
                else "the answers to one."
            )
        )
    results: Any
    if takes_options:
        # lm-eval writes its pairs (log-likelihood, is greedy) as texts.
        results = [(float(pair[0]), str(pair[1]) == "True") for pair in responses]
        raw = tuple(str(pair[0]) for pair in responses)
    else:
        # One repeat may stand alone, where a filter took it out of its list.
        lists = [one if isinstance(one, list) else [one] for one in responses]
        results = [[None if text is None else str(text) for text in texts] for texts in lists]
        raw = tuple("" if text is None else text for text in results[0])
    plain = hugagent.choice_all if takes_options else hugagent.text_all
    scores: Mapping[str, Any] = (rules.process if rules else plain)(doc, results)
    return next(one.record for one in scores.values() if isinstance(one, ItemScores)), raw


def _prompt(record: Mapping[str, Any]) -> str:
    """The text of a sample's first request."""
    arguments = record.get("arguments")
    first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
    text = first.get("arg_0") if isinstance(first, dict) else None
    return text if isinstance(text, str) else ""


def _conflict(known: Sample, other: Sample, how: str) -> OtherMindsError:
    return OtherMindsError(
        f"Item '{other.item.item_id}' {how} in {other.place} than in {known.place}: give runs of one "
        "model on one task and data version, and no task that asks an item twice."
    )


def _lines(path: Path, note: Note) -> Iterator[tuple[int, bytes]]:
    number = 0
    with _opened(path) as file:
        try:
            for number, line in enumerate(file, start=1):
                yield number, line
        except EOFError:
            note(f"{path} is cut off after line {number}: the run did not end.")
        except (OSError, zlib.error) as error:
            raise OtherMindsError(f"Cannot read {path} after line {number}: {error}.") from error


@contextmanager
def _opened(path: Path) -> Iterator[Iterable[bytes]]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    with file:
        if path.suffix == ".gz":
            with gzip.open(file) as unpacked:
                yield unpacked
        else:
            yield file
