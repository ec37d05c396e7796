"""The first look at a submission: which files there are, how large, and whether the record is one.

Nothing is opened before its size is known, nothing but `record.json` is opened here, and no archive is
ever unpacked.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from otherminds.leaderboard.records import limits
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import ANSWERS, ID, RECORD, VERIFICATION, Submission

_ID_CHARACTERS = 100

# A text without an end matches too: a pattern that could fail there would begin anew at each quote.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")

# pydantic's names of errors, and the reason for each; for all others "record-invalid".
_REASONS = {
    "json_invalid": "json-invalid",
    "finite_number": "number-not-finite",
    "extra_forbidden": "field-unknown",
    "missing": "field-missing",
    "string_pattern_mismatch": "name-unsafe",
    "string_too_long": "too-long",
    "too_long": "too-long",
}


def check_id(name: str) -> None:
    """Raise RefusedError for a text that is not the name of a submission's folder."""
    if not is_id(name):
        raise RefusedError("folder-name", name[:_ID_CHARACTERS])


def is_id(name: str) -> bool:
    """Whether a submission's folder may have this name."""
    return len(name) <= _ID_CHARACTERS and ID.fullmatch(name) is not None


def id_of(model: str, written: bytes) -> str:
    """The id of a submission: the model's name in ASCII, and a hash of the record's file.

    So nobody can take the id of somebody else's submission before it is accepted.
    """
    slug = re.sub("[^a-z0-9]+", "-", model.lower()).strip("-")[:60].strip("-")
    return f"{slug or 'model'}-{hashlib.sha256(written).hexdigest()[:12]}"


def read(folder: Path, *, accepted: bool = False) -> Submission:
    """The record of a submission, whose folder holds its files and nothing else.

    accepted  the folder may hold the verification that was written on acceptance
    Raises RefusedError.
    """
    sizes = files(folder)
    check_files(sizes, accepted=accepted)
    submission = parse((folder / RECORD).read_bytes())
    claimed = {run.answers for run in submission.tasks}
    there = {path for path in sizes if path.startswith(f"{ANSWERS}/")}
    if missing := sorted(claimed - there):
        raise RefusedError("answers-missing", ", ".join(missing[:3]))
    if others := sorted(there - claimed):
        raise RefusedError("unexpected-file", ", ".join(others[:3]))
    return submission


def files(folder: Path) -> dict[str, int]:
    """Every file in a submission's folder with its size, by its path with slashes.

    Raises RefusedError for links and devices, and for more files than a submission may have.
    """
    if folder.is_symlink() or not folder.is_dir():
        raise RefusedError("folder-missing", str(folder))
    found: dict[str, int] = {}
    for entry, path in _entries(folder, ""):
        kind = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(kind.st_mode):
            raise RefusedError("not-a-file", path)
        found[path] = kind.st_size
    return found


def check_files(sizes: dict[str, int], *, accepted: bool = False) -> None:
    """Check names and sizes of a submission's files, before any is opened or downloaded.

    Raises RefusedError.
    """
    records = {RECORD, VERIFICATION} if accepted else {RECORD}
    if len(sizes) > limits.FILES:
        raise RefusedError("too-many-files", f"{len(sizes)} files, at most {limits.FILES}.")
    for path, size in sizes.items():
        if path not in records and not re.fullmatch(rf"{ANSWERS}/[a-z][a-z0-9_]*\.parquet", path):
            raise RefusedError("unexpected-file", path)
        most = limits.RECORD_BYTES if path in records else limits.ANSWERS_BYTES
        if size > most:
            raise RefusedError("file-too-large", f"{path} has {size} bytes, at most {most}.")
    if (total := sum(sizes.values())) > limits.SUBMISSION_BYTES:
        raise RefusedError(
            "submission-too-large", f"{total} bytes, at most {limits.SUBMISSION_BYTES}."
        )
    if RECORD not in sizes:
        raise RefusedError(
            "record-missing", f"Files there: {', '.join(sorted(sizes)[:3]) or 'none'}."
        )


def parse(written: bytes) -> Submission:
    """A record from its bytes. Raises RefusedError, naming the fault."""
    if len(written) > limits.RECORD_BYTES:
        raise RefusedError("file-too-large", f"{RECORD} has {len(written)} bytes.")
    _check_depth(written)
    try:
        text = written.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("json-encoding", str(error)) from error
    try:
        json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_constant=_not_finite,
            parse_float=_finite,
            parse_int=_short,
        )
    except ValueError as error:
        raise RefusedError("json-invalid", str(error)) from error
    try:
        return Submission.model_validate_json(written)
    except ValidationError as error:
        raise _refusal(error) from error


def _entries(folder: Path, above: str) -> Iterator[tuple[os.DirEntry[str], str]]:
    """All that is not the folder `answers` itself; folders that no submission has are not entered."""
    with os.scandir(folder) as found:
        for number, entry in enumerate(found):
            if number >= limits.FILES:
                raise RefusedError("too-many-files", f"More than {limits.FILES} in a folder.")
            path = f"{above}{entry.name}"
            if path == ANSWERS and entry.is_dir(follow_symlinks=False):
                yield from _entries(Path(entry.path), f"{ANSWERS}/")
            elif entry.is_dir(follow_symlinks=False):
                raise RefusedError("unexpected-file", f"{path}/")
            else:
                yield entry, path


def _check_depth(written: bytes) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", written)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > limits.JSON_DEPTH:
            raise RefusedError("json-too-deep", f"More than {limits.JSON_DEPTH} levels.")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RefusedError("json-duplicate-key", "An object names a field twice.")
    return found


def _not_finite(name: str) -> float:
    raise RefusedError("number-not-finite", name)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise RefusedError("number-not-finite", text[:40])
    return number


def _short(text: str) -> int:
    # No number of a record has more digits, and reading a million of them takes long.
    if len(text) > 20:
        raise RefusedError("number-not-finite", f"{text[:20]} and more digits.")
    return int(text)


def _refusal(error: ValidationError) -> RefusedError:
    first = error.errors(include_input=False, include_url=False)[0]
    code = _REASONS.get(first["type"], "record-invalid")
    if first["type"] == "value_error" and "ctx" in first:
        code = _code_of(str(first["ctx"].get("error", "")))
    place = ".".join(str(part)[:60] for part in first["loc"])
    return RefusedError(code, f"{place}: {first['msg']}")


def _code_of(said: str) -> str:
    """Of the schema's own checks: which of them it was, by how they begin."""
    if said.startswith("has two dots"):
        return "name-unsafe"
    return "text-unsafe" if said.startswith("has ") else "record-invalid"
