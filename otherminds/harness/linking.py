"""What lm-eval finds of ours without being told: models, and tasks that are linked."""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

from otherminds import paths
from otherminds.harness.tasks import tasks_folder

MODELS = "lm_eval.models"
"""The group of entry points in which lm-eval looks for models."""

LINK = "otherminds"
"""The folder of `otherminds link` among lm-eval's tasks."""


def register_models() -> None:
    """Add our entry points for models to lm-eval's registry; what it knows already stays."""
    from lm_eval.api.registry import model_registry

    for point in importlib.metadata.entry_points(group=MODELS):
        if point.value.startswith("otherminds.") and point.name not in model_registry:
            model_registry.register(point.name, target=point.value)


def hush_doubles() -> None:
    """Let lm-eval not warn of our own tasks where they are linked and under `--include_path`."""
    logging.getLogger("lm_eval.tasks._index").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a warning is of anything else than a task of ours that takes the place of its own link."""
    said = record.args
    if not isinstance(said, tuple) or len(said) != 3 or "overrides" not in str(record.msg):
        return True
    name, new, old = said
    if new is None and old is None:
        # A tag, which has no file: the linked tasks have the same ones.
        return not str(name).startswith(f"{LINK}_")
    if not (isinstance(new, Path) and isinstance(old, Path)):
        return True
    is_own = new.parent.parent.resolve() in {one.resolve() for one in paths.task_folders()}
    return not (is_own and old == tasks_folder() / LINK / new.name)


def finds_tasks() -> bool:
    """Whether the installed lm-eval looks for tasks in our folder by itself, through the entry point."""
    from lm_eval.tasks import TaskManager, _index

    looked: list[Path] = []

    def build(folders: Iterable[Path], **_: Any) -> dict[str, Any]:
        looked.extend(map(Path, folders))
        return {}

    # What it would look through takes half a minute; where it would look takes no time.
    with mock.patch.object(_index.TaskIndex, "build", staticmethod(build)):
        TaskManager()
    ours = paths.tasks().resolve()
    return any(one.resolve() == ours for one in looked)


def finds_models() -> bool:
    """Whether the installed lm-eval reads entry points for models by itself."""
    from lm_eval.api import registry

    return hasattr(registry, "import_plugins")
