"""Hostile and broken submissions: what is done to an honest one, and the reason that must be given."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from otherminds.leaderboard.records import limits
from otherminds.leaderboard.records.answers import Row
from tests.engine.leaderboard.conftest import TASK, Forged, Record

Change = Callable[[Forged], object]

SCRIPT = "<script>alert(1)</script>"
CYRILLIC_A = "\N{CYRILLIC SMALL LETTER A}"
TURNED_ROUND = "\N{RIGHT-TO-LEFT OVERRIDE}"


def record(*place: str | int, value: Any) -> Change:
    """Set one field of the record, by its place."""

    def change(forged: Forged) -> None:
        def put(found: Any) -> None:
            for key in place[:-1]:
                found = found[key]
            found[place[-1]] = value

        forged.record(put)

    return change


def without(*place: str | int) -> Change:
    """Take one field out of the record."""

    def change(forged: Forged) -> None:
        def take(found: Any) -> None:
            for key in place[:-1]:
                found = found[key]
            del found[place[-1]]

        forged.record(take)

    return change


def text(old: str, new: str) -> Change:
    """Replace what the record's file says, whatever JSON allows."""

    def change(forged: Forged) -> None:
        path = forged.folder / "record.json"
        said = json.dumps(forged.read())
        assert old in said
        path.write_text(said.replace(old, new, 1), encoding="utf-8")

    return change


def written(content: bytes) -> Change:
    """Replace the record's file."""
    return lambda forged: (forged.folder / "record.json").write_bytes(content)


def first(**changes: Any) -> Change:
    """Change the first row of answers."""
    return lambda forged: forged.rows(lambda rows: [rows[0]._replace(**changes), *rows[1:]])


def rows(change: Callable[[list[Row]], list[Row]]) -> Change:
    """Change the rows of answers."""
    return lambda forged: forged.rows(change)


def parquet(content: bytes) -> Change:
    """Replace the file of answers."""
    return lambda forged: forged.answers.write_bytes(content)


def table(change: Callable[[pa.Table], pa.Table], **how: Any) -> Change:
    """Write the file of answers with other columns."""

    def write(forged: Forged) -> None:
        pq.write_table(change(pq.read_table(forged.answers)), forged.answers, **how)

    return write


def sparse(path: str, size: int) -> Change:
    """A file that has a size, and holds nothing."""

    def change(forged: Forged) -> None:
        target = forged.folder / path
        target.parent.mkdir(exist_ok=True)
        with target.open("ab") as file:
            file.truncate(size)

    return change


def placed(path: str) -> Change:
    """One more file."""

    def change(forged: Forged) -> None:
        target = forged.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"{}")

    return change


def renamed(name: str) -> Change:
    """Another name for the folder."""

    def change(forged: Forged) -> Path:
        return forged.folder.rename(forged.folder.parent / name)

    return change


def linked(forged: Forged) -> None:
    forged.answers.unlink()
    forged.answers.symlink_to("/etc/hostname")


def piped(forged: Forged) -> None:
    forged.answers.unlink()
    os.mkfifo(forged.answers)


def folder_link(forged: Forged) -> None:
    forged.answers.parent.rename(forged.folder.parent / "elsewhere")
    (forged.folder / "answers").symlink_to(forged.folder.parent / "elsewhere")


def crowded(forged: Forged) -> None:
    for number in range(limits.FILES + 1):
        (forged.folder / "answers" / f"t{number}.parquet").touch()


def full(forged: Forged) -> None:
    for number in range(5):
        sparse(f"answers/t{number}.parquet", limits.ANSWERS_BYTES)(forged)


def declares(n_rows: int) -> Change:
    """Let the file's footer declare other rows than it has (Thrift: field header, zigzag varint)."""

    def varint(number: int) -> bytes:
        number, found = (2 * number if number >= 0 else -2 * number - 1), bytearray()
        while number > 127:
            found.append(number & 127 | 128)
            number >>= 7
        return bytes([*found, number])

    def change(forged: Forged) -> None:
        content = forged.answers.read_bytes()
        [length] = struct.unpack("<I", content[-8:-4])
        footer, before = content[-8 - length : -8], content[: -8 - length]
        true = b"\x16" + varint(pq.read_metadata(forged.answers).num_rows)
        assert true in footer
        footer = footer.replace(true, b"\x16" + varint(n_rows))
        forged.answers.write_bytes(before + footer + struct.pack("<I", len(footer)) + b"PAR1")

    return change


def cut(forged: Forged) -> None:
    content = forged.answers.read_bytes()
    forged.answers.write_bytes(content[: len(content) // 2] + content[-300:])


def claim(metric: str, **changes: Any) -> Change:
    """Change what is claimed of a metric."""
    return lambda forged: forged.record(
        lambda found: found["tasks"][0]["metrics"][metric].update(changes)
    )


def more_metrics(found: Record) -> None:
    metrics = found["tasks"][0]["metrics"]
    metrics["invented"] = dict(metrics["bsi_acc"])


def better_answers(found: list[Row]) -> list[Row]:
    """All wrong answers turned right: the claimed scores are still the honest ones."""
    other = {"A": "B", "B": "A"}
    return [
        row
        if row.correct or row.parsed is None
        else row._replace(parsed=other[row.parsed], raw=other[row.parsed], correct=True)
        for row in found
    ]


def nulls(name: str) -> Callable[[pa.Table], pa.Table]:
    def change(found: pa.Table) -> pa.Table:
        place = found.schema.get_field_index(name)
        empty = pa.nulls(found.num_rows, found.schema.field(name).type)
        return found.set_column(place, found.schema.field(name), empty)

    return change


def cast(name: str, kind: pa.DataType, value: Any) -> Callable[[pa.Table], pa.Table]:
    def change(found: pa.Table) -> pa.Table:
        place = found.schema.get_field_index(name)
        return found.set_column(place, name, pa.array([value] * found.num_rows, kind))

    return change


def repeated(value: str) -> Callable[[pa.Table], pa.Table]:
    """All replies one text, which is stored once."""

    def change(found: pa.Table) -> pa.Table:
        places = pa.array([0] * found.num_rows, pa.int32())
        place = found.schema.get_field_index("raw")
        return found.set_column(place, "raw", pa.DictionaryArray.from_arrays(places, [value]))

    return change


LARGE_DICTIONARY = {"compression": "zstd", "dictionary_pagesize_limit": 64 * limits.MIB}


def deep(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


TASK_0 = ("tasks", 0)

# What is sent, in words for docs/explanation/security.md: its reason, and the change to an honest
# submission.
CASES: dict[str, tuple[str, Change]] = {
    # The folder and its files.
    "an id with dots": ("folder-name", renamed("a..b")),
    "an id in capitals": ("folder-name", renamed("Model")),
    "an id with a space": ("folder-name", renamed("a b")),
    "an id of another alphabet": ("folder-name", renamed(f"model-{CYRILLIC_A}")),
    "an id that is too long": ("folder-name", renamed("a" * 101)),
    "an id with HTML": ("folder-name", renamed("<b>a")),
    "answers that are a link": ("not-a-file", linked),
    "answers that are a pipe": ("not-a-file", piped),
    "a folder of answers that is a link": ("not-a-file", folder_link),
    "too many files": ("too-many-files", crowded),
    "a record of 1 GB": ("file-too-large", sparse("record.json", 10**9)),
    "answers of 1 GB": ("file-too-large", sparse(f"answers/{TASK}.parquet", 10**9)),
    "files that are too large all together": ("submission-too-large", full),
    "a verification of its own": ("unexpected-file", placed("verification.json")),
    "an archive": ("unexpected-file", placed("answers/more.zip")),
    "a program": ("unexpected-file", placed("run.py")),
    "a hidden folder": ("unexpected-file", placed(".git/config")),
    "a folder in the answers": ("unexpected-file", placed("answers/deep/x.parquet")),
    "answers of no task": ("unexpected-file", placed("answers/other.parquet")),
    "no record": ("record-missing", lambda forged: (forged.folder / "record.json").unlink()),
    "no answers": ("answers-missing", lambda forged: forged.answers.unlink()),
    # JSON.
    "a record that is not UTF-8": ("json-encoding", written(b'{"a": "\xff\xfe"}')),
    "a record in UTF-16": ("json-encoding", written('{"a": 1}'.encode("utf-16"))),
    "100,000 brackets": ("json-too-deep", written(b"[" * 100_000)),
    "100,000 objects in objects": ("json-too-deep", written(deep(100_000))),
    "an empty record": ("json-invalid", written(b"")),
    "a record that is cut off": ("json-invalid", written(b'{"schema_version": "1", ')),
    "a pickle in place of the record": ("json-invalid", written(b"\x00\x04cos\nsystem\n.")),
    "a record that is a list": ("record-invalid", written(b"[]")),
    "half a surrogate": ("json-invalid", text('"alice"', r'"\ud800"')),
    "a text of a million quotes without an end": ("json-invalid", written(b'"' + b'\\"' * 500_000)),
    "a text that ends in its escape": ("json-invalid", written(b'{"a": "\\')),
    "a field stated twice": ("json-duplicate-key", text('"submitter"', '"date": 1, "submitter"')),
    "a score that is NaN": ("number-not-finite", claim("bsi_acc", value=float("nan"))),
    "an infinite end of an interval": ("number-not-finite", claim("bsi_acc", high=float("inf"))),
    "a count of 1e999": ("number-not-finite", text('"n_items": 390', '"n_items": 1e999')),
    "a count of 100,000 digits": (
        "number-not-finite",
        text('"n_items": 390', f'"n_items": {"9" * 100_000}'),
    ),
    # The record.
    "another version of the schema": ("record-invalid", record("schema_version", value="2")),
    "an unknown field": ("field-unknown", record("level", value="re-run")),
    "an unknown field of a task": ("field-unknown", record(*TASK_0, "weight", value=2)),
    "no model": ("field-missing", without("model")),
    "no declaration": ("field-missing", without("declarations", "trained_on_data")),
    "no revision": ("record-invalid", record("model", "revision", value=None)),
    "a text for a number": ("record-invalid", record(*TASK_0, "n_items", value="390")),
    "a negative count": ("record-invalid", record(*TASK_0, "n_items", value=-1)),
    "a day that does not exist": ("record-invalid", record("date", value="2026-02-30")),
    "a script for a name": ("name-unsafe", record("model", "name", value=SCRIPT)),
    "a look-alike letter in a name": (
        "name-unsafe",
        record("model", "name", value=f"Ll{CYRILLIC_A}ma"),
    ),
    "a full-width letter in a name": ("name-unsafe", record("model", "name", value="\uff27PT")),
    "a name that climbs out of its folder": (
        "name-unsafe",
        record("model", "name", value="../../etc/passwd"),
    ),
    "two dots within a name": ("name-unsafe", record("model", "name", value="a..b")),
    "a line break after a name": ("name-unsafe", record("submitter", value="alice\n")),
    "a name that is too long": ("too-long", record("model", "name", value="a" * 101)),
    "a control character in a name": ("name-unsafe", record("model", "name", value="a\x07")),
    "HTML in a dtype": ("name-unsafe", record("model", "dtype", value="<i>")),
    "HTML for a metric": (
        "name-unsafe",
        lambda forged: forged.record(
            lambda found: found["tasks"][0]["metrics"].update(
                {SCRIPT: found["tasks"][0]["metrics"]["bsi_acc"]}
            )
        ),
    ),
    "HTML in notes": ("text-unsafe", record("declarations", "notes", value=SCRIPT)),
    "notes turned round by a control character": (
        "text-unsafe",
        record("declarations", "notes", value=f"a{TURNED_ROUND}b"),
    ),
    "an escape sequence of terminals in notes": (
        "text-unsafe",
        record("declarations", "notes", value="\x1b[2J"),
    ),
    "long notes": ("too-long", record("declarations", "notes", value="a" * 2_001)),
    "HTML in decoding": ("text-unsafe", record(*TASK_0, "decoding", value={"until": "</s>"})),
    "101 tasks": (
        "too-long",
        lambda forged: forged.record(lambda found: found.update(tasks=found["tasks"] * 101)),
    ),
    "a task named twice": (
        "record-invalid",
        lambda forged: forged.record(lambda found: found.update(tasks=found["tasks"] * 2)),
    ),
    "no task": ("record-invalid", record("tasks", value=[])),
    "answers in another folder": (
        "record-invalid",
        record(*TASK_0, "answers", value="../secret.parquet"),
    ),
    "answers at an absolute path": (
        "record-invalid",
        record(*TASK_0, "answers", value="/etc/passwd"),
    ),
    "a task that climbs out of its folder": ("name-unsafe", record(*TASK_0, "task", value="../x")),
    "a hash that is none": ("name-unsafe", record(*TASK_0, "prompt_sha256", value="0" * 63)),
    # What it says of task and data.
    "another version of the task": ("task-version", record(*TASK_0, "task_version", value="0.9")),
    "another dataset": ("dataset-mismatch", record(*TASK_0, "dataset", value="hugagent")),
    "another version of the data": ("data-version", record(*TASK_0, "data_version", value="0.9")),
    "other rows": ("content-hash", record(*TASK_0, "content_hash", value={"bsi": "0" * 64})),
    "the hash of no rows": ("record-invalid", record(*TASK_0, "content_hash", value={})),
    "a subset that does not exist": ("subset-unknown", record(*TASK_0, "subset", value=7)),
    "50 people said to be all": ("n-items", record(*TASK_0, "subset", value=None)),
    "other prompts": ("prompt-hash", record(*TASK_0, "prompt_sha256", value="0" * 64)),
    "more documents than there are": ("n-items", record(*TASK_0, "n_items", value=391)),
    # The file of answers.
    "an empty file of answers": ("not-parquet", parquet(b"")),
    "a zip in place of answers": ("not-parquet", parquet(b"PK\x03\x04" * 100)),
    "a file of its two ends": ("parquet-invalid", parquet(b"PAR1" + b"\x00" * 100 + b"PAR1")),
    "a footer longer than its file": (
        "parquet-invalid",
        parquet(b"PAR1" + b"\xff" * 100 + b"PAR1"),
    ),
    "a file without its middle": ("parquet-invalid", cut),
    "billions of rows declared": ("parquet-too-large", declares(10**10)),
    "a negative number of rows": ("parquet-too-large", declares(-1)),
    "fewer rows declared": ("answers-digest", declares(3)),
    "twice the rows": ("parquet-too-large", rows(lambda found: found * 2)),
    "33 columns": (
        "parquet-too-large",
        table(lambda found: found.select(["item_id"] * 33).rename_columns([*map(str, range(33))])),
    ),
    "a column too many": (
        "parquet-columns",
        table(lambda found: found.append_column("gold", found["parsed"])),
    ),
    "a column missing": ("parquet-columns", table(lambda found: found.drop_columns(["raw"]))),
    "a column of another type": (
        "parquet-columns",
        table(cast("run", pa.float64(), 0.0)),
    ),
    "a nested column": ("parquet-columns", table(cast("raw", pa.list_(pa.string()), ["A"]))),
    "ids that are missing": ("value-missing", table(nulls("item_id"))),
    "runs that are missing": ("value-missing", table(nulls("run"))),
    "a long id": ("value-too-long", first(item_id="a" * 201)),
    "a long reply": ("value-too-long", first(raw="a" * (limits.RAW_CHARACTERS + 1))),
    "a log-likelihood that is NaN": (
        "number-not-finite",
        first(log_likelihoods=[float("nan"), 0.0]),
    ),
    "an infinite log-likelihood": ("number-not-finite", first(log_likelihoods=[float("inf")])),
    "log-likelihoods of 1,000 options": ("value-too-long", first(log_likelihoods=[0.0] * 1_000)),
    # The answers.
    "the hash of other answers": (
        "answers-digest",
        lambda forged: forged.rows(better_answers, honest_hash=False),
    ),
    "a negative run": ("run-out-of-range", first(run=-1)),
    "a run beyond the repeats": ("run-out-of-range", first(run=1)),
    "repeats without their answers": ("coverage", record(*TASK_0, "repeats", value=2)),
    "a document answered twice": ("row-duplicate", rows(lambda found: [*found[:-1], found[0]])),
    "a document left out": ("coverage", rows(lambda found: found[:-1])),
    "a document that is in no data": ("item-unknown", first(item_id="synthetic-bsi-zoning-999999")),
    "a script for an id": ("item-unknown", first(item_id=SCRIPT)),
    "the hash of another document": ("doc-hash", first(doc_hash="0" * 64)),
    "no hash of a document": ("doc-hash", first(doc_hash=None)),
    "an answer that is no option": ("answer-invalid", first(parsed="C")),
    "a script for an answer": ("answer-invalid", first(parsed=SCRIPT)),
    "an answer in a look-alike letter": (
        "answer-invalid",
        first(parsed="\N{CYRILLIC CAPITAL LETTER A}"),
    ),
    "a reply that says another thing than the answer": (
        "raw-mismatch",
        first(raw="I do not know."),
    ),
    "one reply missing": ("raw-incomplete", first(raw=None)),
    "log-likelihoods where texts are asked for": (
        "log-likelihoods",
        first(log_likelihoods=[0.0, -1.0]),
    ),
    "wrong answers called right": (
        "correct-mismatch",
        rows(lambda found: [row._replace(correct=True) for row in found]),
    ),
    "one answer not said to be right or wrong": ("correct-mismatch", first(correct=None)),
    # The scores.
    "a score that is 0.000001 higher": (
        "score-mismatch",
        lambda forged: claim(
            "bsi_acc", value=forged.read()["tasks"][0]["metrics"]["bsi_acc"]["value"] + 1e-6
        )(forged),
    ),
    "a score of 1": ("score-mismatch", claim("bsi_acc", value=1.0)),
    "the score of other answers": ("score-mismatch", rows(better_answers)),
    "an interval of no width": ("interval-mismatch", claim("bsi_acc", low=0.5, high=0.5)),
    "no interval": ("interval-mismatch", claim("bsi_acc", low=None, high=None)),
    "a smaller error": ("interval-mismatch", claim("bsi_acc", stderr=1e-4)),
    "more people": ("interval-mismatch", claim("bsi_acc", n_clusters=500)),
    "more items": ("interval-mismatch", claim("bsi_acc", n=1e6)),
    "a metric left out": ("metric-missing", without(*TASK_0, "metrics", "parse_rate")),
    "an invented metric": ("metric-unknown", lambda forged: forged.record(more_metrics)),
}
