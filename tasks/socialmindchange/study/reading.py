"""Reading filled tables back; the first thing that is wrong is an error that names file and row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from otherminds.errors import OtherMindsError
from otherminds.filled import Row, bare, rows
from otherminds.metrics.socialmindchange.human_items import DIMENSIONS, SCALE, HumanAnswer, Rating
from otherminds.metrics.socialmindchange.items import LETTERS, letters_told
from otherminds.sheets import quoted
from otherminds.tasks.socialmindchange.study import key as keys
from otherminds.tasks.socialmindchange.study.key import Key, KeyQuestion
from otherminds.tasks.socialmindchange.study.sheets import NEEDED, rating_row
from otherminds.tasks.socialmindchange.study.writing import RETURNED


class Sent(NamedTuple):
    """The share of a person's sheet that came back filled in."""

    annotator: str
    file: str
    ratings: int
    answers: int
    missing_ratings: int
    missing_answers: int


@dataclass(frozen=True)
class Returned:
    """The returned sheets.

    sent          by person who returned a table, in order of their names
    not_returned  the others
    """

    key: Key
    ratings: Sequence[Rating]
    answers: Sequence[HumanAnswer]
    sent: Sequence[Sent]
    not_returned: Sequence[str]


@dataclass
class _Cells:
    """The cells to fill in: by row, a dimension of a stage or a question, with their stage."""

    ratings: dict[str, tuple[str, str]] = field(default_factory=dict)
    questions: dict[str, tuple[str, KeyQuestion]] = field(default_factory=dict)


def read(folder: Path) -> Returned:
    """Everything that came back of the study in `folder`: the tables in its folder `returned`.

    Tables may have commas, semicolons or tabs between cells, further columns, other names, and rows
    in any order. A cell that is empty, or whose row is gone, is missing, and counted.

    Raises OtherMindsError, naming the row as spreadsheets count them (the header is row 1), for the
    first thing that is wrong, and where nothing was filled in.
    """
    key = keys.read(folder)
    known = _cells(key)
    files = _tables(folder)
    ratings: list[Rating] = []
    answers: list[HumanAnswer] = []
    sent: dict[str, Sent] = {}
    for path in files:
        name, given = _returned(path, key, known)
        if name in sent:
            raise OtherMindsError(
                f"{path} is of annotator {name}, and so is {sent[name].file}: keep the later one."
            )
        mine = _assigned(key, name)
        own_ratings = [
            _rating(name, known, row, value) for row, value in given.items() if row in known.ratings
        ]
        own_answers = [
            _answer(name, known, row, value)
            for row, value in given.items()
            if row in known.questions
        ]
        sent[name] = Sent(
            annotator=name,
            file=str(path),
            ratings=len(own_ratings),
            answers=len(own_answers),
            missing_ratings=len(mine & known.ratings.keys()) - len(own_ratings),
            missing_answers=len(mine & known.questions.keys()) - len(own_answers),
        )
        ratings += own_ratings
        answers += own_answers
    if not ratings and not answers:
        raise OtherMindsError(
            f"Nothing is filled in in any of the tables in {folder / RETURNED}: there is nothing to "
            "measure."
        )
    return Returned(
        key=key,
        ratings=sorted(ratings),
        answers=sorted(answers),
        sent=[sent[name] for name in sorted(sent)],
        not_returned=[name for name in key.sheets if name not in sent],
    )


def _tables(folder: Path) -> list[Path]:
    within = folder / RETURNED
    found = sorted(
        path
        for path in (within.iterdir() if within.is_dir() else ())
        # Spreadsheets and systems leave hidden files beside open ones.
        if path.suffix.lower() == ".csv" and not path.name.startswith((".", "~"))
    )
    if not found:
        raise OtherMindsError(
            f"There is no .csv file in {within}: put the tables there that the annotators sent back, "
            "one for each person. Spreadsheet files (.xlsx, .ods) must be saved as CSV UTF-8 first."
        )
    return found


def _cells(key: Key) -> _Cells:
    found = _Cells()
    for stage in key.stages:
        for dimension in DIMENSIONS:
            found.ratings[rating_row(stage.row, dimension)] = (stage.stage_id, dimension)
        for question in stage.questions:
            found.questions[question.row] = (stage.stage_id, question)
    return found


def _assigned(key: Key, annotator: str) -> frozenset[str]:
    rows = {row for pages in key.sheets[annotator] for row in pages.questions}
    stages = {pages.stage for pages in key.sheets[annotator]}
    return frozenset(rows | {rating_row(stage, name) for stage in stages for name in DIMENSIONS})


def _returned(path: Path, key: Key, known: _Cells) -> tuple[str, dict[str, str]]:
    """Whose table it is, and the values filled in, by row."""
    name: str | None = None
    mine: frozenset[str] = frozenset()
    places: dict[str, str] = {}
    given: dict[str, str] = {}
    for row in rows(path, NEEDED):
        study, annotator, cell, value = (bare(row.cells[column]) for column in NEEDED)
        if study != key.study:
            _refuse(
                row,
                "study",
                f"{quoted(study)} is another study than this one, {key.study}; take the table "
                "out of this folder, or read it with the key of its own study.",
            )
        if name is None:
            if annotator not in key.sheets:
                _refuse(row, "annotator", f"{quoted(annotator)} is not an annotator of this study.")
            name, mine = annotator, _assigned(key, annotator)
        if annotator != name:
            _refuse(
                row,
                "annotator",
                f"{quoted(annotator)}, but {quoted(name)} above: give one table for each person.",
            )
        if not cell:
            if value:
                _refuse(
                    row,
                    "value",
                    f"{quoted(value)} stands in a line that is only to be read: move it to the rating "
                    "or question that it belongs to.",
                )
            continue
        if cell not in mine:
            _refuse_row(row, cell, name, known)
        if cell in places:
            _refuse(
                row, "row", f"{quoted(cell)} is in {places[cell]} already: delete one of the two."
            )
        places[cell] = row.place
        if value:
            asked = known.questions.get(cell)
            given[cell] = _checked(row, value, None if asked is None else asked[1].options)
    if name is None:
        raise OtherMindsError(f"{path} has a header and no rows: ask for the table again.")
    return name, given


def _refuse_row(row: Row, cell: str, name: str, known: _Cells) -> NoReturn:
    if cell in known.ratings or cell in known.questions:
        _refuse(
            row, "row", f"{quoted(cell)} is in another annotator's table, not {name}'s: delete it."
        )
    _refuse(
        row,
        "row",
        f"{quoted(cell)} is not a row of this study: copy the column from the table sent to {name}.",
    )


def _checked(row: Row, value: str, options: int | None) -> str:
    """The value as it counts: a small letter of so many options, or of a rating a digit of the scale."""
    allowed = [str(step) for step in SCALE] if options is None else list(LETTERS[:options])
    if (small := value.lower()) in allowed:
        return small
    rating = f"a rating from {SCALE[0]} to {SCALE[-1]}"
    what = rating if options is None else f"a letter {letters_told(options)}"
    return _refuse(row, "value", f"{quoted(value)} is not {what}; correct it, or leave it empty.")


def _rating(name: str, known: _Cells, row: str, value: str) -> Rating:
    stage_id, dimension = known.ratings[row]
    return Rating(stage_id, name, dimension, int(value))


def _answer(name: str, known: _Cells, row: str, value: str) -> HumanAnswer:
    stage_id, asked = known.questions[row]
    return HumanAnswer(
        item_id=asked.item_id,
        stage_id=stage_id,
        type=asked.type,
        mental_state=asked.mental_state,
        annotator=name,
        answer=asked.answer,
        given=value,
        options=asked.options,
    )


def _refuse(row: Row, column: str, what: str) -> NoReturn:
    raise OtherMindsError(f"{row.place}, column '{column}': {what}")
