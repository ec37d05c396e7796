"""Records in the format of Every Eval Ever, schema 0.3.0: scores of many harnesses in one layout.

    data/<dataset>/<developer>/<model>/<uuid>.json            a task's scores, and how it was run
    data/<dataset>/<developer>/<model>/<uuid>_samples.jsonl   every answer, where the data may be shown

The uuid is made from the content: the same submission gives the same files, byte for byte. What a
submission does not say is left out or "unknown", never guessed. Metrics of which neither more nor less
is better, such as counts, have no place in the format.
"""

from __future__ import annotations

import hashlib
import json
import math
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from otherminds import manifest
from otherminds.data import hub
from otherminds.files import atomic_file
from otherminds.leaderboard.exports.eval_results import SOURCE, address
from otherminds.leaderboard.exports.every_eval_ever_answers import SCHEMA, Json, instances, texts
from otherminds.leaderboard.judging.expected import is_open
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.record import Level, Metric, Submission, TaskRun
from otherminds.metrics.uncertainty import LEVEL
from otherminds.samples import read as samples

_ARGUMENTS = ("temperature", "top_p", "top_k")


def write(
    submission: Submission,
    metrics: Mapping[str, Mapping[str, Metric]],
    level: Level,
    folder: Path,
    out: Path,
) -> list[Path]:
    """Write a record for each task whose scores were recomputed below `out`, with its answers.

    The format files models as owner/name: there are no records of a model whose name has no owner.

    metrics  recomputed, by task and metric
    level    how the scores were checked
    folder   the submission's, whose name is its id

    Raises OtherMindsError where the data of such a task are not at hand.
    """
    written: list[Path] = []
    if not has_owner(submission):
        return written
    for run in submission.tasks:
        if run.task not in metrics:
            continue
        rows = answers.read(folder / run.answers) if _may_show(run) else []
        content = record(submission, run, metrics[run.task], level, folder.name)
        place = _place(submission, run, content)
        if _is_complete(rows):
            lines = "".join(
                json.dumps(line) + "\n"
                for line in instances(submission, run, rows, content["evaluation_id"])
            )
            path = out / f"{place}_samples.jsonl"
            _write(path, lines)
            content["detailed_evaluation_results"] = {
                "format": "jsonl",
                "file_path": f"{place}_samples.jsonl",
                "hash_algorithm": "sha256",
                "checksum": hashlib.sha256(lines.encode()).hexdigest(),
                "total_rows": len(rows),
            }
            written.append(path)
        _write(out / f"{place}.json", json.dumps(content, indent=1) + "\n")
        written.append(out / f"{place}.json")
    return written


def has_owner(submission: Submission) -> bool:
    """Whether the model's name is owner/name."""
    return "/" in submission.model.name


def record(
    submission: Submission, run: TaskRun, metrics: Mapping[str, Metric], level: Level, name: str
) -> Json:
    """One task's scores in the format, without its answers; `name` is the submission's id."""
    model = submission.model
    rules = samples.rules_of(run.task)
    better = {} if rules is None else rules.metrics
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{run.task}/{model.name}/{_epoch(submission)}",
        "retrieved_timestamp": _epoch(submission),
        "source_metadata": {
            "source_name": SOURCE,
            "source_type": "evaluation_run",
            "source_organization_name": submission.submitter,
            "source_organization_url": f"https://huggingface.co/{submission.submitter}",
            # The owner of the model's repository is its developer; of others nothing is known.
            "evaluator_relationship": (
                "first_party" if model.name.startswith(f"{submission.submitter}/") else "other"
            ),
            "additional_details": texts(
                record=address(name),
                trust_level=level,
                trained_on_data=submission.declarations.trained_on_data,
                notes=submission.declarations.notes,
            ),
        },
        "eval_library": {
            "name": "lm_eval",
            "version": submission.harness.lm_eval,
            "additional_details": {"otherminds": submission.harness.otherminds},
        },
        "model_info": {
            "name": model.name,
            "id": model.name,
            "developer": model.name.partition("/")[0],
            "additional_details": texts(
                deployment_type="unknown",
                model_availability="unknown",
                revision=model.revision,
                weights_sha256=model.weights_sha256,
                parameters=model.parameters,
                dtype=model.dtype,
            ),
        },
        "evaluation_results": [
            _result(run, metric, found, better_is_more)
            for metric, found in sorted(metrics.items())
            if (better_is_more := better.get(metric)) is not None
        ],
    }


def _result(run: TaskRun, name: str, found: Metric, better_is_more: bool) -> Json:
    return {
        "evaluation_result_id": f"{run.task}.{name}",
        "evaluation_name": run.task,
        "source_data": _data(run),
        "metric_config": {
            "metric_id": f"otherminds.{run.task}.{name}",
            "metric_name": name,
            "lower_is_better": not better_is_more,
        },
        "score_details": {
            "score": found.value,
            "uncertainty": _uncertainty(found),
            "details": texts(n=found.n, n_clusters=found.n_clusters, cluster="person"),
        },
        "generation_config": {
            "generation_args": _arguments(run),
            "additional_details": texts(
                **{f"decoding.{name}": value for name, value in sorted(run.decoding.items())},
                **{f"seed.{name}": value for name, value in sorted(run.seeds.items())},
                task_version=run.task_version,
                repeats=run.repeats,
                prompt_sha256=run.prompt_sha256,
                chat_template_sha256=run.chat_template_sha256 or "none applied",
                answers_sha256=run.answers_sha256,
            ),
        },
    }


def _data(run: TaskRun) -> Json:
    known = manifest.load(run.dataset)
    found: Json = {
        "dataset_name": run.dataset,
        "additional_details": texts(
            version=run.data_version,
            subset=run.subset,
            **{f"content_hash.{name}": one for name, one in sorted(run.content_hash.items())},
        ),
    }
    if known.upstream is None and not is_open(run.dataset):
        return {**found, "source_type": "other"}
    repo = hub.dataset_id(run.dataset) if known.upstream is None else known.upstream.hub
    return {
        **found,
        "source_type": "hf_dataset",
        "hf_repo": repo,
        "hf_split": "test" if known.upstream is None else known.upstream.split,
        "samples_number": run.n_items,
    }


def _uncertainty(found: Metric) -> Json:
    uncertainty: Json = {}
    if found.stderr is not None:
        uncertainty["standard_error"] = {"value": found.stderr, "method": "clustered by person"}
    if found.low is not None and found.high is not None:
        uncertainty["confidence_interval"] = {
            "lower": found.low,
            "upper": found.high,
            "confidence_level": LEVEL,
            "method": "t with n_clusters - 1 degrees of freedom",
        }
    if float(found.n).is_integer():
        uncertainty["num_samples"] = int(found.n)
    return uncertainty


def _arguments(run: TaskRun) -> Json:
    settings = {name: json.loads(value) for name, value in run.decoding.items()}
    found = {name: settings[name] for name in _ARGUMENTS if _is_number(settings.get(name))}
    most = settings.get("max_gen_toks")
    if isinstance(most, int) and most > 0:
        found["max_tokens"] = most
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _may_show(run: TaskRun) -> bool:
    """A gate asks readers to accept terms: a copy elsewhere would go round it."""
    return is_open(run.dataset) and manifest.load(run.dataset).gate is None


def _is_complete(rows: Sequence[Row]) -> bool:
    """Whether the replies themselves are there, and not only the answers read from them."""
    return bool(rows) and all(row.raw is not None or row.log_likelihoods for row in rows)


def _place(submission: Submission, run: TaskRun, content: Json) -> str:
    """The file's path without its ending."""
    text = json.dumps(content, sort_keys=True).encode()
    name = uuid.UUID(bytes=hashlib.sha256(text).digest()[:16], version=4)
    return f"data/{run.dataset}/{submission.model.name}/{name}"


def _epoch(submission: Submission) -> str:
    """The record's day as seconds since 1970; no hour is known."""
    return str(int(datetime.combine(submission.date, time(), UTC).timestamp()))


def _write(path: Path, text: str) -> None:
    with atomic_file(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")
