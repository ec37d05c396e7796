"""`otherminds agreement`: how far two judges, or a judge and people, agree on the same answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.table import Table

from otherminds import console, estimates
from otherminds.errors import OtherMindsError
from otherminds.estimates import Row
from otherminds.metrics.confusion import Confusion
from otherminds.metrics.synchtom import DIMENSIONS, Agreement, Rated, agreement
from otherminds.metrics.uncertainty import Estimate
from otherminds.page.plots import save
from otherminds.page.plots.style import COUNTS, Panel, Plot, load_altair, rows
from otherminds.page.text import middle
from otherminds.sheets import defused
from otherminds.tasks.synchtom.label_sheets import (
    UNREAD_ANSWER,
    Part,
    Rater,
    read_judge,
    read_labels,
)

ALL = "all"

_STATISTICS = {
    "exact": "exact match",
    "within_one": "within one",
    "kappa": "Cohen's κ",
    "quadratic_kappa": "quadratic κ",
    "alpha": "Krippendorff's α",
    "criterion_exact": "criteria: exact",
    "criterion_kappa": "criteria: κ",
    "criterion_alpha": "criteria: α",
}
_NO_LABELS = "no criterion has a label"
_SOME_LABELS = "not every criterion has a label"
_CELL = 34
"""Pixels of one cell of a drawn matrix."""
_FRAME = "#D55E00"
_NAME = 34


@dataclass(frozen=True)
class Compared:
    """Two raters of the same answers.

    agreement  on the parts (one dimension of one answer) that both have rated; the second rater is in
               the columns of its matrices
    n_answers  with at least one such part
    left_out   how many other parts there are, by reason
    """

    first: str
    second: str
    agreement: Agreement
    n_answers: int
    n_parts: int
    left_out: Mapping[str, int]
    notes: Sequence[str]


def compare(first: Path, second: Path) -> Compared:
    """Agreement of two raters: each a judging task's samples (file or folder), or a sheet of labels.

    Raises OtherMindsError for files that cannot be read, for raters without an answer in common,
    and where they were shown different answers, instances or criteria.
    """
    raters = [_read(path) for path in (first, second)]
    names = [rater.name for rater in raters]
    if names[0] == names[1]:
        names = [str(first), str(second)]
    a, b = (rater._replace(name=name) for rater, name in zip(raters, names, strict=True))
    shared = sorted(a.parts.keys() & b.parts.keys())
    if not shared:
        raise OtherMindsError(
            f"{first} and {second} have no answer in common: give two ratings of one model's answers."
        )
    left_out = Counter(
        {
            f"only {one.name} has it": len(one.parts.keys() - other.parts.keys())
            for one, other in ((a, b), (b, a))
        }
    )
    rated = []
    for key in shared:
        one = _rated(a, b, key)
        if isinstance(one, str):
            left_out[one] += 1
        else:
            rated.append(one)
    left_out = +left_out
    if not rated:
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in left_out.items())
        raise OtherMindsError(
            f"{first} and {second} have no part of an answer that both have rated. {reasons}."
        )
    return Compared(
        first=a.name,
        second=b.name,
        agreement=agreement(rated),
        n_answers=len({one.answer_id for one in rated}),
        n_parts=len(rated),
        left_out=left_out,
        notes=[*a.notes, *b.notes],
    )


def rows_of(found: Compared) -> list[Row]:
    """Every statistic: over all dimensions, then for each alone; no interval where none is known."""
    return [
        Row(part, _STATISTICS[name], _known(own[name]))
        for part, own in _parts(found.agreement)
        for name in _STATISTICS
    ]


def print_agreement(found: Compared) -> None:
    """The statistics with their intervals and n, and the matrices."""
    console.OUT.print(estimates.table("Agreement", rows_of(found), part="Dimension"))
    lines = [
        f"First, rows: {found.first}. Second, columns: {found.second}.",
        f"Answers that both have rated: {found.n_answers:,}, in {found.n_parts:,} parts (dimensions).",
        *(f"Parts left out: {count:,}: {reason}." for reason, count in found.left_out.items()),
        *found.notes,
        "Ratings are numbers of fulfilled criteria, one per part; 'criteria: …' is of single verdicts.",
    ]
    if any(math.isnan(row.estimate.value) for row in rows_of(found)):
        lines.append("n/a: all ratings are equal, so that chance alone would give the same.")
    console.print_notes(lines)
    for part, own in _parts(found.agreement):
        console.OUT.print()
        console.OUT.print(_matrix(f"{part}: fulfilled", own.counts))
    console.OUT.print()
    console.OUT.print(_verdicts(found.agreement))


def as_json(found: Compared) -> dict[str, Any]:
    """The same for programs."""
    return {
        "first": found.first,
        "second": found.second,
        "n_answers": found.n_answers,
        "n_parts": found.n_parts,
        "left_out": dict(found.left_out),
        "notes": list(found.notes),
        "estimates": [
            {"dimension": part, "statistic": name, **estimates.record(_known(own[name]))}
            for part, own in _parts(found.agreement)
            for name in _STATISTICS
        ],
        "confusion": {
            part: {"criteria_fulfilled": _plain(own.counts), "verdicts": _plain(own.verdicts)}
            for part, own in _parts(found.agreement)
        },
    }


def write_plots(found: Compared, folder: Path) -> list[Path]:
    """Draw the matrices as `agreement-counts` and `agreement-verdicts`, `.svg` and `.png`.

    Raises OtherMindsError without the extra "report", or when the folder cannot be written.
    """
    altair = load_altair()
    caption = (
        "Rows: the first rater. Columns: the second. Numbers: how many parts of answers, or criteria, "
        "fall into a cell. Framed cells: both agree."
    )
    written = []
    for name, kind in (("counts", "Criteria fulfilled"), ("verdicts", "Verdicts on criteria")):
        panels = [
            _drawn(altair, part, getattr(own, name), found) for part, own in _parts(found.agreement)
        ]
        plot = Plot(f"agreement-{name}", kind, "agreement", caption, panels, is_shared=False)
        written += save(plot, folder)
    return written


def _read(path: Path) -> Rater:
    return read_labels(path) if path.suffix.lower() == ".csv" else read_judge(path)


def _rated(first: Rater, second: Rater, key: tuple[str, str]) -> Rated | str:
    """Both raters' verdicts on a part of an answer, or why there are none to compare."""
    a, b = first.parts[key], second.parts[key]
    _check_same(a, b)
    _check_rubric(first, a, b)
    _check_rubric(second, b, a)
    numbers = sorted(a.criteria.keys() | b.criteria.keys())
    for rater, part in ((first, a), (second, b)):
        given = [number for number, one in part.criteria.items() if one.verdict is not None]
        if part.missing == UNREAD_ANSWER:
            return UNREAD_ANSWER
        if part.missing:
            return f"{rater.name}: {part.missing}"
        if len(given) < len(numbers):
            return f"{rater.name}: {_SOME_LABELS if given else _NO_LABELS}"
    verdicts = (tuple(part.criteria[n].verdict or 0 for n in numbers) for part in (a, b))
    return Rated(*key[:1], a.instance_id, key[1], *verdicts)


def _check_same(a: Part, b: Part) -> None:
    of = f"{a.place} and {b.place}"
    if not _is_same(a.instance_id, b.instance_id):
        raise OtherMindsError(f"{of} give the same answer to different instances.")
    if not _is_same(a.text, b.text):
        raise OtherMindsError(
            f"{of} rate different answers ({a.dimension} of {a.instance_id}): give two ratings of one "
            "model's answers, from one run."
        )
    for number in a.criteria.keys() & b.criteria.keys():
        if not _is_same(a.criteria[number].text, b.criteria[number].text):
            raise OtherMindsError(
                f"{a.criteria[number].place} and {b.criteria[number].place} have different criteria "
                f"(number {number} of {a.dimension} of {a.instance_id}): give ratings made with one "
                "version of the data."
            )


def _check_rubric(rater: Rater, own: Part, other: Part) -> None:
    beyond = sorted(other.criteria.keys() - own.criteria.keys())
    if rater.is_judge and beyond:
        raise OtherMindsError(
            f"{other.criteria[beyond[0]].place}: there is no criterion {beyond[0]}; the rubric of "
            f"{own.dimension} in {own.place} has {len(own.criteria)}."
        )


def _is_same(a: str, b: str) -> bool:
    """Whether two texts are equal, but for the changes of sheets and spreadsheets."""
    return defused(a).split() == defused(b).split()


def _parts(found: Agreement) -> Iterator[tuple[str, Agreement]]:
    yield ALL, found
    for dimension, own in found.by_dimension.items():
        yield DIMENSIONS[dimension], own


def _known(found: Estimate) -> Estimate:
    # Where instances do not differ, the formulas give no width, and know nothing.
    return replace(found, low=math.nan, high=math.nan) if found.stderr == 0 else found


def _matrix(heading: str, found: Confusion) -> Table:
    rows = [
        [str(label), *(f"{count:,}" for count in counts)]
        for label, counts in zip(found.labels, found.counts, strict=True)
    ]
    columns = console.numbers("", *map(str, found.labels), fit="words")
    return console.table(columns, rows, title=heading, look=console.Look.RULED)


def _verdicts(found: Agreement) -> Table:
    headings = ("0 / 0", "0 / 1", "1 / 0", "1 / 1")
    rows = [
        [part, *(f"{count:,}" for count in own.verdicts.counts.ravel())]
        for part, own in _parts(found)
    ]
    columns = [*console.texts("Dimension", fit="words"), *console.numbers(*headings, fit="words")]
    title = "Verdicts, first / second"
    return console.table(columns, rows, title=title, look=console.Look.INDENTED)


def _plain(found: Confusion) -> dict[str, Any]:
    return {"labels": list(found.labels), "counts": found.counts.tolist()}


def _drawn(altair: ModuleType, part: str, matrix: Confusion, found: Compared) -> Panel:
    most = int(matrix.counts.max())
    records = [
        {
            **{"first": row, "second": column, "count": int(count), "text": f"{count:,}"},
            **{"agree": row == column, "dark": count > 0.55 * most},
        }
        for row, counts in zip(matrix.labels, matrix.counts, strict=True)
        for column, count in zip(matrix.labels, counts, strict=True)
    ]
    axis = altair.Axis(labelAngle=0, labelFlush=False, domain=False, ticks=False)
    base = altair.Chart(rows(altair, records)).encode(
        x=altair.X("second:O", title=middle(found.second, _NAME), axis=axis),
        y=altair.Y("first:O", title=middle(found.first, _NAME), axis=axis),
    )
    scale = altair.Scale(scheme=COUNTS, domain=[0, most])
    filled = base.mark_rect().encode(color=altair.Color("count:Q", legend=None, scale=scale))
    frames = base.mark_rect(filled=False, stroke=_FRAME).transform_filter("datum.agree")
    ink = altair.condition("datum.dark", altair.value("white"), altair.value("#1d2329"))
    words = base.mark_text(fontSize=11).encode(text="text:N", color=ink)
    side = _CELL * len(matrix.labels)
    chart = altair.layer(filled, frames, words).properties(width=side, height=side)
    return Panel(part, f"n = {int(matrix.counts.sum()):,}", chart)
