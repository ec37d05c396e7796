"""The journal of finished requests, from which a killed run resumes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds import credentials, files
from otherminds.errors import OtherMindsError
from otherminds.running.finish import Reply

# How long a second process waits for the first one's batch to be written.
_BUSY_SECONDS = 60
_QUERY_SIZE = 500
COLUMNS = ("key", "answer", "digest", "ended")
_LATER = COLUMNS[2:]
"""Columns that journals of before lack."""
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, digest TEXT,"
    " ended TEXT) WITHOUT ROWID"
)

Row = tuple[str, str, str | None, str | None]
"""Key, answer as JSON, digest, and how a reply ended (`_ended`)."""


class Journal:
    """Answers by request key, in one SQLite file that several runs and processes may share.

    A batch is on disk when `add` returns: a process killed at any moment loses at most the requests
    that were still unanswered.

    A text that is a `finish.Reply` is found again as one. Each answer has a digest beside it, which
    tells of damage on disk and of careless edits, and not of somebody who writes another one.
    `without_digest` counts the answers found so far that have none: they were written before there were
    digests.

    Raises OtherMindsError for a journal that is damaged in any way, when it is opened or when damaged
    answers are asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.without_digest = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS)
        except OSError as error:
            raise files.unwritable(path, error) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(path, str(error)) from error
        try:
            # Write-ahead logging lets other processes read while one writes.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(_TABLE)
            self._add_columns()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise _damaged(path, str(error)) from error

    def _add_columns(self) -> None:
        """Give a journal that was begun before there were digests or reasons the columns for them."""
        for column in _LATER:
            if column not in columns_of(self._database):
                # Another process may do so at the same time.
                with contextlib.suppress(sqlite3.OperationalError):
                    self._database.execute(f"ALTER TABLE answers ADD COLUMN {column} TEXT")
        if {*columns_of(self._database)} != {*COLUMNS}:
            raise sqlite3.DatabaseError("its table has other columns")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __len__(self) -> int:
        try:
            (count,) = self._database.execute("SELECT COUNT(*) FROM answers").fetchone()
        except sqlite3.DatabaseError as error:
            raise _damaged(self.path, str(error)) from error
        return int(count)

    def find(self, keys: Sequence[str]) -> dict[str, Any]:
        """The answers that are known, by key."""
        try:
            return dict(self._find(keys))
        except (sqlite3.DatabaseError, ValueError) as error:
            raise _damaged(self.path, str(error)) from error

    def _find(self, keys: Sequence[str]) -> Iterator[tuple[str, Any]]:
        for start in range(0, len(keys), _QUERY_SIZE):
            part = keys[start : start + _QUERY_SIZE]
            marks = ",".join("?" * len(part))
            query = f"SELECT {', '.join(COLUMNS)} FROM answers WHERE key IN ({marks})"  # nosec B608
            for row in self._database.execute(query, part):
                yield row[0], answer_of(*row)
                self.without_digest += row[2] is None

    def add(self, answers: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Write a batch of answers (anything JSON can hold) in one transaction."""
        pairs = answers.items() if isinstance(answers, Mapping) else answers
        rows = [row(key, answer) for key, answer in pairs]
        try:
            write(self._database, rows)
        except (sqlite3.OperationalError, OSError) as error:
            raise OtherMindsError(
                f"Cannot write to the journal {self.path} ({error}). Free some space and run the "
                "same command again: it resumes from what is already written."
            ) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(self.path, str(error)) from error


def create(path: Path) -> sqlite3.Connection:
    """A new database for the answers of a journal."""
    database = sqlite3.connect(path)
    database.execute(_TABLE)
    return database


def write(database: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Write rows in one transaction."""
    with database:
        database.executemany(
            f"INSERT OR REPLACE INTO answers ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?)",
            rows,  # nosec B608
        )


def digest_of(key: str, text: str, ended: str | None = None) -> str:
    """The digest of an answer, as JSON, to the request of a key, and of how it ended."""
    of_end = "" if ended is None else f"\n{ended}"
    return hashlib.sha256(f"{key}\n{text}{of_end}".encode()).hexdigest()[:32]


def answer_of(key: str, text: object, digest: object, ended: object = None) -> Any:
    """The answer in a row; ValueError for one that is not as it was written."""
    if not isinstance(text, str) or not isinstance(ended, str | None):
        raise ValueError("an answer in it is not the one that was written")
    if digest not in (None, digest_of(key, text, ended)):
        raise ValueError("an answer in it is not the one that was written")
    try:
        answer = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("an answer in it is no JSON") from None
    if not isinstance(answer, str | float | int | list) or isinstance(answer, bool):
        raise ValueError("an answer in it is neither text nor numbers")
    if ended is None or not isinstance(answer, str):
        return answer
    return Reply(answer, **_told(ended))


def row(key: str, answer: Any) -> Row:
    """The row of an answer that may have a reason, as JSON holds it."""
    # A server may repeat its key in an answer.
    text = credentials.known(json.dumps(answer))
    ended = _ended(answer)
    return key, text, digest_of(key, text, ended), ended


def _ended(answer: Any) -> str | None:
    """How a reply ended: its reason alone, or an object with what else is known; None for nothing."""
    if not isinstance(answer, Reply):
        return None
    facts = {name: getattr(answer, name) for name in ("finish_reason", "said", "by")}
    told = {name: value for name, value in facts.items() if value}
    if not told:
        return None
    if list(told) == ["finish_reason"] and not str(answer.finish_reason).startswith("{"):
        return credentials.known(str(answer.finish_reason))
    return credentials.known(json.dumps(told))


def _told(ended: str) -> dict[str, Any]:
    if not ended.startswith("{"):
        return {"finish_reason": ended}
    try:
        found = json.loads(ended)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("the end of an answer in it is no JSON") from None
    if not all(isinstance(value, str) for value in found.values()):
        raise ValueError("the end of an answer in it is not text")
    return {name: found[name] for name in ("finish_reason", "said", "by") if name in found}


def columns_of(database: sqlite3.Connection) -> list[str]:
    """The columns of a journal's table; none where it has no table."""
    return [str(row[1]) for row in database.execute("PRAGMA table_info(answers)")]


def _damaged(path: Path, reason: str) -> OtherMindsError:
    return OtherMindsError(
        f"The journal {path} cannot be used: {reason}. The same command with `--mend-journal` keeps a "
        "copy of it beside it, goes on with the answers that are sound, and asks for the others again. "
        "Or delete it to ask every request again, or choose another --output_path."
    )
