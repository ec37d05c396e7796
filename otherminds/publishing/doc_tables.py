"""The tables in `docs/` that come from manifests.

A page marks the place of a table with `<!-- <dataset> <table> -->` … `<!-- /<table> -->`;
`python -m otherminds.publishing.release` fills it, and a test fails when it is stale. Besides the tables
here, a benchmark can have its own (`Benchmark.doc_tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from otherminds.benchmark import of_dataset, resolve
from otherminds.console import digits
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest

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
    names = list(known.references)
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


_TABLES: dict[str, Callable[[Manifest], str]] = {
    "references": _references,
    "human": _human,
}


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table: the first column to the left, numbers to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
