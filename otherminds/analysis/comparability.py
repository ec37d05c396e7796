"""Whether runs may be compared: differences between them besides the model."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from otherminds import manifest
from otherminds.analysis.facts import Facts
from otherminds.analysis.runs import Run, Runs
from otherminds.analysis.words import some
from otherminds.data.repository import card_facts
from otherminds.errors import OtherMindsError, unknown

REASONS: Mapping[str, str] = {
    "task": "are of different tasks",
    "version": "are of different versions of the task",
    "data": "were run on different data",
    "subset": "were run on different subsets of the people",
    "parameters": "were told to show other things of the people",
    "chat-template": "differ in whether the model's chat template was applied",
    "truncation": "differ in whether prompts were cut to the model's window",
    "decoding": "were generated with different settings",
    "judge": "were judged by different models",
    "limit": "differ in how many documents they were run on (--limit)",
}
"""Differences that make runs incomparable, by the name under which `allow` takes them.

Runs with `--limit` are left out where others can be compared; see `cautioned`.
"""

READS_GOLD = "This model reads the gold answers: a test of the task, not a score."


def cautioned(runs: Runs, *, allow: Collection[str] = ()) -> tuple[Runs, list[str]]:
    """The runs that are compared with each other, and what a reader must know of them first.

    One run with `--limit` would leave its few documents alone to compare all the others on. It is left
    out where there are two without, unless `allow` has "limit".
    """
    limited = [run for run in runs if run.is_limited]
    cautions = []
    if limited and "limit" not in allow and len(runs) - len(limited) > 1:
        cautions = [
            f"{run.name}, {run.task}: not compared with the others, because it was run on {run.size} "
            "only (--limit)."
            for run in limited
        ]
        runs = replace(runs, runs=[run for run in runs if not run.is_limited])
    elif limited:
        names = some([f"{run.name} ({run.size})" for run in limited])
        cautions = [f"Run with --limit: {names}. A test of the set-up, not a score."]
    cautions += [f"{run.name}: {READS_GOLD}" for run in runs if run.facts.reads_gold]
    return runs, cautions


def check_comparable(
    runs: Sequence[Run], *, allow: Collection[str] = (), notes: Sequence[str] = ()
) -> list[str]:
    """Notes on differences that were allowed, or cannot be known.

    `notes` say what was left out of the runs, where too few are left.
    Raises OtherMindsError for fewer than two runs, for an unknown name in `allow`, and for a
    difference that is not allowed.
    """
    for name in allow:
        if name not in REASONS:
            raise unknown("difference", name, list(REASONS), listing="otherminds compare --help")
    if len(runs) < 2:
        raise OtherMindsError(
            " ".join(
                [
                    f"{len(runs)} run is left to compare, and comparing takes two: give the samples of "
                    "another model.",
                    *notes,
                ]
            )
        )
    said = []
    for name, values in _differing(runs).items():
        shown = "; ".join(f"{run}: {value}" for run, value in values.items())
        if name not in allow:
            raise OtherMindsError(
                f"These runs {REASONS[name]} ({shown}), so a difference between them would not be the "
                f"models'. {_what_is_new(runs) if name == 'data' else ''}"
                f"Compare them all the same with --allow {name}."
            )
        said.append(f"These runs {REASONS[name]} ({shown}); that was allowed.")
    unsaid = [run.name for run in runs if not run.facts.results]
    if unsaid:
        said.append(
            f"Nothing says how {', '.join(unsaid)} was run (no results file): version, chat template "
            "and truncation could not be compared."
        )
    return said


def check_documents(runs: Sequence[Run], items: Sequence[str]) -> None:
    """Raise OtherMindsError where an item has another person, topic or gold in another run."""
    first, *others = (_documents(run, items) for run in runs)
    for run, found in zip(runs[1:], others, strict=True):
        for item in items:
            if found[item] != first[item]:
                raise OtherMindsError(
                    f"The document '{item}' has another person, topic or gold in {run.name} than in "
                    f"{runs[0].name}: these runs are of different data."
                )


def _documents(run: Run, items: Sequence[str]) -> dict[str, Any]:
    views = {view.item_id: view for view in (record.view() for record in run.answered)}
    # A category may be the amount of evidence, in which tasks differ.
    return {item: views[item]._replace(answers=(), correct=(), category="") for item in items}


def _differing(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """The differences, by run; models that read no prompt do not differ in prompts."""
    readers = [run for run in runs if not run.facts.weightless]
    looked_at: dict[str, dict[str, str | None]] = {
        "task": {run.name: run.task for run in runs},
        "version": {run.name: run.facts.task_version for run in runs},
        "data": {run.name: _data(run.facts.data, _shared_configs(runs)) for run in runs},
        "subset": {run.name: _subset(run.facts) for run in runs},
        "parameters": {run.name: _shown(run.facts) for run in runs},
        "chat-template": {run.name: _yes_no(run.facts.chat_template) for run in readers},
        "truncation": {run.name: _cut(run.facts.n_truncated) for run in readers},
        "decoding": {run.name: run.facts.decoding for run in readers},
        "judge": {run.name: run.facts.judge for run in runs},
    }
    differing = {}
    for name, by_run in looked_at.items():
        known = {run: value for run, value in by_run.items() if value is not None}
        if len(set(known.values())) > 1:
            differing[name] = known
    return differing


def _shared_configs(runs: Sequence[Run]) -> list[str]:
    """The configurations of the data that all runs state a content hash of."""
    stated = [set(run.facts.data["content_hash"]) for run in runs if run.facts.data is not None]
    return sorted(set.intersection(*stated)) if stated else []


def _what_is_new(runs: Sequence[Run]) -> str:
    """What versions of one dataset differ in, in the words of its card; empty where nothing says so."""
    data = [run.facts.data for run in runs if run.facts.data is not None]
    versions = {one["version"] for one in data}
    datasets = {one.get("dataset") for one in data}
    dataset = datasets.pop() if len(datasets) == 1 else None
    if dataset is None or dataset not in manifest.names():
        return ""
    # Newest first: the oldest of those that were run has nothing new.
    known = [name for name in card_facts.load(dataset).versions if name in versions]
    said = card_facts.load(dataset).versions
    return "".join(f"New in {name}: {said[name]}. " for name in known[:-1])


def _data(data: Mapping[str, Any] | None, configs: Sequence[str]) -> str | None:
    if data is None:
        return None
    hashes = ", ".join(f"{name} {data['content_hash'][name][:8]}" for name in configs)
    return f"version {data['version']} ({hashes})"


def _subset(facts: Facts) -> str | None:
    # Plain lm-eval says so in the task's metadata alone.
    is_said = facts.data is not None or facts.metadata
    return str(facts.subset or "all people") if is_said else None


def _shown(facts: Facts) -> str | None:
    return json.dumps(facts.shown) if facts.results else None


def _yes_no(applied: bool | None) -> str | None:
    return None if applied is None else "applied" if applied else "not applied"


def _cut(n_truncated: int | None) -> str | None:
    return None if n_truncated is None else "cut" if n_truncated else "not cut"
