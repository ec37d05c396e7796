"""`.eval_results/*.yaml`: scores for a model's own repository, which the Hub shows on its page.

A score can stand there only for a task that the dataset's `eval.yaml` names, by its id there
(`data.repository.eval_yaml`). Those tasks ask the same items with the same evidence in other words, so
that each entry's notes say which of our tasks the score is of. A run without such a task is left out,
with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from otherminds import manifest
from otherminds.data import hub
from otherminds.data.repository import eval_yaml
from otherminds.files import atomic_file
from otherminds.leaderboard.hub import REPOSITORY
from otherminds.leaderboard.records.record import RECORD, SUBMISSIONS, Metric, Submission, TaskRun

FOLDER: Final = ".eval_results"
SOURCE: Final = "OtherMinds leaderboard"


@dataclass(frozen=True)
class Written:
    """The files, and why the other tasks have no entry, by task."""

    files: list[Path]
    left_out: Mapping[str, str]


def write(
    submission: Submission, metrics: Mapping[str, Mapping[str, Metric]], name: str, out: Path
) -> Written:
    """Write `.eval_results/<dataset>.yaml` below `out`, one file for each dataset.

    metrics  recomputed, by task and metric; a task without them has no entry
    name     the submission's id, to which each entry links

    Values are in the metric's own unit: accuracies are fractions. The same arguments give the same
    bytes.
    """
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    entries: dict[str, dict[str, EvalResultEntry]] = {}
    left_out: dict[str, str] = {}
    for run in submission.tasks:
        known = eval_yaml.named(run.dataset).get(run.task)
        of_dataset = entries.setdefault(run.dataset, {})
        if reason := _unfit(run, known, metrics.get(run.task, {})):
            left_out[run.task] = reason
        elif known is not None and known.id in of_dataset:
            left_out[run.task] = f"another task of this submission is {known.id} already"
        elif known is not None:
            of_dataset[known.id] = EvalResultEntry(
                dataset_id=hub.dataset_id(run.dataset),
                task_id=known.id,
                value=metrics[run.task][known.metric].value,
                date=submission.date.isoformat(),
                source_url=address(name),
                source_name=SOURCE,
                source_user=submission.submitter,
                notes=_notes(submission, run, known, metrics[run.task][known.metric]),
            )
    files = []
    for dataset, found in sorted(entries.items()):
        if found:
            path = out / FOLDER / f"{dataset}.yaml"
            content = eval_result_entries_to_yaml([found[id] for id in sorted(found)])
            with atomic_file(path) as partial:
                text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
                partial.write_text(text, encoding="utf-8", newline="\n")
            files.append(path)
    return Written(files, left_out)


def address(name: str) -> str:
    """Where the record of the submission with this id lies, once it is accepted."""
    board = hub.dataset_id(REPOSITORY)
    return f"https://huggingface.co/datasets/{board}/blob/main/{SUBMISSIONS}/{name}/{RECORD}"


def _unfit(run: TaskRun, known: eval_yaml.Named | None, metrics: Mapping[str, Metric]) -> str:
    """Why a run has no entry; empty where it has one."""
    if known is None or known.id not in _ids(run.dataset):
        return "its dataset's eval.yaml names no such task"
    if run.subset is not None:
        return f"it was run on a subset of {run.subset} people"
    if known.metric not in metrics:
        return "its scores were not recomputed"
    return ""


def _ids(dataset: str) -> set[str]:
    text = eval_yaml.text(manifest.load(dataset))
    return set() if text is None else {task["id"] for task in yaml.safe_load(text)["tasks"]}


def _notes(submission: Submission, run: TaskRun, known: eval_yaml.Named, metric: Metric) -> str:
    interval = ""
    if metric.low is not None and metric.high is not None:
        interval = f", 95% interval over people {metric.low:.4g} to {metric.high:.4g}"
    return (
        f"{known.metric} ({known.about}){interval}, of lm-eval's task {run.task} {run.task_version} on "
        f"data {run.data_version}; lm-eval {submission.harness.lm_eval}, otherminds "
        f"{submission.harness.otherminds}. Its prompts ask the same in other words than eval.yaml's."
    )
