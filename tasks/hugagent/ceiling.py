"""`otherminds ceiling`: how well people agree with themselves, from a table of two rounds of answers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from otherminds import console, estimates
from otherminds.errors import OtherMindsError
from otherminds.estimates import Row
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import BASELINES, TOLERANCE, Ceiling, Retest, human_ceiling
from otherminds.metrics.hugagent.ceiling import Scale
from otherminds.sheets import quoted

COLUMNS = Retest._fields
LETTERS: Scale = (0, 0)

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")

_METRICS = ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "bdu_change", "bdu_direction", "composite")


def ceiling(path: Path) -> Ceiling:
    """Test-retest consistency of the people in the table at `path` (columns: `read`)."""
    rows = read(path)
    try:
        return human_ceiling(rows)
    except MetricError as error:
        raise OtherMindsError(f"{path}: {error}") from error


def read(path: Path) -> list[Retest]:
    """The rows of a CSV table of answers given twice.

    participant_id  the person
    topic           healthcare, surveillance or zoning
    question_id     unique for person and topic; baselines and scenarios are known by it
    low, high       the scale: 1, 5 or 1, 10; 0, 0 for the letters of belief state inference
    test, retest    the two answers: whole numbers, or A and B; an empty retest means no second answer

    Further columns are ignored. Raises OtherMindsError, naming row (the header is row 1) and column,
    for the first thing that is wrong.
    """
    rows: list[Retest] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, cells in _cells(path):
        row = _retest(cells, f"{path}, row {number}, column")
        key = (row.participant_id, row.topic, row.question_id)
        if key in seen:
            raise OtherMindsError(
                f"{path}, row {number}, column 'question_id': {' / '.join(map(quoted, key))} is in "
                f"row {seen[key]} already; give one row per person, topic and question."
            )
        seen[key] = number
        rows.append(row)
    if not rows:
        raise OtherMindsError(f"{path} has a header and no rows.")
    return rows


def rows_of(found: Ceiling) -> list[Row]:
    """Every number of a ceiling: averaged over topics, by topic, and agreement by scale."""
    parts = {"all": found.summary, **found.summary.by_topic}
    rows = [
        Row(part, metric, summary[metric])
        for part, summary in parts.items()
        for metric in _METRICS
        if summary[metric].n
    ]
    for scale in found.icc:
        name = f"scale {scale[0]}–{scale[1]}"
        rows.append(Row(name, "ICC(2,1)", found.icc[scale]))
        rows.append(Row(name, "weighted kappa", found.kappa[scale]))
    return rows


def print_ceiling(found: Ceiling) -> None:
    """The numbers with their intervals and n."""
    console.OUT.print(estimates.table("Human ceiling", rows_of(found), part="Part"))
    for name, count in _counts(found).items():
        console.OUT.print(f"• {name}: {count:,.0f}", highlight=False)


def as_json(found: Ceiling) -> dict[str, Any]:
    """The same for programs."""
    return {
        "protocol": found.summary.protocol,
        "counts": _counts(found),
        "estimates": [
            {"part": row.part, "metric": row.metric, **estimates.record(row.estimate)}
            for row in rows_of(found)
        ],
    }


def _counts(found: Ceiling) -> dict[str, float]:
    return {
        "people with a second answer": found.n_people,
        "answers given twice": found.summary.counts["n_items"],
        "rows without a second answer, left out": found.n_unanswered,
        "rows with an answer outside its scale": found.n_outside_scale,
        "scenario answers with a baseline": found.summary.counts["n_pairs"],
        "of these, changed both times": found.summary.counts["n_both_changed"],
    }


def _cells(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", restval=None)
            header = list(reader.fieldnames or [])
            missing = [name for name in COLUMNS if header.count(name) != 1]
            if missing:
                raise OtherMindsError(
                    f"{path} needs the column '{missing[0]}', once. The columns are: "
                    f"{', '.join(COLUMNS)}."
                )
            for row in reader:
                number = reader.line_num
                if "" in row or None in row.values():
                    raise OtherMindsError(
                        f"{path}, row {number}: it does not have the {len(header)} cells of the header."
                    )
                yield number, {name: row[name].strip() for name in COLUMNS}
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise OtherMindsError(f"{path} is not CSV in UTF-8: {error}.") from error


def _retest(cells: Mapping[str, str], place: str) -> Retest:
    for name in ("participant_id", "question_id"):
        if not cells[name]:
            raise OtherMindsError(f"{place} '{name}': it is empty.")
    if cells["topic"] not in BASELINES:
        raise OtherMindsError(
            f"{place} 'topic': {quoted(cells['topic'])} is none of {', '.join(sorted(BASELINES))}."
        )
    low, high = (_integer(cells[name], f"{place} '{name}'") for name in ("low", "high"))
    if (low, high) != LETTERS and (low, high) not in TOLERANCE:
        raise OtherMindsError(
            f"{place} 'high': the scale {low}–{high} is neither 1–5, 1–10 nor 0–0 (letters)."
        )
    letters = (low, high) == LETTERS
    return Retest(
        participant_id=cells["participant_id"],
        topic=cells["topic"],
        question_id=cells["question_id"],
        low=low,
        high=high,
        test=_answer(cells["test"], letters, f"{place} 'test'"),
        retest=_answer(cells["retest"], letters, f"{place} 'retest'") if cells["retest"] else None,
    )


def _answer(text: str, letters: bool, place: str) -> int | str:
    if not letters:
        return _integer(text, place)
    if text not in ("A", "B"):
        raise OtherMindsError(f"{place}: {quoted(text)} is neither A nor B.")
    return text


def _integer(text: str, place: str) -> int:
    # Python's own reader takes "1_0" for 10, and the digits of every script.
    if _WHOLE.fullmatch(text) is None:
        raise OtherMindsError(f"{place}: {quoted(text)} is not a whole number.")
    return int(text)
