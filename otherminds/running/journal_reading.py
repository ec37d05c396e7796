"""A journal that is looked at and left as it is."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from otherminds.running.journal import COLUMNS, Journal, columns_of


class ReadJournal(Journal):
    """The answers of a journal, without a file of its own: none where there is no journal at `path`.

    Raises OtherMindsError for a damaged journal, when answers are looked for.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path or Path()
        self.without_digest = 0
        self.is_there = path is not None and path.is_file()
        self._database = sqlite3.connect(
            _address(self.path) if self.is_there else ":memory:", uri=True
        )
        # What is damaged says so when answers are looked for.
        with contextlib.suppress(sqlite3.DatabaseError):
            if {*(found := columns_of(self._database))} != {*COLUMNS}:
                self._as_of_now(found)

    def _as_of_now(self, found: Sequence[str]) -> None:
        """Give an empty journal, or one from before there were some columns, those of others."""
        columns = ", ".join(f"{'' if name in found else 'NULL AS '}{name}" for name in COLUMNS)
        where = "FROM main.answers" if found else "WHERE FALSE"
        self._database.execute(f"CREATE TEMP VIEW answers AS SELECT {columns} {where}")


def _address(path: Path) -> str:
    # Of a journal that nobody has open there is no second file; SQLite would make one to read it.
    is_whole = not Path(f"{path}-wal").exists()
    return f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if is_whole else ''}"
