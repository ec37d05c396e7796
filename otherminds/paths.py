"""Where folders without Python lie, here and in packages with benchmarks, and where data are written."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from otherminds.errors import OtherMindsError

_PACKAGE = Path(__file__).resolve().parent
_NAME = __name__.partition(".")[0]

ENTRY_POINTS = "otherminds.benchmarks"
"""The group of entry points in which packages name their benchmarks."""

BENCHMARK = "benchmark.py"
"""The file that makes a folder of tasks a benchmark."""


class _Found(NamedTuple):
    packages: Mapping[str, str]
    refused: Mapping[str, str]


@cache
def _data_folder(name: str) -> Path:
    # A wheel holds the folder inside the package; an editable install leaves it beside the package.
    for folder in (_PACKAGE / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise OtherMindsError(
        f"The folder '{name}' is missing from this installation of otherminds; reinstall it."
    )


def tasks() -> Path:
    """The folder of task YAML files, as `lm_eval --include_path` takes it."""
    return _data_folder("tasks")


def templates() -> Path:
    """The folder of prompt templates."""
    return _data_folder("templates")


def cards() -> Path:
    """The folder that holds one folder per Hub dataset, with its manifest."""
    return _data_folder("cards")


def task_folders() -> list[Path]:
    """The folders of task YAML files: ours, then those of packages with benchmarks."""
    return _of_all("tasks")


def task_files() -> list[Path]:
    """The YAML files that define tasks and groups: ours, then those of packages with benchmarks."""
    return [path for folder in task_folders() for path in sorted(folder.glob("*/*.yaml"))]


def template_folders() -> list[Path]:
    """The folders of prompt templates: ours, then those of packages with benchmarks."""
    return _of_all("templates")


def card_folders() -> list[Path]:
    """The folders with one folder per Hub dataset: ours, then those of packages with benchmarks."""
    return _of_all("cards")


def card(dataset: str) -> Path:
    """The folder with a dataset's manifest and card; of an unknown dataset, the place among ours."""
    folders = [folder / dataset for folder in card_folders()]
    return next((one for one in folders if (one / "manifest.yaml").is_file()), folders[0])


def packages() -> Mapping[str, str]:
    """The package that each benchmark lies in, by the benchmark's name; ours first.

    Nothing of these packages is imported. An entry point that names no benchmark, or has a name that is
    taken, is left out; `refused` says why.
    """
    return _found().packages


def refused() -> Mapping[str, str]:
    """Why entry points are left out, by their names."""
    return _found().refused


@cache
def _found() -> _Found:
    ours = sorted(path.parent.name for path in tasks().glob(f"*/{BENCHMARK}"))
    found = dict.fromkeys(ours, _NAME)
    left_out: dict[str, str] = {}
    points = importlib.metadata.entry_points(group=ENTRY_POINTS)
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        package, _, inner = point.value.partition(".")
        where = f"The entry point {point.name} = {point.value}"
        folder = _folder_of(package)
        if inner != f"tasks.{point.name}.benchmark:BENCHMARK":
            wanted = f"PACKAGE.tasks.{point.name}.benchmark:BENCHMARK"
            left_out[point.name] = f"{where} must read {point.name} = {wanted}."
        elif point.name in found:
            owner = found[point.name]
            left_out[point.name] = (
                f"{where} takes the name of a benchmark of the package {owner}; rename it."
            )
        elif folder is None:
            left_out[point.name] = f"{where} names a package that is not a folder; reinstall it."
        elif taken := _datasets(folder) & _datasets_of(set(found.values()) - {package}):
            left_out[point.name] = (
                f"{where} brings the dataset '{min(taken)}', which another package has; rename it."
            )
        else:
            found[point.name] = package
    return _Found(MappingProxyType(found), MappingProxyType(left_out))


def _of_all(name: str) -> list[Path]:
    others = dict.fromkeys(package for package in packages().values() if package != _NAME)
    folders = [folder / name for package in others if (folder := _folder_of(package)) is not None]
    return [_data_folder(name), *(folder for folder in folders if folder.is_dir())]


def _datasets_of(packages: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for package in packages:
        folder = _folder_of(package)
        if package == _NAME:
            found |= {path.parent.name for path in cards().glob("*/manifest.yaml")}
        elif folder is not None:
            found |= _datasets(folder)
    return found


def _datasets(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("cards/*/manifest.yaml")}


@cache
def _folder_of(package: str) -> Path | None:
    # Of a top-level package this reads no code of it.
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
    return next((place for place in places if place.is_dir()), None)


def hub_metrics() -> Path:
    """The folder that holds one folder per `evaluate` module."""
    return _data_folder("hub_metrics")


def cache_home() -> Path:
    """Where built datasets are kept: `OTHERMINDS_CACHE`, else `~/.cache/otherminds`."""
    configured = os.environ.get("OTHERMINDS_CACHE")
    if configured:
        return Path(configured).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "otherminds"
