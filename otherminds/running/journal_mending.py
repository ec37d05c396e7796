"""Mending a damaged journal: its sound answers in a new one, the damaged file beside it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.running import journal
from otherminds.running.journal import Row, answer_of

_WAL, _SHARED = "-wal", "-shm"
_SUFFIX = ".damaged"
_MOST_TIMES_AS_LONG = 100

# Of every database that is open, SQLite locks one of these bytes (`SHARED_FIRST`, `SHARED_SIZE`).
_SHARED_FIRST, _SHARED_SIZE = 0x4000_0002, 510


@dataclass(frozen=True)
class Mended:
    """How many answers were kept and how many had changed on disk, and where the damaged file is.

    What stood in pages that cannot be read at all is counted by nobody.
    """

    kept: int
    changed: int
    damaged: Path


def mend(path: Path) -> Mended | None:
    """Put a journal with the sound answers of a journal in its place; None where there is none.

    The file as it was stays beside it. A process that is killed here leaves either the damaged journal
    in its place, or the mended one.

    Raises OtherMindsError while another process uses the journal, which would write its answers into the
    file that is put aside.
    """
    if not path.is_file():
        return None
    try:
        _check_unused(path)
        with files.work_folder(path) as work:
            return _mended(path, work)
    except OSError as error:
        raise files.unwritable(path, error) from error


def _check_unused(path: Path) -> None:
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
        except (BlockingIOError, PermissionError):
            raise OtherMindsError(
                f"Another process uses the journal {path}. End it, or wait until it has ended, and give "
                "the same command again."
            ) from None


def _mended(path: Path, work: Path) -> Mended:
    # Opening a database writes into it, so that it is a copy that is read.
    copy = work / path.name
    shutil.copy2(path, copy)
    wal = _beside(path, _WAL)
    if is_logged := wal.exists() and wal.stat().st_size > 0:
        shutil.copy2(wal, _beside(copy, _WAL))
    _fill_up(copy)
    kept: dict[str, Row] = {}
    changed: set[str] = set()
    for row in _rows(copy):
        key = row[0]
        try:
            answer_of(*row)
        except ValueError:
            changed.add(key)
        else:
            kept[key] = row
    new = work / "new.sqlite"
    with contextlib.closing(journal.create(new)) as database:
        journal.write(database, kept.values())
    damaged = _free(path)
    shutil.copy2(path, damaged)
    if is_logged:
        shutil.copy2(wal, _beside(damaged, _WAL))
    # The log of another database must not lie beside the new one.
    for suffix in (_WAL, _SHARED):
        _beside(path, suffix).unlink(missing_ok=True)
    os.replace(new, path)
    return Mended(len(kept), len(changed), damaged)


def _fill_up(path: Path) -> None:
    """Put zeros in place of pages that were cut off: SQLite reads nothing of a file without them."""
    with path.open("r+b") as file:
        header = file.read(32)
        size = int.from_bytes(header[16:18], "big") or 1
        pages = int.from_bytes(header[28:32], "big")
        # 1 stands for 65,536; more pages than this are damage of the header itself.
        whole = pages * (65_536 if size == 1 else size)
        if path.stat().st_size < whole <= _MOST_TIMES_AS_LONG * path.stat().st_size:
            file.truncate(whole)


def _rows(path: Path) -> Iterator[Row]:
    """All rows that can be read, some of them twice.

    Keys begin with two hexadecimal digits: a damaged page spoils some of the ranges of these alone, and
    of such a range both ends can be read.
    """
    with contextlib.closing(sqlite3.connect(path)) as database:
        columns = _columns(database)
        digest, ended = (name if name in columns else "NULL" for name in ("digest", "ended"))
        query = (
            f"SELECT key, answer, {digest}, {ended} FROM answers"  # nosec B608
            " WHERE key >= ? AND key < ? ORDER BY key "
        )
        for number in range(256):
            # What follows "f" in the alphabet ends the last range.
            ends = f"{number:02x}", f"{number + 1:02x}" if number < 255 else "g"
            for order in ("ASC", "DESC"):
                try:
                    yield from database.execute(query + order, ends)
                except sqlite3.DatabaseError:
                    continue
                break


def _columns(database: sqlite3.Connection) -> list[str]:
    """The columns of the table; all that there are today where it cannot be said."""
    try:
        return [str(row[1]) for row in database.execute("PRAGMA table_info(answers)")]
    except sqlite3.DatabaseError:
        return ["digest", "ended"]


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _free(path: Path) -> Path:
    """A name beside a path that no file has."""
    for number in range(1, 1_000):
        found = _beside(path, f"{_SUFFIX}-{number}")
        if not found.exists():
            return found
    raise OtherMindsError(f"{path.parent} holds too many damaged journals; remove some.")
