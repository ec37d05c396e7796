"""Which versions must be raised: see "Versions" in CONTRIBUTING."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from tests.golden.texts import REGENERATE, differences

ROOT = Path(__file__).resolve().parents[2]

_ASKED = ("prompts", "decoding", "scored")
_TOLD = ("scores", "behind")
_SHOWN = 12
_INCLUDE = re.compile(r"^include:\s*\[?([^\]\n]*)\]?\s*$", re.MULTILINE)
_VERSION = re.compile(r"^(?:metadata:\s*\{\s*|  )version:", re.MULTILINE)

Golden = Mapping[str, Any]


@dataclass(frozen=True)
class Unraised:
    """A task, or a dataset, that has changed under its old version.

    name     of the task or dataset
    version  that both have
    changes  what is not as it was
    """

    name: str
    version: str
    changes: Sequence[str]


def tasks(before: Golden, now: Golden, excused: Collection[str] = ()) -> list[Unraised]:
    """Tasks that ask or score otherwise under the same or a lower version.

    before, now  what `prompts.collect` found, by task
    excused      tasks whose data have a new version
    """
    found = []
    for name in sorted((before.keys() & now.keys()) - set(excused)):
        old, new = before[name], now[name]
        changes = list(_changes(old, new))
        if changes and not raised(old["version"], new["version"]):
            found.append(Unraised(name, new["version"], changes))
    return found


def scores(before: Golden, now: Golden, excused: Collection[str] = ()) -> list[Unraised]:
    """Tasks of which a model without weights has other scores, under the same or a lower version.

    before, now  what `scores.collect` found, by model and task
    excused      tasks whose data have a new version
    """
    found: dict[str, Unraised] = {}
    for model in sorted(before.keys() & now.keys()):
        for task in sorted((before[model].keys() & now[model].keys()) - set(excused)):
            old, new = before[model][task], now[model][task]
            parts = [part for part in ("scores", "behind") if old[part] != new[part]]
            if parts and not raised(old["version"], new["version"]):
                more = found[task].changes if task in found else []
                found[task] = Unraised(
                    task, new["version"], [*more, f"{model}: {_first(old, new)}"]
                )
    return list(found.values())


def _first(old: Golden, new: Golden) -> str:
    places = [line for key in _TOLD for line in differences(old[key], new[key], key)]
    return places[0] + (f" … {len(places)} in all" if len(places) > 1 else "")


def of_new_data(prompts: Golden, before: Golden, now: Golden) -> set[str]:
    """Of the tasks in `prompts`, those whose dataset's release has a higher version than before."""
    higher = {
        name
        for name in before.keys() & now.keys()
        if raised(before[name]["version"], now[name]["version"])
    }
    return {task for task, one in prompts.items() if one["dataset"] in higher}


def datasets(before: Golden, now: Golden) -> list[Unraised]:
    """Datasets whose release has other rows under the same or a lower version."""
    return [
        Unraised(name, now[name]["version"], ["content hashes"])
        for name in sorted(before.keys() & now.keys())
        if before[name]["content_hash"] != now[name]["content_hash"]
        and not raised(before[name]["version"], now[name]["version"])
    ]


def raised(before: str, now: str) -> bool:
    """Whether a version is higher than another; never for what is no version."""
    try:
        return Version(now) > Version(before)
    except InvalidVersion:
        return False


def _read(decoding: str) -> Any:
    return json.loads(decoding) if decoding.startswith("{") else decoding


def _changes(old: Golden, new: Golden) -> Iterator[str]:
    for part in _ASKED:
        if old[part] == new[part]:
            continue
        if part == "decoding":
            yield from differences(_read(old[part]), _read(new[part]), part)
            continue
        if part == "scored":
            yield "names of metrics, which of them are better when higher, or filters of answers"
            continue
        pairs = zip(old[part]["each"].split(), new[part]["each"].split(), strict=False)
        places = [place for place, (one, other) in enumerate(pairs) if one != other]
        shown = ", ".join(map(str, places[:5])) + (", …" if len(places) > 5 else "")
        yield f"{len(places)} of {len(new[part]['each'].split())} hashed prompts ({shown})"


def told(found: Sequence[Unraised], what: str) -> str:
    """The message about tasks whose version must be raised: which, where that stands, and to what."""
    lines = [f"{what} Scores under one version would not be comparable."]
    files: dict[tuple[str, str], list[Unraised]] = {}
    for one in found:
        files.setdefault((_place(one.name), one.version), []).append(one)
    for (file, version), those in files.items():
        lines.append(f"  {file}: raise `metadata: version` from {version} to {_next(version)}, for")
        lines += [f"    {one.name} ({'; '.join(one.changes[:3])})" for one in those[:_SHOWN]]
        if len(those) > _SHOWN:
            lines.append(f"    … and {len(those) - _SHOWN} more tasks")
    lines += [
        "  In a file that others include, it is raised for all; a task's own YAML may state its own.",
        f"Then `{REGENERATE}`. Where nothing has changed that models are asked or scored by (say, but a "
        "model without weights, or the small data of these tests), add `--keep-version TASK`, or `all`.",
    ]
    return "\n".join(lines)


def told_of_data(found: Sequence[Unraised]) -> str:
    """The message about releases whose version must be raised."""
    lines = ["Rows of a release have changed under its old version:"]
    lines += [
        f"  cards/{one.name}/manifest.yaml: raise `version` above {one.version}" for one in found
    ]
    return "\n".join([*lines, f"Then `{REGENERATE}`."])


def _next(version: str) -> str:
    major, _, minor = version.partition(".")
    return f"{major}.{int(minor) + 1}" if minor.isdecimal() else f"{version}.1"


def _place(task: str) -> str:
    """The file that a task's version stands in, its own or one that it includes."""
    path = _files().get(f"{task}.yaml")
    found = None if path is None else _with_version(path)
    return f"tasks/…/{task}.yaml" if found is None else found.relative_to(ROOT).as_posix()


def _with_version(path: Path) -> Path | None:
    text = path.read_text(encoding="utf-8")
    if _VERSION.search(text):
        return path
    included = _INCLUDE.search(text)
    names = included[1].split(",") if included else []
    # What is included later wins.
    inside = (_with_version(path.parent / name.strip()) for name in reversed(names))
    return next((one for one in inside if one is not None), None)


@cache
def _files() -> Mapping[str, Path]:
    return {path.name: path for path in (ROOT / "tasks").rglob("*.yaml")}
