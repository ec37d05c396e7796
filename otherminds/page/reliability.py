"""The page of `otherminds report --reliability`: a table for each question that reviewers ask."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from otherminds.files import atomic_file
from otherminds.page.document import asset, environment, policy_hash, stripped
from otherminds.page.tables import Cell, Column, Table
from otherminds.page.text import NOTHING, label, number, short_names, visible

_NAME = 80
_COUNTS = ("answers not read", "prompts cut")


class Row(NamedTuple):
    """One number of the page.

    part      what it is about within the task, such as a scale or a metric; empty for all of it
    expected  the value to read it against, NaN for none
    """

    section: str
    model: str
    task: str
    part: str
    measure: str
    value: float
    low: float = math.nan
    high: float = math.nan
    n: float = math.nan
    n_people: float = math.nan
    expected: float = math.nan


@dataclass(frozen=True)
class Section:
    """A question of the page.

    how      how to read its numbers
    missing  samples that it lacks, each a line with the command that makes them
    """

    name: str
    title: str
    how: str
    rows: Sequence[Row]
    missing: Sequence[str]


@dataclass(frozen=True)
class _Shown:
    name: str
    title: str
    how: str
    table: Table | None
    missing: Sequence[str]


def write_reliability(
    title: str,
    sections: Sequence[Section],
    notes: Sequence[str],
    path: Path,
    *,
    called: str = "people",
) -> None:
    """Write the page to `path`, whole or not at all; `called` is whom intervals are over.

    Raises OtherMindsError when the file cannot be written.
    """
    script = asset("common.js")
    parts = (
        environment()
        .from_string(asset("tables.jinja") + asset("reliability.html.jinja"))
        .generate(
            title=label(title, 200),
            called=visible(called),
            notes=[visible(note) for note in notes],
            sections=[_shown(one) for one in sections],
            style=asset("page.css"),
            script=script,
            script_hash=policy_hash(script),
        )
    )
    with atomic_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(stripped(parts))


def _shown(section: Section) -> _Shown:
    missing = [visible(line) for line in section.missing]
    found = _table(section.title, section.rows) if section.rows else None
    return _Shown(section.name, section.title, section.how, found, missing)


def _table(title: str, rows: Sequence[Row]) -> Table:
    measures = list(dict.fromkeys(_column(row) for row in rows))
    names = short_names(list(dict.fromkeys(row.model for row in rows)), _NAME)
    has_parts = any(row.part for row in rows)
    lines: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        lines.setdefault((row.model, row.task, row.part), {})[_column(row)] = row
    heads = ["model", "task", *(["part"] if has_parts else [])]
    columns = [*(Column(one, numeric=False) for one in heads), *map(Column, measures)]
    made = [
        [
            *_words(names[model], task, *([part] if has_parts else [])),
            *(_cell(found.get(measure)) for measure in measures),
        ]
        for (model, task, part), found in lines.items()
    ]
    return Table(title, columns, made, names=len(heads))


def _words(*texts: str) -> Iterator[Cell]:
    for text in map(label, texts):
        yield Cell(text or NOTHING, key=text)


def _column(row: Row) -> str:
    """The heading of a number's column: what comes after a colon differs from row to row."""
    return row.measure.partition(":")[0]


def _cell(row: Row | None) -> Cell:
    if row is None or not math.isfinite(row.value):
        return Cell(NOTHING)
    places = 0 if row.measure in _COUNTS else 3
    text = number(row.value, places)
    _, _, which = row.measure.partition(": ")
    if which:
        text = f"{which}: {text}"
    return Cell(text, list(_small(row, places)), row.value)


def _small(row: Row, places: int) -> Iterable[str]:
    if math.isfinite(row.low) and math.isfinite(row.high):
        yield f"[{number(row.low, places)}, {number(row.high, places)}]"
    if math.isfinite(row.expected):
        yield f"against {number(row.expected, places)}"
    if math.isfinite(row.n):
        yield f"n = {int(row.n):,}"


def names_of(called: Mapping[str, str]) -> str:
    """Whom the intervals of several tasks are over, in words."""
    found = list(dict.fromkeys(called.values())) or ["people"]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"
