"""Staged runs: chains of ordinary lm-eval tasks, each made from the answers of the one before.

A task that needs the answers of others names them in its YAML, in the order in which they run:

    metadata: {version: 1.0, stages: [the_first, the_second]}

Its `custom_dataset` reads their samples, by `answers`. Two keys of `--metadata` connect the stages, for
every task of the chain alike:

    samples      the folder in which the sample files of earlier stages lie, or a mapping from stages to
                 their files, or one file, which is that of the last stage before
    stage_limit  make only the documents that the first so many of the chain's last task need

`otherminds run` sets both; with plain lm_eval, set them by hand, a stage at a time.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import otherminds
from otherminds import files, harness
from otherminds.errors import OtherMindsError, unknown_task
from otherminds.keys import SAMPLES
from otherminds.samples import packed
from otherminds.samples.names import named
from otherminds.types import Doc

Samples = str | Mapping[str, str] | None

# The entry in lm-eval's sample files for an answer that a backend never gave.
_NO_ANSWER = "None"


@dataclass(frozen=True)
class Stage:
    """One finished stage of a run.

    task        its name
    model       lm-eval's name of the model that answered, with its arguments
    reads_gold  whether that model, or one of an earlier stage, reads gold answers
    inputs      by earlier stage, the sample file whose answers it was made from
    results     its results file
    samples     its own sample file
    scores      its numbers, by metric; None for one that had nothing to measure
    """

    task: str
    model: Mapping[str, Any]
    reads_gold: bool
    inputs: Mapping[str, Path]
    results: Path
    samples: Path
    scores: Mapping[str, float | None]


def scores_of(numbers: Mapping[str, Any]) -> dict[str, float | None]:
    """The scores of a task in lm-eval's results, by metric; None for NaN, as JSON has none."""
    return {
        key.partition(",")[0]: float(value) if math.isfinite(value) else None
        for key, value in numbers.items()
        if "," in key and isinstance(value, float | int)
    }


def before(manager: Any, names: Sequence[str]) -> list[str]:
    """The tasks that must have run before `names` (tasks, groups, tags) can, in order, each once.

    Raises OtherMindsError when a task names a stage that does not exist.
    """
    needed: dict[str, None] = {}
    for task in harness.leaves(manager, names):
        for stage in harness.task_metadata(manager, task).get("stages", ()):
            if stage not in manager.task_index:
                known = manager.all_subtasks
                raise unknown_task(stage, known, kind="stage")
            needed |= dict.fromkeys([*before(manager, [stage]), stage])
    return list(needed)


def given(manager: Any, names: Sequence[str], metadata: Mapping[str, Any]) -> dict[str, Path]:
    """The sample files that `--metadata` gives to `names`, by the stage that they are of."""
    samples = metadata.get(SAMPLES)
    if not samples:
        return {}
    if isinstance(samples, Mapping):
        return {stage: _path(stage, samples) for stage in samples}
    needed = before(manager, names)
    path = Path(str(samples)).expanduser()
    if path.is_dir():
        newest = {stage: _newest(path, stage) for stage in needed}
        found = {stage: file for stage, file in newest.items() if file is not None}
        if needed and not found:
            raise _none_in(path, needed[-1])
        return found
    if needed and not path.is_file():
        raise _no_file(path, needed[-1])
    chains = (
        harness.task_metadata(manager, task).get("stages", ())
        for task in harness.leaves(manager, names)
    )
    return dict.fromkeys(sorted({chain[-1] for chain in chains if chain}), path)


def inputs(manager: Any, tasks: Sequence[str], samples: Mapping[str, Path]) -> dict[str, Path]:
    """Of the sample files of all stages, those that tasks need, directly or through another."""
    return {stage: samples[stage] for stage in before(manager, tasks) if stage in samples}


def _newest(folder: Path, stage: str) -> Path | None:
    """The newest sample file of a stage in a folder, by the date in its name."""
    names = {path: named(path) for path in folder.glob(f"samples_{stage}_*")}
    # The names of two stages may begin alike.
    dated = {name.date: path for path, name in names.items() if name and name.task == stage}
    return dated[max(dated)] if dated else None


def answers(docs: Iterable[Doc], *, stage: str, samples: Samples) -> list[str | None]:
    """The answers in a stage's samples to each of its documents, in the order of `docs`.

    docs     the documents that the stage has with this task's arguments, each with an `item_id`
    stage    its name
    samples  its sample file, packed or not, or a mapping in which `stage` has one

    None stands for a document whose request was given up. Raises OtherMindsError when there is no
    file, when it cannot be read to its end, and unless it holds one answer to each of `docs`, as they
    are, and to no other: notes on other data would go unnoticed into the next stage's prompts.
    """
    path = _path(stage, samples)
    expected = {str(doc["item_id"]): doc for doc in docs}
    found: dict[str, str | None] = {}
    strangers: list[str] = []
    for place, sample in packed.whole(path, partial(_refused, stage=stage)):
        item_id, doc, answer = _sample(sample, place, stage)
        if item_id in found:
            raise _refused(f"{place} answers '{item_id}' a second time", stage)
        if item_id not in expected:
            strangers.append(item_id)
            continue
        if doc != dict(expected[item_id]):
            raise _refused(
                f"{place}: '{item_id}' was another document then, from another version of the data or "
                "of the task",
                stage,
            )
        found[item_id] = answer
    missing = [item_id for item_id in expected if item_id not in found]
    for lot, what in ((missing, "lacks"), (strangers, "has answers to")):
        if lot:
            others = "" if lot is missing else " that do not belong to it here"
            raise _refused(
                f"{path} {what} {len(lot):,} documents{others}, '{lot[0]}' for one, beside "
                f"{len(found):,} of the {len(expected):,} documents of '{stage}'",
                stage,
            )
    return [found[item_id] for item_id in expected]


def reached(limit: float | None, n_docs: int) -> int:
    """How many of a task's documents lie within a `stage_limit`, as lm-eval counts its `--limit`.

    Raises OtherMindsError for a limit that leaves none.
    """
    if limit is None:
        return n_docs
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
        raise OtherMindsError(
            f"stage_limit is {limit}: give a number of items, or a share below 1."
        )
    return min(n_docs, math.ceil(n_docs * limit) if limit < 1 else int(limit))


def as_count(manager: Any, tasks: Sequence[str], share: float) -> int:
    """How many documents of the last task a share is: later stages may have only these."""
    if len(tasks) > 1:
        raise OtherMindsError(
            "Give --limit as a number of documents: a share would be another number for each of "
            f"{', '.join(tasks)}."
        )
    return reached(share, len(load(manager, tasks[0]).eval_docs))


def unreached(item_id: str) -> OtherMindsError:
    """The error for a document that earlier stages were not run for."""
    return OtherMindsError(
        f"Nothing was prepared for '{item_id}': earlier stages were run for the first items alone. Give "
        "--limit the value of stage_limit, or run the stages before this one without stage_limit."
    )


def load(manager: Any, name: str) -> Any:
    """Load a task; where it needs earlier stages, as if these had been answered with nothing.

    This is how to look at such a task (its documents, a prompt) without a model.
    """
    samples: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for stage in before(manager, [name]):
            task = load_with(manager, stage, samples)
            path = Path(folder) / f"{stage}.jsonl"
            with path.open("w", encoding="utf-8") as file:
                for doc in task.eval_docs:
                    silent = {"doc": doc, "filtered_resps": [[""]]}
                    file.write(json.dumps(silent, ensure_ascii=False) + "\n")
            samples[stage] = str(path)
        return load_with(manager, name, samples)


def load_with(manager: Any, name: str, samples: Mapping[str, str]) -> Any:
    """Load a task with the sample files of its earlier stages."""
    informed = harness.informed(manager, {SAMPLES: dict(samples)}) if samples else manager
    return harness.load_tasks(informed, [name])[name]


def write_manifest(stages: Sequence[Stage], path: Path, *, planned: Sequence[str]) -> None:
    """Write how the stages of a run followed from each other, files with their SHA-256, as JSON.

    `planned` are all tasks of the run: the record says which of them are still missing.
    """
    done = {stage.task for stage in stages}
    missing = [task for task in planned if task not in done]
    record = {
        "otherminds": otherminds.__version__,
        "complete": not missing,
        "missing": missing,
        "stages": [_described(stage, path.parent) for stage in stages],
    }
    files.write_json(path, harness.plain(record))


def _described(stage: Stage, folder: Path) -> dict[str, Any]:
    return {
        "task": stage.task,
        "model": dict(stage.model),
        "inputs": {name: _file(path, folder) for name, path in stage.inputs.items()},
        "results": _file(stage.results, folder),
        "samples": _file(stage.samples, folder),
        "scores": dict(stage.scores),
    }


def made_from(samples: Mapping[str, Path], done: Sequence[Stage]) -> dict[str, dict[str, Any]]:
    """The facts in a results file on sample files of earlier stages: path, SHA-256 and, of those that
    this run asked itself, the scores.
    """
    scores = {stage.task: dict(stage.scores) for stage in done}
    return {
        stage: {**_file(path), **({"scores": scores[stage]} if stage in scores else {})}
        for stage, path in samples.items()
    }


def _file(path: Path, folder: Path | None = None) -> dict[str, str]:
    found = path.resolve()
    state = found.stat()
    if folder is not None and found.is_relative_to(folder.resolve()):
        # The folder may move.
        found = found.relative_to(folder.resolve())
    return {"path": found.as_posix(), "sha256": _hash(path, state.st_size, state.st_mtime_ns)}


@lru_cache(maxsize=1024)
def _hash(path: Path, size: int, time: int) -> str:
    """The SHA-256 of a file; of each, every later stage's manifest and results state it again."""
    return files.sha256(path)


def _path(stage: str, samples: Samples) -> Path:
    chosen = samples.get(stage) if isinstance(samples, Mapping) else samples
    folder = Path(chosen).expanduser() if isinstance(chosen, str) else None
    if folder is not None and folder.is_dir():
        chosen = str(_newest(folder, stage) or "")
        if not chosen:
            raise _none_in(folder, stage)
    if not chosen:
        raise OtherMindsError(
            f"This task is made from the answers to '{stage}'. `otherminds run` asks both in turn. With "
            f"plain lm-eval, `lm_eval run --tasks {stage} --log_samples --output_path OUTPUT` comes "
            "first; then give this task the folder that it wrote: `--metadata samples=OUTPUT/MODEL`."
        )
    path = Path(chosen).expanduser()
    if not path.is_file():
        raise _no_file(path, stage)
    return path


def _none_in(folder: Path, stage: str) -> OtherMindsError:
    return OtherMindsError(
        f"There is no sample file of '{stage}' in {folder}. Run that stage first, with the same "
        "--metadata, and let it write there, or give the folder of the model that answered it."
    )


def _no_file(path: Path, stage: str) -> OtherMindsError:
    return OtherMindsError(
        f"There is no sample file {path}. Give the one that a run of '{stage}' wrote (with lm_eval, "
        "by --log_samples and --output_path)."
    )


def _sample(sample: Any, place: str, stage: str) -> tuple[str, dict[str, Any], str | None]:
    match sample:
        case {
            "doc": {"item_id": str() as item_id} as doc,
            "filtered_resps": [[str() as text]] | [str() as text],
        }:
            return item_id, doc, None if text == _NO_ANSWER else text
        case {"filtered_resps": [[_, _, *_] as several]}:
            raise _refused(f"{place} has {len(several)} answers where one is needed", stage)
    raise _refused(f"{place} is not a sample of '{stage}'", stage)


def _refused(what: str, stage: str) -> OtherMindsError:
    return OtherMindsError(
        f"{what}. Run '{stage}' again with the same --metadata (data, subset, stage_limit and all else) "
        "and give its new sample file as samples."
    )
