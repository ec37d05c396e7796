"""The one door to lm-evaluation-harness: nothing else imports it.

Everything here is a thin, typed view of lm-eval 0.4, so that a change of lm-eval is a
change of this package. Heavy parts of lm-eval are imported where they are used.
"""

from __future__ import annotations

import contextlib
import copy
import fnmatch
import importlib
import importlib.metadata
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from otherminds import credentials, paths, progress
from otherminds.errors import OtherMindsError, unknown_task
from otherminds.harness.flags import (
    Flag,
    RunArguments,
    errors_of,
    parse_arguments,
    read_metadata,
    run_flags,
    with_model,
)
from otherminds.harness.missing import given, installed

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance
    from lm_eval.api.model import LM, CacheHook

__all__ = [
    "LM",
    "CacheHook",
    "Flag",
    "Instance",
    "RunArguments",
    "installed",
    "parse_arguments",
    "read_metadata",
    "run_flags",
    "with_model",
]

_CLASSES = {"LM": "model", "CacheHook": "model", "Instance": "instance"}


def __getattr__(name: str) -> Any:
    # What a class of ours is made from; flags can be read without its libraries.
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"lm_eval.api.{_CLASSES[name]}"), name)


@dataclass(frozen=True)
class TaskEntry:
    """A task, group or tag that a YAML file in our tasks folder defines."""

    name: str
    kind: str
    path: Path | None
    tags: tuple[str, ...]


def version() -> str:
    """The installed lm-eval's version."""
    return importlib.metadata.version("lm_eval")


def tasks_folder() -> Path:
    """The folder of the imported lm-eval that it scans for tasks."""
    import lm_eval

    return Path(lm_eval.__path__[0]) / "tasks"


def quiet(*, debug: bool) -> None:
    """Let lm-eval log only errors; with `debug`, everything."""
    from lm_eval.utils import setup_logging

    level = logging.DEBUG if debug else logging.ERROR
    setup_logging(level)
    logging.getLogger("lm_eval").setLevel(level)


def hush() -> None:
    """Let lm-eval log only errors, without loading it: most commands on saved samples never do."""
    logging.getLogger("lm_eval").setLevel(logging.ERROR)


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


def model_names() -> list[str]:
    """The names that lm-eval's `--model` takes."""
    import lm_eval.models  # noqa: F401  (fills the registry)
    from lm_eval.api.registry import model_registry

    return sorted(model_registry.keys())


def make_model(arguments: RunArguments) -> LM:
    """Load the model that lm-eval's flags describe."""
    from lm_eval.api.registry import get_model

    weights = str(arguments.model_args.get("pretrained", ""))
    if weights.startswith(("/", "./", "../", "~")) and not Path(weights).expanduser().exists():
        raise OtherMindsError(f"There is no model at {weights}; check `--model_args pretrained=…`.")
    extra = {
        "batch_size": arguments.batch_size,
        "max_batch_size": arguments.max_batch_size,
        "device": arguments.device,
    }
    with (
        errors_of(f"the model '{arguments.model}'"),
        installed(arguments.model),
        given(arguments.model),
    ):
        made = get_model(arguments.model).create_from_arg_obj(dict(arguments.model_args), extra)
        # Of a server that takes a key, lm-eval would look for it with the first question.
        getattr(made, "api_key", None)
    return made


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


def has_chat_template(name: str, model: LM) -> bool:
    """Whether the model `name` takes its prompts in a chat template by default.

    Chat APIs apply their own and take messages only.
    """
    return "chat" in name or bool(chat_template(model))


def chat_template(model: LM, name: bool | str = True) -> str | None:
    """The text of the model's chat template; None for a model that has none."""
    with contextlib.suppress(AttributeError, NotImplementedError), installed(type(model).__name__):
        return model.chat_template(name) or None
    return None


def evaluate(
    model: LM,
    manager: Any,
    names: Sequence[str],
    arguments: RunArguments,
    *,
    commit: Callable[[], str | None] | None = None,
    environment: Callable[[], Mapping[str, Any]] | None = None,
    stages: progress.Stages | None = None,
) -> Any:
    """Run lm-eval on a loaded model; returns its results dictionary, with samples.

    A model with a method `meet` is shown the loaded tasks, by name, before the first request.
    `commit` and `environment` replace lm-eval's own facts about the machine in the results file.
    `stages` shows how far the work is before and after the model is asked.
    """
    from lm_eval import evaluator

    if commit is not None:
        evaluator.get_git_commit_hash = commit
    if environment is not None:
        evaluator.add_env_info = lambda results: results.update(environment())
    seeds = list(arguments.seed or [None] * 4)
    if "torch" not in sys.modules:
        # Seeding torch would import it, for a model that does without.
        seeds[2] = None
    with _watched(stages), installed(arguments.model):
        return _evaluate(model, manager, names, arguments, seeds)


def _evaluate(
    model: LM, manager: Any, names: Sequence[str], arguments: RunArguments, seeds: list[int | None]
) -> Any:
    from lm_eval import evaluator

    return evaluator.simple_evaluate(
        model=model,
        # The model is loaded: this is for the results alone.
        model_args=credentials.arguments(arguments.model_args),
        tasks=list(names),
        num_fewshot=arguments.num_fewshot,
        batch_size=arguments.batch_size,
        max_batch_size=arguments.max_batch_size,
        device=arguments.device,
        limit=arguments.limit,
        samples=arguments.samples,
        # Our standard errors are clustered; lm-eval's own bootstrap would resample items.
        bootstrap_iters=0,
        write_out=arguments.write_out,
        log_samples=True,
        system_instruction=arguments.system_instruction,
        apply_chat_template=arguments.apply_chat_template,
        fewshot_as_multiturn=bool(arguments.fewshot_as_multiturn),
        gen_kwargs=arguments.gen_kwargs,
        task_manager=_meeting(manager, model.meet) if hasattr(model, "meet") else manager,
        predict_only=arguments.predict_only,
        random_seed=seeds[0],
        numpy_random_seed=seeds[1],
        torch_random_seed=seeds[2],
        fewshot_random_seed=seeds[3],
        confirm_run_unsafe_code=arguments.confirm_run_unsafe_code,
        metadata=arguments.metadata,
    )


@contextlib.contextmanager
def _watched(stages: progress.Stages | None) -> Iterator[None]:
    """Show in `stages`, in place of lm-eval's own bar, how many prompts of a task are written."""
    from lm_eval.api import task

    if stages is None:
        yield
        return

    def counted(documents: Sequence[Any], *, total: int) -> Iterator[Any]:
        stages.begin("Writing prompts", quick=True)
        for done, document in enumerate(documents):
            stages(done, total)
            yield document
        # A model that is asked begins a stage of its own.
        stages.begin("Scoring", quick=True)

    with mock.patch.object(task, "tqdm", counted):
        yield


def _meeting(manager: Any, meet: Callable[[Mapping[str, Any]], None]) -> Any:
    """The same index of tasks, which shows those that it loads."""
    made = copy.copy(manager)

    def load(names: Any) -> Any:
        found = manager.load(names)
        meet(found["tasks"])
        return found

    made.load = load
    return made


def environment() -> dict[str, Any]:
    """lm-eval's facts about the machine; imports PyTorch."""
    from lm_eval.loggers.utils import add_env_info

    found: dict[str, Any] = {}
    add_env_info(found)
    return found


def commit_of(folder: Path) -> str | None:
    """The commit of a folder that is a checkout, as lm-eval reads it."""
    from lm_eval.loggers.utils import get_commit_from_path

    found: str | None = get_commit_from_path(folder)
    return found


def doc_hash(doc: Mapping[str, Any]) -> str:
    """lm-eval's hash of a document, as its sample files state it."""
    from lm_eval.utils import handle_non_serializable, hash_string

    text = json.dumps(doc, indent=2, default=handle_non_serializable, ensure_ascii=False)
    return str(hash_string(text))


def table(results: Mapping[str, Any]) -> str:
    """lm-eval's own results table."""
    from lm_eval.utils import make_table

    return str(make_table(dict(results)))


def no_answer(task: Any) -> list[Any]:
    """The responses that `process_results` of a task gets for document 0 when the model is silent."""
    if task.OUTPUT_TYPE == "generate_until":
        return [[""]]
    return [(-1.0, False)] * len(task.doc_to_choice(task.eval_docs[0]))


def tracker(arguments: RunArguments, template: str | None, **hub: Any) -> Any:
    """lm-eval's tracker of a run's facts, set to what was run; with `hub`, also its uploader."""
    from lm_eval.loggers import EvaluationTracker

    made = EvaluationTracker(**hub)
    made.general_config_tracker.log_experiment_args(
        model_source=arguments.model,
        # "model" names the folder when the arguments have no "pretrained".
        model_args={"model": arguments.model, **credentials.arguments(arguments.model_args)},
        system_instruction=arguments.system_instruction,
        chat_template=template,
        fewshot_as_multiturn=bool(arguments.fewshot_as_multiturn),
    )
    return made


def tracked_facts(made: Any) -> dict[str, Any]:
    """lm-eval's additions to a results file: model name, chat template and its hash, times."""
    made.general_config_tracker.log_end_time()
    return dict(vars(made.general_config_tracker))


def plain(value: Any) -> Any:
    """A value with everything that JSON cannot hold turned into text, as lm-eval does."""
    from lm_eval.utils import handle_non_serializable

    return json.loads(json.dumps(value, default=handle_non_serializable))


def plain_sample(sample: Mapping[str, Any]) -> dict[str, Any]:
    """A logged sample in the shape of lm-eval's sample files."""
    from lm_eval.utils import sanitize_list

    return {
        **sample,
        "arguments": {
            f"gen_args_{number}": {f"arg_{place}": part for place, part in enumerate(arguments)}
            for number, arguments in enumerate(sample["arguments"])
        },
        "resps": sanitize_list(sample["resps"]),
        "filtered_resps": sanitize_list(sample["filtered_resps"]),
        "target": str(sample["target"]),
    }


@contextlib.contextmanager
def _hushed() -> Any:
    """Keep lm-eval from explaining its `--metadata` each time a task is loaded."""
    logger = logging.getLogger("lm_eval.api.task")
    level = logger.level
    logger.setLevel(max(level, logging.ERROR))
    try:
        yield
    finally:
        logger.setLevel(level)
