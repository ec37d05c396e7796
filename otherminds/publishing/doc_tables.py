"""The tables in `docs/` that come from manifests, and from what benchmarks declare.

A page marks the place of a table with `<!-- <dataset> <table> -->` … `<!-- /<table> -->`;
`python -m otherminds.publishing.release` fills those of a dataset that it has measured, and

    python -m otherminds.publishing.doc_tables

fills all of them. A test fails when one is stale. Besides the tables here, a benchmark can have its own
(`Benchmark.doc_tables`).
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence

from otherminds import harness, index, keys, manifest, paths
from otherminds.benchmark import Key, of_dataset, resolve
from otherminds.console import digits
from otherminds.data.repository import student_tables
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.running import used_keys

_MARK = re.compile(
    r"(<!-- (?P<dataset>\S+) (?P<table>\w+) -->\n).*?(<!-- /(?P=table) -->)", re.DOTALL
)


def fill(text: str, known: Manifest) -> str:
    """The page with the tables of this dataset as its manifest has them.

    Raises OtherMindsError for a mark of this dataset with an unknown table.
    """
    tables = {**_TABLES, **(resolve(of_dataset(known.dataset).doc_tables) or {})}

    def table(match: re.Match[str]) -> str:
        if match["dataset"] != known.dataset:
            return match[0]
        if match["table"] not in tables:
            raise OtherMindsError(
                f"There is no table '{match['table']}' of {known.dataset}; there are: "
                f"{', '.join(sorted(tables))}."
            )
        return f"{match[1]}{tables[match['table']](known)}\n{match[4]}"

    return _MARK.sub(table, text)


def _references(known: Manifest) -> str:
    """One row per metric, one column per reference."""
    names = [name for name, one in known.references.items() if "all" in one.scores]
    metrics = list(known.references[names[0]].scores["all"])
    rows = [
        [f"`{metric}`", *(digits(known.references[n].scores["all"][metric]) for n in names)]
        for metric in metrics
    ]
    return markdown(["metric", *names], rows)


def _human(known: Manifest) -> str:
    """One row per metric, one column per part: scores of people asked again, with 95 % intervals."""
    human = known.references["human"]
    parts = list(human.scores)
    intervals = {"all": human.interval or {}, **(human.topic_interval or {})}
    people = human.n_people_by_metric or {}
    rows = [
        [
            f"`{metric}`",
            str(n),
            *(_with_interval(human.scores[p].get(metric), intervals[p].get(metric)) for p in parts),
        ]
        for metric, n in people.items()
    ]
    return markdown(["metric", "people", *parts], rows)


def _with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    if value is None:
        return "–"
    return digits(value) + (f" ({digits(ends[0])}–{digits(ends[1])})" if ends else "")


def _keys(known: Manifest) -> str:
    """One row per key of `--metadata` that tasks of the dataset's benchmark use."""
    benchmark = of_dataset(known.dataset).name
    manager = harness.task_manager()
    tasks = [one.name for one in index.of_benchmark(benchmark) if one.kind == "task"]
    users: dict[str, list[str]] = {}
    found: dict[str, Key] = {}
    for task in tasks:
        for name, key in (used_keys.of_task(manager, task) or {}).items():
            users.setdefault(name, []).append(task)
            found.setdefault(name, key)
    declared = {**keys.DATA, **keys.STAGES, **keys.WRITING, **of_dataset(known.dataset).keys}
    rows = [
        [f"`{name}`", keys.chosen(key), key.default, _users(key, users[name], tasks)]
        for name, key in declared.items()
        if name in found
    ]
    return texts(["key", "chooses", "default", "tasks"], rows)


def _users(key: Key, users: Sequence[str], tasks: Sequence[str]) -> str:
    """The tasks that use a key, in short: of a chain, those at its end use what the others do."""
    if len(users) == len(tasks):
        return "all"
    if key in keys.STAGES.values():
        return "stages, and those that have earlier ones"
    if key.tasks:
        own = [pattern for pattern in key.tasks if fnmatch.filter(users, pattern)]
        return ", ".join(f"`{pattern}`" for pattern in own)
    others = [task for task in tasks if task not in users]
    theirs, rest = ({_dataset_of(name) for name in part} for part in (users, others))
    if not theirs & rest:
        return f"of {', '.join(sorted(theirs))}"
    return f"all but {_named(others)}" if len(others) < len(users) else _named(users)


def _dataset_of(task: str) -> str:
    return str(harness.dataset_of(index.entries()[task].content))


def _named(tasks: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in tasks)


def _students(known: Manifest) -> str:
    """What trained students found, by part of the items."""
    if known.students is None:
        return "No students were trained on these data yet."
    return f"\n{student_tables.markdown(known.students)}\n"


_TABLES: dict[str, Callable[[Manifest], str]] = {
    "references": _references,
    "human": _human,
    "keys": _keys,
    "students": _students,
}


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table: the first column to the left, numbers to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def texts(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with all columns to the left."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    """Fill all tables in `docs/` beside `cards/`."""
    for path in sorted((paths.cards().parent / "docs").rglob("*.md")):
        text = filled = path.read_text(encoding="utf-8")
        for name in manifest.names():
            filled = fill(filled, manifest.load(name))
        if filled != text:
            path.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
