"""Judged answers for people to judge again: who judged what, a sample of it as a sheet, and its labels.

A sheet is a CSV table with a row per criterion (`COLUMNS`). It shows neither the judge's verdicts nor
which task an answer comes from: `answer_id` is a digest, and rows stand in the order of the draw.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from otherminds.analysis.facts import facts_of
from otherminds.errors import OtherMindsError
from otherminds.files import atomic_file
from otherminds.metrics.synchtom import DIMENSIONS, Failure
from otherminds.samples import read as samples
from otherminds.samples.names import named
from otherminds.samples.read import Sample
from otherminds.sheets import defused, quoted

COLUMNS = ("answer_id", "instance_id", "dimension", "number", "answer", "criterion", "verdict")
"""Of a sheet. `number` counts the criteria of a dimension from 1; `verdict` is 0, 1 or empty."""

UNREAD_ANSWER = "the answer could not be read"
UNREAD_JUDGEMENT = "the judgement could not be read"

_VERDICTS = {"": None, "0": 0, "1": 1}
_NUMBER = re.compile("[1-9][0-9]{0,2}")

_Stratum = tuple[str, str, int, int]


class Criterion(NamedTuple):
    """A criterion, with a rater's verdict; None where none was given."""

    text: str
    verdict: int | None
    place: str


class Part(NamedTuple):
    """A rater's verdicts on one dimension of one answer.

    criteria  by number, from 1, in the order of the rubric
    missing   why there are no verdicts; empty where there may be some
    place     where it was read, for messages
    stratum   scenario, answering task and number of turns; empty in a sheet, which does not show them
    """

    answer_id: str
    instance_id: str
    dimension: str
    text: str
    criteria: Mapping[int, Criterion]
    missing: str
    place: str
    stratum: tuple[str, str, int] | tuple[()] = ()


class Rater(NamedTuple):
    """All that one rater says.

    name      the judge, or the name of the file
    parts     by answer and dimension
    is_judge  whether `parts` hold whole rubrics; a sheet may have lost rows
    notes     notes for readers
    """

    name: str
    parts: Mapping[tuple[str, str], Part]
    is_judge: bool
    notes: Sequence[str]


def read_judge(path: Path) -> Rater:
    """A judge's verdicts in a sample file of a judging task, or in all such files of a folder.

    Of an answer that was judged several times the first judgement counts, and the notes say so.
    Raises OtherMindsError for other files, for several judges, and for an answer that is there twice.
    """
    notes: list[str] = []
    parts: dict[tuple[str, str], Part] = {}
    files, runs = _judgements(path), 1
    for file in files:
        for sample in samples.read(file, note=notes.append):
            runs = max(runs, len(sample.record.verdicts))
            for part in _parts(sample):
                key = (part.answer_id, part.dimension)
                if key in parts:
                    raise OtherMindsError(
                        f"{part.place} judges the same answer as {parts[key].place}: give one judge's "
                        "samples of one model's answers."
                    )
                parts[key] = part
    if runs > 1:
        notes.append(f"{path}: answers were judged {runs} times; the first judgement counts.")
    names = sorted({facts_of(file, note=notes.append).judge or path.name for file in files})
    if len(names) > 1:
        raise OtherMindsError(
            f"{path} has samples of several judges ({', '.join(names)}): give one's."
        )
    return Rater(names[0], parts, True, notes)


def draw(judge: Rater, *, n: int, seed: int) -> list[list[Part]]:
    """A stratified sample of the judged answers: the parts of each, in the order in which it was drawn.

    n  how many answers, or all if there are fewer

    Strata are scenario × answering task and number of turns × the judge's own total: no criterion
    fulfilled, fewer than half, half or more, all. Each draw is from a stratum that was drawn from least
    often; among these, from one whose total is rarest so far, and then whose scenario and turns are.
    So rare totals are drawn more often than they occur, and every beginning of the sample is as
    balanced as the whole.
    Answers that could not be read, or that the judge failed on, are not drawn.
    The sample depends on the answers and the seed, and not on the order in which they come.

    Raises OtherMindsError where no answer was judged.
    """
    answers: dict[str, list[Part]] = defaultdict(list)
    for part in sorted(judge.parts.values(), key=_place):
        answers[part.answer_id].append(part)
    strata: dict[_Stratum, list[list[Part]]] = defaultdict(list)
    for parts in answers.values():
        if parts[0].stratum and not any(part.missing for part in parts):
            strata[(*parts[0].stratum, _total(parts))].append(parts)
    if not strata:
        raise OtherMindsError(f"{judge.name} judged no answer: there is nothing to label.")
    rng = np.random.default_rng(seed)
    left = {
        key: [strata[key][place] for place in rng.permutation(len(strata[key]))]
        for key in sorted(strata)
    }
    rank = dict(zip(left, rng.permutation(len(left)), strict=True))
    drawn: list[list[Part]] = []
    seen: Counter[object] = Counter()

    def rarity(stratum: _Stratum) -> tuple[int, int, int, int]:
        scenario, turns, total = (seen[one] for one in _margins(stratum))
        return seen[stratum], total, scenario + turns, rank[stratum]

    while left and len(drawn) < n:
        stratum = min(left, key=rarity)
        seen.update([stratum, *_margins(stratum)])
        drawn.append(left[stratum].pop())
        if not left[stratum]:
            del left[stratum]
    return drawn


def write(answers: Iterable[Sequence[Part]], path: Path) -> int:
    """Write a sheet without verdicts; returns the number of rows.

    Raises OtherMindsError for a file that exists, because somebody's labels may be in it.
    """
    if path.suffix.lower() != ".csv":
        raise OtherMindsError(f"Cannot write {path}: the name must end in .csv.")
    if path.exists():
        raise OtherMindsError(f"{path} exists, and may hold labels: choose another name.")
    rows = [
        (part.answer_id, part.instance_id, part.dimension, number, part.text, criterion.text, "")
        for parts in answers
        for part in parts
        for number, criterion in part.criteria.items()
    ]
    # The byte order mark tells spreadsheets that this is UTF-8.
    with (
        atomic_file(path) as partial,
        partial.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([defused(str(cell)) for cell in row] for row in rows)
    return len(rows)


def read_labels(path: Path) -> Rater:
    """The labels in a sheet that was filled in; further columns are ignored.

    Raises OtherMindsError, naming the row as spreadsheets count them (the header is row 1), for the
    first thing that is wrong.
    """
    found: dict[tuple[str, str], Part] = {}
    for cells, place in _cells(path):
        part = _labelled(cells, place)
        known = found.setdefault((part.answer_id, part.dimension), part)
        if known is part:
            continue
        if (part.instance_id, part.text) != (known.instance_id, known.text):
            raise OtherMindsError(
                f"{place}: the instance or the answer is another one than in {known.place}, which has "
                "the same answer_id."
            )
        [(number, criterion)] = part.criteria.items()
        if number in known.criteria:
            raise OtherMindsError(
                f"{place}: criterion {number} is in {known.criteria[number].place} already; give one "
                "row per answer, dimension and number."
            )
        criteria = {**known.criteria, number: criterion}
        found[part.answer_id, part.dimension] = known._replace(criteria=criteria)
    if not found:
        raise OtherMindsError(f"{path} has a header and no rows.")
    return Rater(path.name, found, False, ())


def _judgements(path: Path) -> list[Path]:
    if not path.exists():
        raise OtherMindsError(f"There is no file or folder {path}.")
    given = sorted(path.rglob("samples_*.jsonl*")) if path.is_dir() else [path]
    found = [file for file in given if _is_judging(file)]
    if not found:
        what = "has no" if path.is_dir() else "is neither a table of labels (.csv) nor a"
        raise OtherMindsError(
            f"{path} {what} sample file of a judging task, such as "
            "samples_synchtom_judge_<date>.jsonl.zst."
        )
    return found


def _is_judging(file: Path) -> bool:
    name = named(file)
    rules = samples.rules_of(name.task) if name else None
    return rules is not None and "judge_rate" in rules.metrics


def _parts(sample: Sample) -> Iterator[Part]:
    doc, found = sample.doc, sample.record.verdicts[0]
    failure = UNREAD_JUDGEMENT if isinstance(found, Failure) else ""
    stratum = (doc["scenario"], doc["condition"], doc["n_turns"])
    # A digest, so that people do not see which task the answer comes from.
    name = f"{doc['condition']}-{doc['instance_id']}-turns{doc['n_turns']}"
    answer_id = f"answer-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    try:
        for place, dimension in enumerate(doc["dimensions"]):
            texts = sorted(zip(dimension["order"], dimension["criteria"], strict=True))
            yield Part(
                answer_id=answer_id,
                instance_id=doc["instance_id"],
                dimension=dimension["name"],
                text=dimension["text"],
                criteria={
                    number: Criterion(
                        text, None if failure else found[place][number - 1], sample.place
                    )
                    for number, (_, text) in enumerate(texts, start=1)
                },
                missing=failure if doc["is_answered"] else UNREAD_ANSWER,
                place=sample.place,
                stratum=stratum,
            )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise OtherMindsError(f"{sample.place}: its document is malformed ({error!r}).") from error


def _place(part: Part) -> tuple[str, int]:
    return part.answer_id, list(DIMENSIONS).index(part.dimension)


def _total(parts: Sequence[Part]) -> int:
    """The band of the judge's total: 0 none, 1 fewer than half, 2 half or more, 3 all criteria."""
    verdicts = [one.verdict or 0 for part in parts for one in part.criteria.values()]
    fulfilled = sum(verdicts)
    if fulfilled in (0, len(verdicts)):
        return 3 if fulfilled else 0
    return 2 if 2 * fulfilled >= len(verdicts) else 1


def _margins(stratum: _Stratum) -> tuple[object, object, object]:
    scenario, task, turns, total = stratum
    return ("scenario", scenario), ("turns", (task, turns)), ("total", total)


def _cells(path: Path) -> Iterator[tuple[Mapping[str, str], str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            # Where the comma is the decimal sign, spreadsheets write semicolons.
            header_line = file.readline()
            is_comma = "," in header_line or ";" not in header_line
            file.seek(0)
            table = csv.reader(file, delimiter="," if is_comma else ";", strict=True)
            header = next(table, [])
            wrong = next((name for name in COLUMNS if header.count(name) != 1), None)
            if wrong is not None:
                raise OtherMindsError(
                    f"{path} has no column '{wrong}', or several; it needs {', '.join(COLUMNS)}, as "
                    "`otherminds labels` writes them."
                )
            for number, row in enumerate(table, start=2):
                place = f"{path}, row {number}"
                if not any(cell.strip() for cell in row):
                    continue
                if len(row) != len(header):
                    raise OtherMindsError(
                        f"{place} has {len(row)} cells; the header has {len(header)}."
                    )
                yield dict(zip(header, row, strict=True)), place
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise OtherMindsError(f"{path} is not CSV in UTF-8: {error}.") from error


def _labelled(cells: Mapping[str, str], place: str) -> Part:
    """A row of a sheet, as a part with a single criterion."""
    answer_id, instance_id, dimension, number, verdict = (
        cells[name].strip()
        for name in ("answer_id", "instance_id", "dimension", "number", "verdict")
    )
    for name in ("answer_id", "instance_id"):
        if not cells[name].strip():
            raise OtherMindsError(f"{place}, column '{name}': it is empty.")
    if dimension not in DIMENSIONS:
        raise OtherMindsError(
            f"{place}, column 'dimension': {quoted(dimension)} is none of {', '.join(DIMENSIONS)}."
        )
    if not _NUMBER.fullmatch(number):
        raise OtherMindsError(f"{place}, column 'number': {quoted(number)} is not 1, 2, 3, ….")
    if verdict not in _VERDICTS:
        raise OtherMindsError(
            f"{place}, column 'verdict': {quoted(verdict)} is neither 0 nor 1; leave it empty where "
            "there is no label."
        )
    criterion = Criterion(cells["criterion"], _VERDICTS[verdict], place)
    return Part(
        answer_id, instance_id, dimension, cells["answer"], {int(number): criterion}, "", place
    )
