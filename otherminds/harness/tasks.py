"""lm-eval's index of tasks, and what it says of them."""

from __future__ import annotations

import contextlib
import copy
import fnmatch
import logging
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from otherminds import paths
from otherminds.errors import unknown_task
from otherminds.harness.flags import errors_of


@dataclass(frozen=True)
class TaskEntry:
    """A task, group or tag that a YAML file in our tasks folder defines."""

    name: str
    kind: str
    path: Path | None
    tags: tuple[str, ...]


def tasks_folder() -> Path:
    """The folder of the imported lm-eval that it scans for tasks."""
    import lm_eval

    return Path(lm_eval.__path__[0]) / "tasks"


def site_folder() -> Path:
    """The folder of installed packages, in which Python looks for what each start imports."""
    return Path(sysconfig.get_path("purelib"))


def task_manager(metadata: Mapping[str, Any] | None = None, include: str | None = None) -> Any:
    """An index of our tasks, and of those under `include`, without lm-eval's own 14,000 files."""
    from lm_eval.tasks import TaskManager

    folders = [*map(str, paths.task_folders()), *([include] if include else [])]
    return TaskManager(include_path=folders, include_defaults=False, metadata=dict(metadata or {}))


def entries(manager: Any) -> list[TaskEntry]:
    """All tasks, groups and tags of an index, by name."""
    return [
        TaskEntry(name, entry.kind.name.lower(), entry.yaml_path, tuple(sorted(entry.tags)))
        for name, entry in sorted(manager.task_index.items())
    ]


def resolve_names(manager: Any, patterns: Iterable[str]) -> list[str]:
    """The tasks, groups and tags that names stand for; a glob pattern stands for tasks alone.

    Groups and their members would otherwise both match a pattern, and lm-eval runs no task twice.
    """
    names: dict[str, None] = {}
    for pattern in patterns:
        among = manager.all_subtasks if set(pattern) & set("*?[") else manager.all_tasks
        matches = fnmatch.filter(among, pattern)
        if not matches:
            raise unknown_task(pattern, manager.all_tasks)
        names.update(dict.fromkeys(matches))
    return list(names)


def load_tasks(manager: Any, names: Sequence[str | Mapping[str, Any]]) -> dict[str, Any]:
    """Load tasks by name, groups and tags expanded, or by a task YAML's content."""
    with errors_of("these tasks together"), _hushed():
        return dict(manager.load(list(names))["tasks"])


def leaves(manager: Any, names: Iterable[str]) -> list[str]:
    """The tasks that names stand for, groups and tags expanded, each once; nothing is loaded."""
    found: dict[str, None] = {}
    for name in names:
        entry = manager.task_index.get(name)
        if entry is None or entry.kind.name not in ("GROUP", "TAG"):
            found[name] = None
            continue
        members = entry.tags if entry.kind.name == "TAG" else (entry.cfg or {}).get("task", [])
        found.update(dict.fromkeys(leaves(manager, _member_names(members))))
    return list(found)


def _member_names(members: Iterable[str | Mapping[str, Any]]) -> list[str]:
    # A group may also list a task or group with changes, as a mapping.
    named = (m if isinstance(m, str) else m.get("group") or m.get("task") for m in members)
    return sorted(name for name in named if isinstance(name, str))


def task_metadata(manager: Any, name: str) -> dict[str, Any]:
    """The metadata in a task's YAML; none for a task that is not in the index."""
    entry = manager.task_index.get(name)
    return dict((entry.cfg or {}).get("metadata") or {}) if entry else {}


@cache
def built_on(name: str) -> tuple[str, ...]:
    """Our tasks that are made from the answers to a task."""
    index = _own_index()
    stages = {one: ((entry.cfg or {}).get("metadata") or {}) for one, entry in index.items()}
    return tuple(one for one in sorted(index) if name in stages[one].get("stages", ()))


def informed(manager: Any, more: Mapping[str, Any]) -> Any:
    """The same index of tasks, which will be loaded with more metadata."""
    from lm_eval.tasks._factory import TaskFactory

    # Reading some hundred YAML files anew takes a second; what an index holds, metadata does not change.
    made = copy.copy(manager)
    made.metadata = {**(manager.metadata or {}), **more}
    made._factory = TaskFactory(meta=made.metadata)
    return made


def repeating(manager: Any, runs: int) -> Any:
    """The same index of tasks, which will be loaded to ask for `runs` answers to every document.

    Log-likelihoods are the same every time, and are asked for once.
    """
    made = copy.copy(manager)

    def load(names: Any) -> Any:
        found = manager.load(names)
        for task in found["tasks"].values():
            if task.OUTPUT_TYPE == "generate_until":
                task.set_config("repeats", runs)
        return found

    made.load = load
    return made


def task_settings(manager: Any, name: str) -> dict[str, Any]:
    """A task's YAML with its includes, as the index has it; functions in it are mere names."""
    entry = manager.task_index.get(name)
    return dict(entry.cfg or {}) if entry else {}


def documents(task: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The documents of one of our tasks by split, as lm-eval makes them with some `--metadata`.

    Raises OtherMindsError for a task that is none of ours, and as the task does.
    """
    config = task_config(task)
    if config is None:
        raise unknown_task(task, _own_index())
    settings = {**(config.get("metadata") or {}), **metadata, **config["dataset_kwargs"]}
    return dict(config["custom_dataset"](**settings))


@cache
def task_config(name: str) -> dict[str, Any] | None:
    """The content of one of our tasks' YAML; None for a name that is not a task of ours."""
    entry = _own_index().get(name)
    if entry is None or entry.kind.name != "TASK" or entry.yaml_path is None:
        return None
    return load_yaml(entry.yaml_path)


@cache
def _own_index() -> Mapping[str, Any]:
    return dict(task_manager().task_index)


def load_yaml(path: Path, *, resolve_functions: bool = True) -> dict[str, Any]:
    """Read a task YAML with its includes; unlike lm-eval's index, raise its faults."""
    from lm_eval.tasks._yaml_loader import load_yaml as load

    return dict(load(path, resolve_func=resolve_functions))


def task_fields() -> set[str]:
    """The keys that a task YAML may have."""
    from lm_eval.config.task import TaskConfig

    return {field.name for field in fields(TaskConfig)}


def group_fields() -> set[str]:
    """The keys that a group YAML may have."""
    from lm_eval.config.group import GroupConfig

    return {field.name for field in fields(GroupConfig)}


def task_versions(manager: Any) -> dict[str, str]:
    """The version of each task of an index, as its YAML's metadata states it."""
    return {
        name: str((entry.cfg or {}).get("metadata", {}).get("version", ""))
        for name, entry in manager.task_index.items()
    }


def dataset_of(config: Mapping[str, Any]) -> str | None:
    """The dataset that a task's configuration names as ours do; None for a task that names none."""
    found = (config.get("dataset_kwargs") or {}).get("dataset")
    return found if isinstance(found, str) else None


def dataset_kwargs(manager: Any, task: Any) -> list[dict[str, Any]]:
    """The `dataset_kwargs` of a loaded task, of a YAML's content, or of all tasks behind a name."""
    if isinstance(task, Mapping):
        return [dict(task.get("dataset_kwargs") or {})]
    if not isinstance(task, str):
        return [dict(task.config.dataset_kwargs or {})]
    entry = manager.task_index[task]
    if entry.kind.name == "TAG":
        members: list[Any] = sorted(entry.tags)
    elif entry.kind.name == "GROUP":
        members = [m["task"] if isinstance(m, dict) else m for m in entry.cfg["task"]]
    else:
        return dataset_kwargs(manager, entry.cfg)
    return [kwargs for member in members for kwargs in dataset_kwargs(manager, member)]


def prompt(task: Any, doc: Mapping[str, Any], *, chat: bool) -> str | list[dict[str, str]]:
    """The prompt of a document, without examples: messages, as a chat template gets them, or a text."""
    if not chat:
        return str(task.fewshot_context(doc, num_fewshot=0))
    found: list[dict[str, str]] = task.fewshot_context(
        doc,
        num_fewshot=0,
        apply_chat_template=True,
        chat_template=lambda messages, **_: [dict(one) for one in messages],
    )
    return found


def no_answer(task: Any) -> list[Any]:
    """The responses that `process_results` of a task gets for document 0 when the model is silent."""
    if task.OUTPUT_TYPE == "generate_until":
        return [[""]]
    return [(-1.0, False)] * len(task.doc_to_choice(task.eval_docs[0]))


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep lm-eval from explaining its `--metadata` each time a task is loaded."""
    logger = logging.getLogger("lm_eval.api.task")
    level = logger.level
    logger.setLevel(max(level, logging.ERROR))
    try:
        yield
    finally:
        logger.setLevel(level)
