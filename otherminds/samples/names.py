"""The names of sample files, which state their task and run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[^_]*)\.jsonl(\.gz|\.zst)?")


class Name(NamedTuple):
    """The facts that the name of a sample file states."""

    task: str
    date: str


def named(path: Path) -> Name | None:
    """The task and date in the name of a sample file; None for other names."""
    found = _NAME.fullmatch(path.name)
    return Name(found["task"], found["date"]) if found else None


def stem(path: Path) -> str:
    """The name of a sample file without what says how its lines are packed."""
    return re.sub(r"\.jsonl(\.gz|\.zst)?$", "", path.name)


def results_of(path: Path, name: Name) -> Path:
    """Where the results file of the run lies that wrote the sample file `path`."""
    return path.with_name(f"results_{name.date}.json")
