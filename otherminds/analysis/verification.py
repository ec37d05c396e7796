"""Checks of samples against the data and against the numbers that the run printed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from otherminds import harness
from otherminds.analysis.facts import Facts
from otherminds.analysis.runs import Run
from otherminds.benchmark import evidence_columns
from otherminds.control_tokens import without_escapes
from otherminds.data import mapping
from otherminds.errors import OtherMindsError
from otherminds.scoring.base import View, is_answered

# Recomputed on another machine, the last digits may differ.
_TOLERANCE = 1e-9

_BATCH = 1_000
"""Documents that are looked at at once."""

_READ = 50
"""Whole documents that are looked at until the memory of their rows is given back."""


@dataclass(frozen=True)
class Check:
    """One check. `passed` is None where it could not be made."""

    name: str
    passed: bool | None
    detail: str


def verify(run: Run, details: Mapping[str, Any], *, with_data: bool = True) -> list[Check]:
    """All checks of a run: task version, printed numbers, documents, prompts."""
    checks = [_version(run), _printed(run, details)]
    if run.facts.damage is not None:
        checks.insert(0, Check("results file", False, f"damaged ({run.facts.damage})"))
    if with_data and is_answered(run.records[0]):
        checks += _against_data(run)
    return checks


def _version(run: Run) -> Check:
    theirs, ours = run.facts.task_version, run.rules.version
    if theirs is None:
        return Check("task version", None, "nothing states it")
    same = float(theirs) == float(ours)
    detail = theirs if same else f"{theirs}, and these numbers are by the rules of version {ours}"
    return Check("task version", same, detail)


def _printed(run: Run, details: Mapping[str, Any]) -> Check:
    name = "numbers that the run printed"
    printed, found = run.facts.printed, details.get("estimates", {})
    shared = [metric for metric in found if metric in printed]
    if not shared:
        return Check(name, None, "none are stated")
    if len(run.files) > 1:
        return Check(
            name, None, f"{len(run.files)} runs are pooled here; score one alone to compare"
        )
    other = [
        f"{metric} {found[metric]['value']:.6g}, printed {printed[metric]:.6g}"
        for metric in shared
        if not math.isclose(found[metric]["value"], printed[metric], rel_tol=_TOLERANCE)
    ]
    if other:
        return Check(name, False, "; ".join(other))
    return Check(name, True, f"{len(shared)} are the same")


def _against_data(run: Run) -> list[Check]:
    try:
        task = task_of(run.task, run.facts)
    except OtherMindsError as error:
        return [Check("data", None, f"not compared: {error.reason}")]
    found = _found(run, task)
    answered = len(run.records)
    checks = [_documents(answered, found.strangers, found.changed)]
    checks += _hashes(run, task, found.places)
    missing = found.n_documents - answered
    if missing > 0:
        detail = f"{answered:,} of the task's {found.n_documents:,} documents"
        if run.facts.results:
            checks.append(Check("coverage", False, detail))
        else:
            checks.append(
                Check("coverage", None, f"{detail}, and nothing says how many were asked")
            )
    return checks


def task_of(name: str, facts: Facts) -> Any:
    """A task with the documents that a run of it had, by the data that its results file states.

    Raises OtherMindsError where these data are not at hand.
    """
    where = {"data_subset": facts.subset, "data_source": facts.data_source}
    configured = {name: value for name, value in where.items() if value is not None}
    stages = {stage: str(path) for stage, path in facts.made_from.items() if path.is_file()}
    if stages:
        configured["samples"] = stages
    if (limit := facts.metadata.get("stage_limit")) is not None:
        configured["stage_limit"] = limit
    manager = harness.task_manager({**configured, **facts.shown})
    return harness.load_tasks(manager, [name])[name]


class _Found(NamedTuple):
    """What the data say of a run's documents.

    n_documents  of the task
    strangers    the ids of a run's documents that are not in the data, sorted
    changed      the ids of those with another person, topic or gold there, sorted
    places       in the data, of the documents whose prompts were kept
    """

    n_documents: int
    strangers: list[str]
    changed: list[str]
    places: Mapping[str, int]


def _found(run: Run, task: Any) -> _Found:
    left = {record.view().item_id: record for record in run.records}
    known: set[str] = set()
    changed: set[str] = set()
    places: dict[str, int] = {}
    for place, view in enumerate(_unanswered(run, task)):
        name = view.item_id
        known.add(name)
        record = left.get(name)
        if record is not None and not _same(record.view(), view):
            changed.add(name)
        if name in run.prompts:
            places[name] = place
    return _Found(len(known), sorted(left.keys() - known), sorted(changed), places)


def _unanswered(run: Run, task: Any) -> Iterator[View]:
    """The task's documents as views without answers, in the data's order."""
    silence = harness.no_answer(task)
    # The whole interviews are not needed, and would be most of the time and memory that this takes.
    columns = [name for name in task.eval_docs.column_names if name not in evidence_columns()]
    batches = task.eval_docs.select_columns(columns).with_format("arrow").iter(_BATCH)
    for batch in batches:
        for doc in batch.to_pylist():
            is_text = len(silence) == 1
            results = silence if is_text else [(-1.0, False)] * len(task.doc_to_choice(doc))
            yield run.rules.record(doc, results).view()
        # Rows that were compared are read no more.
        mapping.release()


def _same(one: View, other: View) -> bool:
    return one._replace(answers=(), correct=()) == other._replace(answers=(), correct=())


def _documents(n: int, strangers: list[str], changed: list[str]) -> Check:
    faults = []
    if strangers:
        faults.append(f"{len(strangers):,} are not in the data, such as '{strangers[0]}'")
    if changed:
        faults.append(
            f"{len(changed):,} have another person, topic or gold, such as '{changed[0]}'"
        )
    detail = "; ".join(faults) or f"{n:,} have the person, topic and gold that the data have"
    return Check("documents", not faults, detail)


def _hashes(run: Run, task: Any, places: Mapping[str, int]) -> list[Check]:
    """Compare document hashes and prompts, of those documents whose prompts were kept."""
    chosen = [name for name in sorted(run.prompts) if name in places]
    if not chosen:
        return []
    wrong_docs, wrong_prompts, hashed, shown = [], [], 0, 0
    for number, name in enumerate(chosen):
        if number % _READ == 0:
            mapping.release()
        doc = task.eval_docs[places[name]]
        if run.hashes[name].doc:
            hashed += 1
            if harness.doc_hash(doc) != run.hashes[name].doc:
                wrong_docs.append(name)
        if run.prompts[name]:
            shown += 1
            if not _asks(task, doc, run.prompts[name], bare=run.facts.chat_template is False):
                wrong_prompts.append(name)
    return [
        _outcome("document hashes", wrong_docs, hashed, "differ from the data's"),
        _outcome("prompts", wrong_prompts, shown, "are not what this version asks"),
    ]


def _asks(task: Any, doc: Mapping[str, Any], prompt: str, *, bare: bool) -> bool:
    """Whether a prompt is the task's; a chat template may stand around it, and strip its ends."""
    text = without_escapes(task.doc_to_text(doc).strip())
    prompt = without_escapes(prompt)
    return prompt.rstrip().endswith(text) if bare else text in prompt


def _outcome(name: str, wrong: list[str], n: int, fault: str) -> Check:
    if n == 0:
        return Check(name, None, "the file has none")
    if wrong:
        return Check(name, False, f"{len(wrong)} of {n} compared {fault}, such as of '{wrong[0]}'")
    return Check(name, True, f"{n} compared, all the same")
