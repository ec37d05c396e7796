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

# How long a second process waits for the first one's batch to be written.
_BUSY_SECONDS = 60
_QUERY_SIZE = 500
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, digest TEXT)"
    " WITHOUT ROWID"
)


class Journal:
    """Answers by request key, in one SQLite file that several runs and processes may share.

    A batch is on disk when `add` returns: a process killed at any moment loses at most the requests
    that were still unanswered.

    Each answer has a digest beside it, which tells of damage on disk and of careless edits, and not of
    somebody who writes another one. `without_digest` counts the answers found so far that have none:
    they were written before there were digests.

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
            self._add_digests()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise _damaged(path, str(error)) from error

    def _add_digests(self) -> None:
        """Give a journal that was begun before there were digests a column for them."""
        if "digest" not in columns_of(self._database):
            # Another process may do so at the same time.
            with contextlib.suppress(sqlite3.OperationalError):
                self._database.execute("ALTER TABLE answers ADD COLUMN digest TEXT")
        if columns_of(self._database) != ["key", "answer", "digest"]:
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
            query = f"SELECT key, answer, digest FROM answers WHERE key IN ({marks})"  # nosec B608
            for key, text, digest in self._database.execute(query, part):
                yield key, answer_of(key, text, digest)
                self.without_digest += digest is None

    def add(self, answers: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Write a batch of answers (anything JSON can hold) in one transaction."""
        pairs = answers.items() if isinstance(answers, Mapping) else answers
        # A server may repeat its key in an answer.
        texts = ((key, credentials.known(json.dumps(answer))) for key, answer in pairs)
        rows = [(key, text, digest_of(key, text)) for key, text in texts]
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


def write(database: sqlite3.Connection, rows: Iterable[tuple[str, str, str | None]]) -> None:
    """Write keys, answers as JSON and their digests in one transaction."""
    with database:
        database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)


def digest_of(key: str, text: str) -> str:
    """The digest of an answer, as JSON, to the request of a key."""
    return hashlib.sha256(f"{key}\n{text}".encode()).hexdigest()[:32]


def answer_of(key: str, text: object, digest: object) -> Any:
    """The answer in a row; ValueError for one that is not as it was written."""
    if not isinstance(text, str) or digest not in (None, digest_of(key, text)):
        raise ValueError("an answer in it is not the one that was written")
    try:
        answer = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("an answer in it is no JSON") from None
    if not isinstance(answer, str | float | int | list) or isinstance(answer, bool):
        raise ValueError("an answer in it is neither text nor numbers")
    return answer


def columns_of(database: sqlite3.Connection) -> list[str]:
    """The columns of a journal's table; none where it has no table."""
    return [str(row[1]) for row in database.execute("PRAGMA table_info(answers)")]


def _damaged(path: Path, reason: str) -> OtherMindsError:
    return OtherMindsError(
        f"The journal {path} cannot be used: {reason}. The same command with `--mend-journal` keeps a "
        "copy of it beside it, goes on with the answers that are sound, and asks for the others again. "
        "Or delete it to ask every request again, or choose another --output_path."
    )
