"""The sheet of one person: its content, and the table of it.

A table has a row for every line to read, with an empty `row`, and one for every rating and every
question, with an empty `value` to fill in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from otherminds.files import atomic_file
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.metrics.socialmindchange.human_items import DIMENSIONS
from otherminds.sheets import defused

COLUMNS = ("study", "annotator", "stage", "row", "kind", "text", "value")
"""Of a table. `stage` counts the stages of this sheet from 1."""

NEEDED = ("study", "annotator", "row", "value")
"""The columns that reading needs; people may drop, move or add other columns."""

RATING = "rating"
QUESTION = "question"


@dataclass(frozen=True)
class AskedQuestion:
    """A question as it is shown."""

    row: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A scene as it is shown: lines with their speaker, empty for narration."""

    number: int
    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ShownStage:
    """A stage as it is shown, with its questions."""

    row: str
    profile: tuple[str, ...]
    background: str
    scenes: tuple[Scene, ...]
    questions: tuple[AskedQuestion, ...]


@dataclass(frozen=True)
class Sheet:
    """All that one person gets."""

    study: str
    annotator: str
    stages: tuple[ShownStage, ...]


class Dimension(BaseModel):
    """How a dimension is put to people."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    question: str


class Wording(BaseModel):
    """The instructions to annotators, from `assets/wording.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    introduction: list[str]
    rate: str
    low: str
    high: str
    answer: str
    dimensions: dict[str, Dimension]


@cache
def wording() -> Wording:
    """The wording of every page and table."""
    found = Wording.model_validate(yaml.safe_load(asset("wording.yaml")))
    if tuple(found.dimensions) != DIMENSIONS:
        raise ValueError(f"wording.yaml must describe {', '.join(DIMENSIONS)}, in this order.")
    return found


def asset(name: str) -> str:
    """The text of a file in `assets`."""
    return (
        files("otherminds.tasks.socialmindchange.study")
        .joinpath("assets", name)
        .read_text(encoding="utf-8")
    )


def rating_row(stage_row: str, dimension: str) -> str:
    """The row of one rating of a stage."""
    return f"{stage_row}-{dimension}"


def write_table(sheet: Sheet, path: Path) -> None:
    """Write the table of a sheet, for those who prefer a spreadsheet to the page."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for stage, row, kind, shown in _rows(sheet):
        writer.writerow([sheet.study, sheet.annotator, stage, row, kind, defused(shown), ""])
    # The byte order mark tells spreadsheets that this is UTF-8.
    with atomic_file(path) as partial:
        partial.write_bytes(text.getvalue().encode("utf-8-sig"))


def _rows(sheet: Sheet) -> Iterator[tuple[str, str, str, str]]:
    words = wording()
    for line in words.introduction:
        yield "", "", "read me", line
    for number, stage in enumerate(sheet.stages, start=1):
        name = str(number)
        for line in stage.profile:
            yield name, "", "people", line
        yield name, "", "background", stage.background
        for scene in stage.scenes:
            for speaker, text in scene.turns:
                yield name, "", f"scene {scene.number}", f"{speaker}: {text}" if speaker else text
        yield name, "", "read me", words.rate
        for dimension, put in words.dimensions.items():
            yield name, rating_row(stage.row, dimension), RATING, f"{put.name}. {put.question}"
        if stage.questions:
            yield name, "", "read me", words.answer
        for question in stage.questions:
            yield name, question.row, QUESTION, _asked(question.text, question.options)


def _asked(text: str, options: Sequence[str]) -> str:
    lines = [f"({letter}) {option}" for letter, option in zip(LETTERS, options, strict=False)]
    return "\n".join([text, *lines])
