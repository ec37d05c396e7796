"""Files of answers: writing them, reading them from a process that cannot do harm, their digest."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.leaderboard.records import answers_reader, limits
from otherminds.leaderboard.records.reasons import RefusedError


class Row(NamedTuple):
    """One answer, as `record.ANSWER_COLUMNS` describes it."""

    item_id: str
    doc_hash: str | None
    run: int
    parsed: str | None
    raw: str | None
    log_likelihoods: list[float] | None
    correct: bool | None


LIMITS = {
    "record_bytes": limits.RECORD_BYTES,
    "rows": limits.ROWS,
    "row_groups": limits.ROW_GROUPS,
    "columns": limits.COLUMNS,
    "row_group_bytes": limits.ROW_GROUP_BYTES,
    "batch_rows": limits.BATCH_ROWS,
    "raw_characters": limits.RAW_CHARACTERS,
    "parsed_characters": limits.PARSED_CHARACTERS,
    "options": limits.OPTIONS,
    "decoded_bytes": limits.DECODED_BYTES,
    "reader_memory": limits.READER_MEMORY,
    "reader_seconds": limits.READER_SECONDS,
}


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write a file of answers; the same rows are the same bytes with one version of pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([row._asdict() for row in rows], schema=answers_reader.schema())
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd", row_group_size=limits.BATCH_ROWS)


def read(path: Path, *, rows: int = limits.ROWS) -> list[Row]:
    """The rows of a file of answers, at most `rows` of them.

    Raises RefusedError for any fault of the file, and for one that takes more memory or time
    to read than it may.
    """
    found = _in_another_process(path, {**LIMITS, "rows": rows})
    if "reason" in found:
        raise RefusedError(found["reason"], f"{path.name}: {found['detail']}")
    return [Row(*values) for values in zip(*(found[name] for name in Row._fields), strict=True)]


def table(path: Path, names: Sequence[str]) -> Any:
    """Some columns of a file that was accepted before, as an Arrow table: read in this process.

    The verifier has read the file in another one; two thousand such processes would be most of a
    board's build. Compare the digest of the answers. Raises RefusedError.
    """
    try:
        return answers_reader.table(path, LIMITS, names)
    except answers_reader.UnreadableError as error:
        raise RefusedError(error.code, f"{path.name}: {error}") from error


def digest(rows: Iterable[Row]) -> str:
    """SHA-256 of the answers alone: equal for equal answers to the same documents, in any order.

    Of a task that compares log-likelihoods, these are the answer.
    """
    ordered = sorted(rows, key=lambda row: (row.item_id, row.run))
    return digest_of(
        asked(row.item_id, row.run) + answered(row.parsed, row.log_likelihoods) for row in ordered
    )


def digest_of(lines: Iterable[str]) -> str:
    """`digest` of rows in order of item and run, each written as `asked` and then `answered`."""
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def asked(item_id: str, run: int) -> str:
    """The beginning of a row's line in the digest: the document that it answers."""
    return f"[{json.dumps(item_id)}, {run}, "


def answered(parsed: str | None, log_likelihoods: Sequence[float] | None) -> str:
    """How a row's line in the digest ends: with the answer."""
    return f"{json.dumps(parsed)}, {json.dumps(log_likelihoods)}]\n"


_PASSED_ON = (
    *("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP"),
)


def _environment() -> dict[str, str]:
    """Of the reader: a file that takes it over finds no token there, nor where one may lie."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Other pools than the system's reserve address space that they do not use.
    return {**passed, "ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}


def _in_another_process(path: Path, most: dict[str, int]) -> dict[str, Any]:
    costly = {
        "reason": "parquet-too-costly",
        "detail": "reading it took more than it may, or failed.",
    }
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                [sys.executable, "-I", answers_reader.__file__, str(path), json.dumps(most)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=limits.READER_SECONDS,
                env=_environment(),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return costly
        if done.returncode != 0:
            return costly
        output.seek(0)
        found: dict[str, Any] = json.load(output)
        return found
