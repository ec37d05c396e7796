"""Replies as they come: lines of JSON, files of an editor, tables of people, samples of runs.

*.jsonl             {"sheet_id": …, "reply": …} a line, a reply being a text or the object itself;
                    "frame_hash", "author" and "family" may stand beside it
SHEET_ID.json, .txt the reply to one sheet
*.csv               a row for each sheet, a column for each key of the reply
samples_*           what `otherminds run construct_…` wrote
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from otherminds.errors import OtherMindsError
from otherminds.metrics import thoughts
from otherminds.running import results
from otherminds.samples import packed
from otherminds.samples.names import named

Schema = Callable[[str], Mapping[str, Any]]

_LONGEST_LINE = 64 * 2**20
_NO_ANSWER = "None"


@dataclass(frozen=True)
class Who:
    """Who replied: the name, what they are, and of a model the family where it is stated."""

    name: str
    kind: Literal["model", "person"] = "model"
    family: str | None = None


@dataclass(frozen=True)
class Reply:
    """One reply.

    place       where it stands, for messages
    sheet_id    the sheet that it names; empty where it names none
    text        the reply; None where nothing was filled in
    who         who replied
    frame_hash  the one that it names, if it names one
    fault       why it can be no reply, if it cannot: (reason, message)
    """

    place: str
    sheet_id: str
    text: str | None
    who: Who | None
    frame_hash: str | None = None
    fault: tuple[str, str] | None = None

    @property
    def sha256(self) -> str:
        """The hash of its text."""
        return hashlib.sha256((self.text or "").encode("utf-8", "surrogatepass")).hexdigest()


def read(path: Path, who: Who | None, schema: Schema) -> Iterator[Reply]:
    """The replies in a file or a folder of files.

    schema  from the name of a sheet to the schema of its reply, for tables; empty where there is none

    Raises OtherMindsError for a file that is of none of these kinds, and for one that cannot be read.
    """
    if path.is_dir():
        found = sorted(one for one in path.rglob("*") if _is_read(one))
        for one in found:
            yield from read(one, who, schema)
        return
    try:
        if named(path) is not None:
            yield from _of_samples(path, who)
        elif path.suffix == ".jsonl":
            yield from _of_lines(path, who)
        elif path.suffix == ".csv":
            yield from _of_table(path, who, schema)
        elif path.suffix in (".json", ".txt"):
            text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
            yield Reply(path.name, path.stem, text if text.strip() else None, who)
        else:
            raise OtherMindsError(
                f"{path} is no file of replies: give .jsonl, .csv, SHEET_ID.json or SHEET_ID.txt, or "
                "what `otherminds run` wrote."
            )
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error


def _is_read(path: Path) -> bool:
    if not path.is_file() or path.name.startswith((".", "~")):
        return False
    is_result = path.name.startswith(("results_", "stages_"))
    if (name := named(path)) is not None:
        # Other tasks may have been run into the same folder.
        return name.task.startswith("construct_")
    return path.suffix in (".jsonl", ".csv", ".json", ".txt") and not is_result


def _of_lines(path: Path, who: Who | None) -> Iterator[Reply]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            place = f"{path.name}, line {number}"
            if len(line) > _LONGEST_LINE:
                yield _faulty(place, "line", "is longer than 64 MB")
                while line and not line.endswith(b"\n"):
                    line = file.readline(_LONGEST_LINE)
                continue
            if line.strip():
                yield _of_line(place, line, who)


def _of_line(place: str, line: bytes, who: Who | None) -> Reply:
    try:
        # Some editors begin a file with a mark of its encoding.
        value = json.loads(line.removeprefix(codecs.BOM_UTF8))
    except (ValueError, RecursionError):
        return _faulty(place, "line", "is not JSON: it may have been cut off")
    if not isinstance(value, dict):
        return _faulty(place, "line", "is no object with sheet_id and reply")
    sheet_id = value.get("sheet_id")
    if not isinstance(sheet_id, str) or not sheet_id:
        return _faulty(place, "line", "names no sheet: give sheet_id")
    name, kind, family = (value.get(key) for key in ("author", "author_kind", "family"))
    if isinstance(name, str) and name.strip():
        is_person = kind == "person" or (kind is None and who is not None and who.kind == "person")
        stated = family if isinstance(family, str) else (who.family if who else None)
        who = Who(name.strip(), "person" if is_person else "model", stated)
    reply = value.get("reply")
    if isinstance(reply, dict | list):
        text: str | None = json.dumps(reply, ensure_ascii=False)
    elif reply is None or isinstance(reply, str):
        text = reply if reply is not None and reply.strip() else None
    else:
        return _faulty(place, "line", "has a reply that is neither a text nor an object", sheet_id)
    proof = value.get("frame_hash")
    return Reply(place, sheet_id, text, who, proof if isinstance(proof, str) else None)


def _of_samples(path: Path, who: Who | None) -> Iterator[Reply]:
    """The replies of a run: without what a model thinks before it answers."""
    author = _model_of(path) if who is None or not who.name else who
    if author is not None and who is not None and not who.name:
        author = replace(author, family=who.family)
    refused = partial(_unreadable, path)
    for place, sample in packed.whole(path, refused):
        match sample:
            case {
                "doc": {"sheet_id": str() as sheet_id, "frame_hash": str() as proof},
                "filtered_resps": [[str() as text]] | [str() as text],
            }:
                said = thoughts.without_reasoning(text)
                is_empty = text == _NO_ANSWER or said is None or not said.strip()
                yield Reply(place, sheet_id, None if is_empty else said, author, proof)
            case _:
                raise refused(f"{place} is no sample of a task construct_…")


def _unreadable(path: Path, what: str) -> OtherMindsError:
    return OtherMindsError(f"{what}. Give the samples of a run of construct_…, not {path}.")


def _model_of(samples: Path) -> Who | None:
    found = results.model_of(samples)
    if found is None:
        return None
    model, _ = found
    arguments = model["args"]
    return Who(
        results.model_name(model["name"], arguments if isinstance(arguments, Mapping) else {})
    )


def _of_table(path: Path, who: Who | None, schema: Schema) -> Iterator[Reply]:
    text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    csv.field_size_limit(max(csv.field_size_limit(), 64 * 2**20))
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark)
    if "sheet_id" not in (reader.fieldnames or ()):
        raise OtherMindsError(
            f"{path} has no column 'sheet_id': fill in the table as it was written."
        )
    for number, row in enumerate(reader, start=2):
        place = f"{path.name}, row {number}"
        sheet_id = _bare(row.get("sheet_id"))
        if not sheet_id:
            if any(_bare(value) for value in row.values() if isinstance(value, str)):
                yield _faulty(place, "line", "names no sheet: give sheet_id")
            continue
        properties = schema(sheet_id).get("properties", {})
        value = {key: _value(_bare(row.get(key)), kind) for key, kind in properties.items()}
        filled = {key: one for key, one in value.items() if one != ""}
        whole = json.dumps(filled, ensure_ascii=False) if filled else None
        if not properties and any(_bare(one) for key, one in row.items() if key != "sheet_id"):
            whole = json.dumps(row, ensure_ascii=False)
        yield Reply(place, sheet_id, whole, who)


def _bare(cell: Any) -> str:
    """A cell without what keeps spreadsheets from taking it for a formula."""
    text = cell.strip() if isinstance(cell, str) else ""
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def _value(text: str, kind: Mapping[str, Any]) -> Any:
    if kind.get("type") == "integer" and text.lstrip("-").isascii() and text.lstrip("-").isdigit():
        return int(text) if len(text) < 10 else text
    return text


def _faulty(place: str, reason: str, what: str, sheet_id: str = "") -> Reply:
    return Reply(place, sheet_id, None, None, fault=(reason, f"{place} {what}."))
