"""The questionnaire's answers as a CSV table, which any form tool can write."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError, model_validator

from otherminds.errors import OtherMindsError
from otherminds.interview.store import Survey
from otherminds.strict import Strict

COLUMNS: Final = (
    *("participant_id", "topic", "question_id", "question", "low", "high", "answer"),
    *("reason_code", "reason_text"),
)
"""The columns of the table; the last two are empty for questions that are no reason."""

DEMOGRAPHIC: Final = "demographic: "
"""What the names of columns begin with that hold what people say of themselves."""


class Answered(Strict):
    """One question with its scale, and the answer: what `Survey.content` holds."""

    question: str = Field(min_length=1)
    question_type: Literal["opinion", "reason_evaluation"]
    scale: tuple[int, int]
    answer: int
    reason_code: str | None = None
    reason_text: str | None = None

    @model_validator(mode="after")
    def _on_scale(self) -> Answered:
        low, high = self.scale
        if not low <= self.answer <= high:
            raise ValueError(f"the answer {self.answer} is not on the scale {low} to {high}")
        if (self.question_type == "reason_evaluation") != bool(self.reason_code):
            raise ValueError("a reason has a code, and no other question has one")
        return self


def read_survey(path: Path) -> tuple[list[Survey], dict[str, dict[str, str]]]:
    """The answers of a table, and what people said of themselves, by person.

    Raises OtherMindsError, which names the line of the first fault.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [*csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise OtherMindsError(f"{path} cannot be read as a CSV table: {error}.") from error
    if missing := [name for name in COLUMNS[:7] if not rows or name not in rows[0]]:
        raise OtherMindsError(
            f"{path} lacks the columns {', '.join(missing)}: a questionnaire has {', '.join(COLUMNS)}."
        )
    found: list[Survey] = []
    people: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, start=1):
        one = _answer(row, number, f"{path}, line {number + 1}")
        found.append(one)
        said = people.setdefault(one.participant_id, {})
        for name, value in row.items():
            if isinstance(name, str) and name.startswith(DEMOGRAPHIC) and (value or "").strip():
                said[name.removeprefix(DEMOGRAPHIC)] = value.strip()
    return found, people


def _answer(row: Mapping[str, Any], number: int, where: str) -> Survey:
    said = {name: (row.get(name) or "").strip() for name in COLUMNS}
    if empty := [name for name in COLUMNS[:3] if not said[name]]:
        raise OtherMindsError(f"{where}: {', '.join(empty)} is empty.")
    try:
        content = Answered(
            question=said["question"],
            question_type="reason_evaluation" if said["reason_code"] else "opinion",
            scale=(int(said["low"]), int(said["high"])),
            answer=int(said["answer"]),
            reason_code=said["reason_code"] or None,
            reason_text=said["reason_text"] or None,
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise OtherMindsError(f"{where}: {first['msg'].removeprefix('Value error, ')}.") from None
    except ValueError:
        raise OtherMindsError(f"{where}: low, high and answer must be whole numbers.") from None
    person, topic, question = (said[name] for name in COLUMNS[:3])
    return Survey(person, topic, question, number, content.model_dump(mode="json"))
