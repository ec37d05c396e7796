"""The `evaluate` modules: which there are, and the folder of each as it goes to the Hub.

`hub_metrics/<name>/` holds the module itself, which `evaluate.load` takes as it is, and the facts of its
card beyond the module's own description. A Space on the Hub has, besides the module, a card, a page
(static: there is nothing to run) and the requirements, which name this version of otherminds.
"""

from __future__ import annotations

import importlib.util
import inspect
import shutil
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

import otherminds
from otherminds import manifest, paths
from otherminds.data import hub
from otherminds.data.repository.card_facts import checked
from otherminds.data.repository.jinja import environment
from otherminds.errors import OtherMindsError, unknown

CARD = "card.yaml"
TAGS = ("evaluate", "metric", "otherminds")


class Facts(BaseModel):
    """The content of a module's `card.yaml`.

    title     of card and page
    datasets  of this project, whose answers it scores
    limits    notes for readers of its numbers
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    datasets: list[str]
    limits: list[str]


def names() -> list[str]:
    """The names of all modules, sorted."""
    return sorted(path.parent.name for path in paths.hub_metrics().glob(f"*/{CARD}"))


def path_of(name: str) -> Path:
    """The folder of a module, as `evaluate.load` takes it; raises OtherMindsError for an unknown one."""
    if name not in names():
        raise unknown("evaluate module", name, names(), listing="otherminds publish --modules")
    return paths.hub_metrics() / name


def space_id(name: str) -> str:
    """The id of a module's Space on the Hub, in the organisation of the datasets."""
    return hub.repo_id(name)


def write(name: str, folder: Path) -> None:
    """Write the Space of a module into the existing, empty `folder`.

    The same bytes every time. Raises OtherMindsError for an unknown module or a wrong `card.yaml`.
    """
    source = path_of(name)
    shutil.copyfile(source / f"{name}.py", folder / f"{name}.py")
    requirement = f"otherminds=={otherminds.__version__}"
    (folder / "requirements.txt").write_text(f"{requirement}\n", encoding="utf-8")
    facts, info = checked(source / CARD, Facts), _info(source / f"{name}.py")
    head = {
        "title": facts.title,
        "sdk": "static",
        "app_file": "index.html",
        "pinned": False,
        "license": "apache-2.0",
        "tags": list(TAGS),
    }
    shown = {
        "head": yaml.safe_dump(head, sort_keys=False, allow_unicode=True),
        "title": facts.title,
        "limits": facts.limits,
        "datasets": [_dataset(dataset) for dataset in facts.datasets],
        "info": info,
        "columns": {column: _type(feature) for column, feature in info.features.items()},
        "space": space_id(name),
        "version": otherminds.__version__,
        "requirement": requirement,
    }
    templates = environment(paths.hub_metrics(), autoescape=_is_page)
    for page in ("README.md", "index.html"):
        text = templates.get_template(f"{page}.jinja").render(shown)
        (folder / page).write_text(text, encoding="utf-8")


def _info(path: Path) -> Any:
    """A module's own description, without `evaluate`'s copy in the cache of its user."""
    import evaluate

    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise OtherMindsError(f"{path} is not a Python module.")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    metrics: list[Any] = [
        kind
        for _, kind in inspect.getmembers(loaded, inspect.isclass)
        if issubclass(kind, evaluate.Metric)
    ]
    # Without an instance: to make one writes a folder into the user's cache.
    return metrics[0]._info(metrics[0])


def _dataset(name: str) -> dict[str, str]:
    known = manifest.load(name)
    where = hub.dataset_id(name) if known.upstream is None else known.upstream.hub
    return {"title": known.title, "hub_id": where}


def _type(feature: Any) -> str:
    inner = getattr(feature, "feature", None)
    return f"list of {_type(inner)}" if inner is not None else str(feature.dtype)


def _is_page(template: str | None) -> bool:
    return template is not None and ".html" in template
