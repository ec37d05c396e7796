"""Reading the sample files of lm-eval (`samples_*.jsonl`) and of `otherminds run` (`….jsonl.gz`)."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import Item
from otherminds.metrics.hugagent.items import check_golds
from otherminds.scoring import hugagent

Note = Callable[[str], None]

_NAME = re.compile(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[^_]*\.jsonl(\.gz)?")


@dataclass(frozen=True)
class Sample:
    """One document of one run, as it was answered.

    item         with the parsed answer of each repeat in this run, as the task itself parsed it
    doc          the document, as the task saw it
    prompt_hash  lm-eval's hash of the prompt: equal for equal tasks, evidence and chat templates
    place        the file and line it was read from, for messages
    """

    item: Item
    doc: Mapping[str, Any]
    prompt_hash: str
    place: str


def read(path: Path, *, note: Note) -> Iterator[Sample]:
    """The samples of one HugAgent task in one run, line by line.

    Replies are parsed anew, by the task that the file's name states. `note` is told when that is none
    of ours; the plain tasks' parser is then used.
    A run that was killed may have left its last line (or the end of its compressed file) unfinished:
    `note` is told so, and what is complete is used. Everything else that is wrong raises
    OtherMindsError with the file and the line.
    """
    scoring = _scoring_of(path, note)
    number = 0
    for number, line in _lines(path, note):
        place = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                note(f"{place} is cut off and was left out: the run did not end.")
                return
            raise OtherMindsError(f"{place} is no JSON: {error}.") from error
        yield _sample(record, scoring, place)
    if number == 0:
        raise OtherMindsError(f"{path} has no samples; run the task again.")


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
        known = first.setdefault(item.item_id, replace(sample, doc={}))
        if item._replace(answers=()) != known.item._replace(answers=()):
            raise _conflict(known, sample, "has another gold answer or question")
        if sample.prompt_hash != known.prompt_hash:
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


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    participant_id: str
    track: Literal["human", "synthetic"]
    topic: str
    task: Literal["bsi", "bdu"]
    question_id: str | None
    question_type: str | None
    options: list[str]
    scale: list[int]
    context: list[Any]
    answer: str


class _Record(BaseModel):
    model_config = ConfigDict(strict=True)

    doc: _Doc
    filtered_resps: list[list[Any]]
    prompt_hash: str


class _Scoring(NamedTuple):
    """A task's `process_results`, and whether it takes log-likelihoods of options or texts."""

    process: Callable[[Mapping[str, Any], Any], Mapping[str, Any]]
    takes_options: bool


def _scoring_of(path: Path, note: Note) -> _Scoring | None:
    named = _NAME.fullmatch(path.name)
    scoring = _scoring(named["task"]) if named else None
    if scoring is None:
        note(f"{path}: its name states no task of ours, so the plain tasks' parser reads it.")
    return scoring


@cache
def _scoring(task: str) -> _Scoring | None:
    for entry in harness.entries(harness.task_manager()):
        if entry.name == task and entry.kind == "task" and entry.path is not None:
            config = harness.load_yaml(entry.path)
            return _Scoring(config["process_results"], config["output_type"] == "multiple_choice")
    return None


def _sample(record: Any, scoring: _Scoring | None, place: str) -> Sample:
    try:
        checked = _Record.model_validate(record)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"]) or "the line"
        raise _no_sample(place, f"{field}: {fault['msg']}.") from error
    doc: dict[str, Any] = record["doc"]
    try:
        item = _item(doc, checked.filtered_resps, scoring)
    except (MetricError, ValueError) as error:
        raise _no_sample(place, str(error)) from error
    return Sample(item, doc, checked.prompt_hash, place)


def _item(doc: Mapping[str, Any], responses: list[list[Any]], scoring: _Scoring | None) -> Item:
    """The answered item, by the code that scored the task."""
    if (doc["task"] == "bsi") == (not doc["options"]) or len(doc["scale"]) not in (0, 2):
        raise ValueError("a bsi document has options, a bdu document a scale [low, high].")
    check_golds([hugagent.item(doc)])
    options = len(hugagent.letters(doc))
    takes_options = scoring.takes_options if scoring else len(responses) == options
    results: Any
    if takes_options:
        # lm-eval writes its pairs (log-likelihood, is greedy) as texts.
        results = [(float(pair[0]), str(pair[1]) == "True") for pair in responses if len(pair) == 2]
    else:
        results = [[None if text is None else str(text) for text in texts] for texts in responses]
    if len(results) != (options if takes_options else 1):
        raise ValueError(
            f"filtered_resps has {len(responses)} entries; expected the answers to one request, or "
            f"the log-likelihoods of {options} options."
        )
    plain = hugagent.choice_all if takes_options else hugagent.text_all
    scores: Mapping[str, Any] = (scoring.process if scoring else plain)(doc, results)
    item: Item = scores["parse_rate"].record.item
    return item


def _no_sample(place: str, fault: str) -> OtherMindsError:
    return OtherMindsError(f"{place} is no sample of a HugAgent task: {fault}")


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
