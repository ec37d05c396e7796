"""The documents of a task, from the tagged data: every submission is held against them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from otherminds import harness, manifest
from otherminds.analysis.facts import Facts
from otherminds.analysis.verification import task_of
from otherminds.benchmark import evidence_columns
from otherminds.data import loading as data
from otherminds.data import mapping
from otherminds.errors import OtherMindsError
from otherminds.harness import reading
from otherminds.leaderboard.records.doc_hashes import Hasher
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.samples import read as samples
from otherminds.samples.read import Rules
from otherminds.scoring.base import Answer, Answered, View, is_answered, is_judged

_READ = 1_000
"""Documents that are read until the memory of their rows is given back."""

Complete = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class UnavailableError(OtherMindsError):
    """The data of a task cannot be had here."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a document of the tagged data is to an answer; its texts are read again: `Expected.read`.

    record   the document, unanswered
    answers  the allowed answers, by their text
    """

    doc_hash: str
    record: Answered
    answers: Mapping[str, Answer]

    @property
    def view(self) -> View:
        """The document as tables show it, unanswered."""
        return self.record.view()


@dataclass(frozen=True)
class Expected:
    """A task on the tagged data.

    content_hash  of the rows, by configuration
    documents     by item id
    read          the documents themselves, in the same order, without the evidence on the person, which
                  scores do not need; read anew each time, because all at once take gigabytes
    prompts       SHA-256 of all prompts, without a chat template: of a line per document in order of
                  their ids, `<item id> <SHA-256 of the prompt>`
    is_open       whether the data may be shown, and so raw answers, hashes and scores of single items
    in_season     whether answers were given before anybody knew the golds
    is_sealed     whether golds are withheld until a season closes: documents then have others in their
                  place, and nothing may be scored
    """

    task: str
    rules: Rules
    version: str
    content_hash: Mapping[str, str]
    documents: Mapping[str, Document]
    read: Callable[[], Iterator[Mapping[str, Any]]]
    prompts: str
    is_open: bool
    in_season: bool = False
    is_sealed: bool = False

    @property
    def takes_options(self) -> bool:
        """Whether log-likelihoods are compared, instead of texts read."""
        return self.rules.takes_options


def check_supported(task: str) -> Rules:
    """The rules of a task that can be scored from a submission's answers alone.

    Raises RefusedError for no task, and for one that is judged, has no golds, or asks about answers to
    an earlier stage, which no submission has.
    """
    rules, config = samples.rules_of(task), harness.task_config(task)
    if rules is None or config is None:
        raise RefusedError("task-unknown", task)
    stages = config["metadata"].keys() & {"stages", "role", "data_from"}
    if stages or "configs" not in config["dataset_kwargs"]:
        raise RefusedError("task-unsupported", f"{task} rests on answers to another task.")
    return rules


@lru_cache(maxsize=4)
def expected(task: str, subset: int | None = None) -> Expected:
    """A task as the installed version asks it, on the data of the manifest's version.

    Raises RefusedError for a task that cannot be scored again and for no such subset, and
    UnavailableError where the tagged data are not at hand.
    """
    rules = check_supported(task)
    known = manifest.load(rules.dataset)
    try:
        origin = data.provenance(rules.dataset, _configs(task), data_subset=subset)
    except OtherMindsError as error:
        raise UnavailableError(
            f"{error.reason} Submissions are scored from $OTHERMINDS_DATA/{rules.dataset}: what was "
            "built, or a clone, must lie there."
        ) from error
    if origin["version"] != known.version:
        raise UnavailableError(
            f"The data of {rules.dataset} here are {origin['version']}; the tagged ones are "
            f"{known.version}."
        )
    try:
        loaded = task_of(task, Facts(model="", data={"subset": subset}))
    except OtherMindsError as error:
        if subset is None:
            raise UnavailableError(error.reason) from error
        raise RefusedError("subset-unknown", error.reason) from error
    documents, prompts = documents_of(loaded, rules, task)
    return Expected(
        task=task,
        rules=rules,
        version=known.version,
        content_hash=origin["content_hash"],
        documents=documents,
        read=partial(docs_of, loaded),
        prompts=prompts,
        is_open=is_open(rules.dataset),
    )


def is_open(dataset: str) -> bool:
    """Whether a dataset may be shown, and with it all that reveals its texts or golds."""
    known = manifest.load(dataset)
    return known.generated or (known.redistribution is not None and known.redistribution.allowed)


def scored(rules: Rules, doc: Mapping[str, Any], results: Any) -> Answered:
    """The record of a document, as the task itself scores it."""
    record: Answered = rules.record(doc, results)
    return record


def _configs(task: str) -> Sequence[str]:
    config: Any = harness.task_config(task)
    return tuple(config["dataset_kwargs"]["configs"])


def documents_of(
    loaded: Any, rules: Rules, task: str, *, complete: Complete = dict
) -> tuple[dict[str, Document], str]:
    """In the data's order, by the id that the task's records have; and the hash of all prompts.

    complete  a document as it is scored, where it lacks something of that; see `seasons`
    Raises RefusedError for a task that cannot be scored again.
    """
    silence = harness.no_answer(loaded)
    found, prompts, hasher = {}, [], Hasher()
    evidence = evidence_columns()
    allowed: dict[tuple[Answer, ...], Mapping[str, Answer]] = {}
    for doc in _each(loaded):
        results = silence
        if rules.takes_options:
            results = [(-1.0, False)] * len(loaded.doc_to_choice(doc))
        hashed = hasher.hash(doc)
        record = scored(rules, _short(complete(doc), evidence), results)
        if not is_answered(record) or is_judged(record):
            raise RefusedError("task-unsupported", f"{task} has no gold answers of its own.")
        view = record.view()
        if not view.options:
            raise RefusedError("task-unsupported", f"{task} has no options to answer by.")
        # Most documents have the options of another.
        answers = allowed.setdefault(view.options, {str(option): option for option in view.options})
        found[view.item_id] = Document(hashed, record, answers)
        prompt = hashlib.sha256(loaded.doc_to_text(doc).encode()).hexdigest()
        prompts.append(f"{view.item_id} {prompt}")
    return found, hashlib.sha256("\n".join(sorted(prompts)).encode()).hexdigest()


def docs_of(loaded: Any, *, complete: Complete = dict) -> Iterator[Mapping[str, Any]]:
    """The documents of a task in the data's order, each as it is scored."""
    evidence = evidence_columns()
    return (_short(complete(doc), evidence) for doc in _each(loaded))


def _short(doc: Mapping[str, Any], evidence: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in doc.items() if name not in evidence}


def _each(loaded: Any) -> Iterator[Any]:
    for number, doc in enumerate(reading.documents(loaded)):
        if number % _READ == 0:
            mapping.release()
        yield doc
