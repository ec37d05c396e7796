"""The one door to lm-evaluation-harness: nothing else imports it.

Everything here is a thin, typed view of lm-eval 0.4, so that a change of lm-eval is a
change of this package. Heavy parts of lm-eval are imported where they are used.

flags       the flags of `lm_eval run`
tasks       the index of tasks
models      models, and their chat templates
chat        the messages for a model that takes messages
unloaded    models without weights, which write prompts alone
evaluation  the evaluation of a loaded model, in `windows` (`windowed`) of documents (`reading`)
hashes      the hash of a document
facts       lm-eval's facts about itself, the machine and a run
trackers    its loggers, which tell experiment trackers of a run
linking     what lm-eval finds of ours without being told
plugged     filters, a metric and aggregations of ours, for tasks of others
missing     errors about packages and arguments that a model lacks
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from otherminds.harness.chat import chat_of, chat_text
from otherminds.harness.evaluation import evaluate
from otherminds.harness.facts import (
    commit_of,
    environment,
    hush,
    plain,
    plain_sample,
    quiet,
    table,
    tracked_facts,
    tracker,
    version,
)
from otherminds.harness.flags import (
    Flag,
    RunArguments,
    parse_arguments,
    read_metadata,
    run_flags,
    with_model,
)
from otherminds.harness.hashes import doc_hash
from otherminds.harness.missing import installed
from otherminds.harness.models import chat_template, has_chat_template, make_model, model_names
from otherminds.harness.tasks import (
    TaskEntry,
    built_on,
    dataset_kwargs,
    dataset_of,
    documents,
    entries,
    group_fields,
    informed,
    leaves,
    load_tasks,
    load_yaml,
    no_answer,
    prompt,
    repeating,
    resolve_names,
    site_folder,
    task_config,
    task_fields,
    task_manager,
    task_metadata,
    task_settings,
    task_versions,
    tasks_folder,
)
from otherminds.harness.trackers import Tracker, trackers
from otherminds.harness.unloaded import messages, tokenizer_of, unloaded
from otherminds.harness.windowed import Keep, Unasked

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance
    from lm_eval.api.model import LM, CacheHook

__all__ = [
    "LM",
    "CacheHook",
    "Flag",
    "Instance",
    "Keep",
    "RunArguments",
    "TaskEntry",
    "Tracker",
    "Unasked",
    "built_on",
    "chat_of",
    "chat_template",
    "chat_text",
    "commit_of",
    "dataset_kwargs",
    "dataset_of",
    "doc_hash",
    "documents",
    "entries",
    "environment",
    "evaluate",
    "finds_by_itself",
    "group_fields",
    "has_chat_template",
    "hush",
    "informed",
    "installed",
    "leaves",
    "load_tasks",
    "load_yaml",
    "make_model",
    "messages",
    "model_names",
    "no_answer",
    "parse_arguments",
    "plain",
    "plain_sample",
    "prompt",
    "quiet",
    "read_metadata",
    "repeating",
    "resolve_names",
    "run_flags",
    "site_folder",
    "table",
    "task_config",
    "task_fields",
    "task_manager",
    "task_metadata",
    "task_settings",
    "task_versions",
    "tasks_folder",
    "tokenizer_of",
    "tracked_facts",
    "tracker",
    "trackers",
    "unloaded",
    "version",
    "with_model",
]


def finds_by_itself() -> bool:
    """Whether the installed lm-eval finds our tasks and models through entry points, without a link."""
    from otherminds.harness import linking

    return linking.finds_tasks() and linking.finds_models()


_CLASSES = {"LM": "model", "CacheHook": "model", "Instance": "instance"}


def __getattr__(name: str) -> Any:
    # What a class of ours is made from; flags can be read without its libraries.
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"lm_eval.api.{_CLASSES[name]}"), name)
