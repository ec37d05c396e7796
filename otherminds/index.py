"""The tasks, groups and tags of all benchmarks, read from their YAML files alone.

lm-eval's own index has the same, and takes more than a second to import. Functions are mere names here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML without its C library
    from yaml import SafeLoader  # type: ignore[assignment]

from otherminds import paths

Kind = Literal["task", "group", "tag"]


class Entry(NamedTuple):
    """A task, a group or a tag.

    benchmark  the benchmark in whose folder it is
    content    its YAML, with its includes; nothing for a tag
    parts      of a group or tag, its tasks and groups in their order
    """

    name: str
    kind: Kind
    benchmark: str
    content: Mapping[str, Any]
    parts: tuple[str, ...] = ()


class _Loader(SafeLoader):
    """Reads YAML with the names of functions."""


def _name(loader: Any, node: Any) -> str:
    return str(loader.construct_scalar(node))


_Loader.add_constructor("!function", _name)


@cache
def entries() -> Mapping[str, Entry]:
    """All entries by name: tasks and groups as their files come, then tags.

    A file that cannot be read is left out, as lm-eval does it; `otherminds doctor` names it.
    """
    found: dict[str, Entry] = {}
    tags: dict[str, list[Entry]] = {}
    for path in paths.task_files():
        entry = _entry(path)
        if entry is None or entry.name in found:
            continue
        found[entry.name] = entry
        for tag in _names(entry.content.get("tag")):
            tags.setdefault(tag, []).append(entry)
    for tag, members in sorted(tags.items()):
        names = tuple(one.name for one in members)
        found.setdefault(tag, Entry(tag, "tag", members[0].benchmark, {}, names))
    return found


def tasks_of(name: str) -> list[str]:
    """The tasks that a name stands for, groups and tags expanded, each once."""
    entry = entries().get(name)
    if entry is None:
        return []
    if entry.kind == "task":
        return [name]
    return list(dict.fromkeys(task for part in entry.parts for task in tasks_of(part)))


def of_benchmark(name: str) -> Iterator[Entry]:
    """The entries of one benchmark."""
    return (one for one in entries().values() if one.benchmark == name)


def _entry(path: Path) -> Entry | None:
    try:
        content = _read(path)
    except (OSError, ValueError, yaml.YAMLError):
        return None
    benchmark = path.parent.name
    if isinstance(group := content.get("group"), str):
        return Entry(group, "group", benchmark, content, _names(content.get("task")))
    if isinstance(task := content.get("task"), str):
        return Entry(task, "task", benchmark, content)
    return None


@cache
def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = yaml.load(file, Loader=_Loader)  # nosec B506
    if not isinstance(content, dict):
        raise ValueError(f"{path} is no mapping")
    merged: dict[str, Any] = {}
    for included in _names(content.get("include")):
        merged |= _read(path.parent / included)
    return {**merged, **{name: value for name, value in content.items() if name != "include"}}


def _names(value: str | Sequence[Any] | None) -> tuple[str, ...]:
    """The names in a list, in which a part may also be a mapping with changes; one may stand alone."""
    parts = [value] if isinstance(value, str) else value or ()
    named = (one if isinstance(one, str) else one.get("group") or one.get("task") for one in parts)
    return tuple(name for name in named if isinstance(name, str))
