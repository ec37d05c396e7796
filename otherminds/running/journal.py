"""The journal of finished requests, from which a killed run resumes."""

from __future__ import annotations

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


class Journal:
    """Answers by request key, in one SQLite file that several runs and processes may share.

    A batch is on disk when `add` returns: a process killed at any moment loses at most the requests
    that were still unanswered.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS)
            # Write-ahead logging lets other processes read while one writes.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL)"
                " WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as error:
            raise OtherMindsError(
                f"The journal {path} cannot be used ({error}). Delete it to ask every request again, "
                "or choose another --output_path."
            ) from error
        except OSError as error:
            raise files.unwritable(path, error) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT COUNT(*) FROM answers").fetchone()
        return int(count)

    def find(self, keys: Sequence[str]) -> dict[str, Any]:
        """The answers that are known, by key."""
        return dict(self._find(keys))

    def _find(self, keys: Sequence[str]) -> Iterator[tuple[str, Any]]:
        for start in range(0, len(keys), _QUERY_SIZE):
            part = keys[start : start + _QUERY_SIZE]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, answer FROM answers WHERE key IN ({marks})"
            for key, answer in self._database.execute(query, part):
                yield key, json.loads(answer)

    def add(self, answers: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Write a batch of answers (anything JSON can hold) in one transaction."""
        pairs = answers.items() if isinstance(answers, Mapping) else answers
        # A server may repeat its key in an answer.
        rows = [(key, credentials.known(json.dumps(answer))) for key, answer in pairs]
        try:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise OtherMindsError(
                f"Cannot write to the journal {self.path} ({error}). Free some space and run the "
                "same command again: it resumes from what is already written."
            ) from error
