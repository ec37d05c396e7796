"""The documents about one person as pictures, for `show --graph`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds import benchmark, files, harness, index
from otherminds.benchmark import of_dataset, resolve
from otherminds.console import OUT, say
from otherminds.errors import OtherMindsError, unknown, unknown_task
from otherminds.page.text import slug
from otherminds.running import stages, used_keys


def print_sketches(
    name: str, person: str, metadata: Mapping[str, Any], folder: Path | None
) -> None:
    """Print the documents of a task about a person, and write their pictures into a folder.

    Raises OtherMindsError for a task that does not exist or has no pictures, for an unknown person, and
    as `used_keys.check`.
    """
    entry = index.entries().get(name)
    if entry is None or entry.kind != "task":
        raise unknown_task(name, _having())
    one = of_dataset(entry.content["dataset_kwargs"]["dataset"])
    manager = harness.task_manager(metadata)
    used_keys.check(manager, [name], metadata)
    docs = stages.load(manager, name).eval_docs
    sketch = resolve(one.drawn)
    people = list(dict.fromkeys(docs[one.person])) if one.person in docs.column_names else []
    if sketch is None or not people:
        raise _without(name)
    if person not in people:
        raise unknown("person", person, people, listing=f"otherminds show {name}")
    own = [doc for doc, who in zip(docs, docs[one.person], strict=True) if who == person]
    found = [drawn for doc in own if (drawn := sketch(doc)) is not None]
    if not found:
        raise _without(name)
    for drawn in found:
        OUT.rule(drawn.title)
        for line in drawn.lines:
            OUT.print(line, markup=False, highlight=False, soft_wrap=True)
    for drawn in found:
        if folder is None:
            break
        path = folder.expanduser() / f"{slug(drawn.title)}.svg"
        with files.atomic_file(path) as partial:
            partial.write_text(drawn.svg, encoding="utf-8")
        say(f"Written: {path}")


def _having() -> list[str]:
    """The tasks of benchmarks that have pictures."""
    return [
        entry.name
        for one in benchmark.every()
        if one.drawn is not None
        for entry in index.of_benchmark(one.name)
        if entry.kind == "task"
    ]


def _without(name: str) -> OtherMindsError:
    return OtherMindsError(
        f"'{name}' has no graphs to show: give a task that asks for graphs. `otherminds list` has them."
    )
