"""Tables of a study with people, filled in by program."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

from otherminds.tasks.socialmindchange.study import key

Fill = Callable[[Mapping[str, str]], str]


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, in order."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill(study: Path, name: str, given: Fill, *, file: str | None = None) -> Path:
    """Return a person's table with `given` of each row to be filled in; gives its path."""
    rows = table(study / f"for_{name}" / f"annotate_{name}.csv")
    for row in rows:
        if row["row"]:
            row["value"] = given(row)
    path = study / "returned" / (file or f"{name}.csv")
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def answer_key(study: Path) -> dict[str, str]:
    """The right letter of each row."""
    return {one.row: one.answer for stage in key.read(study).stages for one in stage.questions}


def right(study: Path, rating: str = "4") -> Fill:
    """The right letter of each question, and `rating` for all that is rated."""
    golds = answer_key(study)
    return lambda row: golds.get(row["row"], rating)
