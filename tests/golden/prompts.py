"""What every task asks, as lm-eval loads it by name: prompts, documents, decoding, and its version.

Tasks that are made from the answers to earlier stages get answers that are written here, so that what a
judge is asked changes with the prompts alone, and not with the models that answer before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lm_eval.tasks import TaskManager

from otherminds import manifest
from otherminds.construct import pipelines
from otherminds.types import Doc
from tests.golden import pinned, shelf
from tests.golden.texts import sha256

NAME = "prompts.json"
CHANGED = "Tasks ask something else, or are scored by something else, under their old version."
FIRST = 20
"""So many prompts of each task are hashed from its beginning, and the last one."""

_LAST = ("reading", "marking")
_SHORT = 10
_PARTS = ("latent_belief_explanation", "user_profile_modeling", "correct_resolution")


def collect(folder: Path) -> dict[str, Any]:
    """By task, what it asks.

    version    in its YAML, and that of its dataset's release
    prompts    SHA-256 of the requests to documents 0 to 19 and the last one, and the beginning of the
               SHA-256 of each: the whole text with the system prompt, and the options where there are
               any
    documents  how many there are, and the SHA-256 of all of them
    decoding   how answers are sampled
    scored     names of the metrics, and the filters that answers go through
    """
    tasks_folder = pinned.command("tasks-path").out.strip()
    # This one reads the corpus that the dataset is built from.
    data = {"debate_title_filter": {"data_source": str(folder / shelf.CORPUS)}}
    index = _index(tasks_folder, {})
    names = [
        name
        for name, one in index.task_index.items()
        # What readers and markers are shown is of a construction: its own tests look at that.
        if one.kind.name == "TASK"
        and one.cfg["dataset_kwargs"].get("stage") not in _LAST
        and _has_something_to_ask(one.cfg["dataset_kwargs"])
    ]
    metadata = {name: index.task_index[name].cfg["metadata"] for name in names}
    stages = {name: list(told.get("stages", ())) for name, told in metadata.items()}
    needed = {stage for before in stages.values() for stage in before}
    samples: dict[str, str] = {}
    found: dict[str, Any] = {}
    while waiting := [name for name in names if name not in found]:
        ready = [name for name in waiting if samples.keys() >= set(stages[name])]
        assert ready, f"stages that need each other: {waiting}"
        told = {"samples": samples} if samples else {}
        plain = [name for name in ready if name not in data]
        loaded = dict(_index(tasks_folder, told).load(plain)["tasks"])
        for name in set(ready) - set(plain):
            loaded |= _index(tasks_folder, data[name]).load([name])["tasks"]
        for name, task in loaded.items():
            found[name] = _asked(task)
            if name in needed:
                samples[name] = _answered(folder / f"{name}.jsonl", task)
    return found


def _has_something_to_ask(wanted: Mapping[str, Any]) -> bool:
    """Whether the package holds units of a pipeline, or rows of a dataset: some wait for authors."""
    if "pipeline" in wanted:
        return bool(pipelines.named(wanted["pipeline"]).example())
    return any(
        sum(one.splits.values()) for one in manifest.load(wanted["dataset"]).configs.values()
    )


def _index(folder: str, metadata: Mapping[str, Any]) -> TaskManager:
    return TaskManager(include_path=folder, include_defaults=False, metadata=dict(metadata))


def _asked(task: Any) -> dict[str, Any]:
    docs = task.eval_docs
    count = len(docs)
    chosen = [*range(min(FIRST, count)), *([count - 1] if count > FIRST else [])]
    each = [sha256(_request(task, docs[place])) for place in chosen]
    every = hashlib.sha256()
    for doc in docs:
        every.update(_text(doc).encode())
    return {
        "version": str(task.config.metadata["version"]),
        "dataset": task.config.dataset_kwargs["dataset"],
        "prompts": {
            "sha256": sha256("".join(each)),
            "each": " ".join(one[:_SHORT] for one in each),
        },
        "documents": {"count": count, "sha256": every.hexdigest()},
        "decoding": _text(task.config.generation_kwargs) if _writes(task) else "log-likelihoods",
        "scored": sha256(_text(_scored(task)))[:_SHORT],
    }


def _scored(task: Any) -> list[Any]:
    metrics = [[one["metric"], one.get("higher_is_better")] for one in task.config.metric_list]
    # Functions by their names alone: modules may move.
    filters = json.dumps(task.config.filter_list, default=lambda function: function.__name__)
    return [metrics, filters]


def _writes(task: Any) -> bool:
    return bool(task.OUTPUT_TYPE == "generate_until")


def _request(task: Any, doc: Doc) -> str:
    prompt = task.fewshot_context(doc, num_fewshot=0)
    return _text([prompt, None if _writes(task) else task.doc_to_choice(doc)])


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _answered(path: Path, task: Any) -> str:
    """Write samples of a task, as lm-eval would, in which its documents are answered."""
    lines = [json.dumps({"doc": doc, "filtered_resps": [[answer(doc)]]}) for doc in task.eval_docs]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def answer(doc: Doc) -> str:
    """An answer that the next stage can read, another one to each document."""
    item = str(doc["item_id"])
    if "lines" in doc:
        return _scene(doc["lines"])
    if "rubrics" in doc:
        return json.dumps({part: f"The {part} of {item}." for part in _PARTS})
    if "dimensions" in doc:
        return _verdicts(doc)
    if "labels" in doc:
        return _graph(doc)
    dollars = int(sha256(item)[:4], 16) % 11
    levels = doc.get("attribute_levels") or ()
    ranking = json.dumps({"ranking": list(reversed(levels)), "effect_size": "small"})
    return f"{ranking if levels else f'A note on {item}.'} Finally, I will give {dollars} dollars."


def _graph(doc: Doc) -> str:
    edges = [
        {name: edge[name] for name in ("source", "target", "strength")} | {"sign": "+"}
        for edge in doc["graph"]["edges"][::2]
    ]
    return json.dumps({"edges": edges})


def _scene(lines: Sequence[Doc]) -> str:
    shown = [
        f"{line['speaker']}: {line['text']}" if line["speaker"] else line["text"] for line in lines
    ]
    return "\n".join(["BEGIN SCENE", *shown, "END SCENE"])


def _verdicts(doc: Doc) -> str:
    verdicts = {
        part["name"]: [
            {"criterion": number, "reason": "said", "verdict": number % 2}
            for number, _ in enumerate(part["criteria"], start=1)
        ]
        for part in doc["dimensions"]
    }
    return json.dumps({"audit": doc["marker"], **verdicts})
