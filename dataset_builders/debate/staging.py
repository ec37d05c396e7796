"""What was read from a source, on disk: stances by person, debates and profiles.

A staged source is one SQLite file, complete or absent: it is written beside its place and moved
there when it is finished, so that a build that is killed leaves nothing that looks finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from otherminds.dataset_builders.debate.records import Debate, Profile
from otherminds.dataset_builders.debate.stances import Stance

_FORM = 1
"""Increased whenever what is staged, or how, changes: older files are then not used again."""

_SAMPLE = 1 << 20
_ROWS_AT_ONCE = 10_000

_TABLES = """
CREATE TABLE debates (number INTEGER PRIMARY KEY, key TEXT, title TEXT, category TEXT, debaters TEXT);
CREATE TABLE stances (user TEXT, debate INTEGER, day INTEGER, agrees INTEGER);
CREATE TABLE profiles (user TEXT PRIMARY KEY, fields TEXT);
CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER);
"""


def fingerprint(paths: Iterable[Path]) -> str:
    """A name for the content of files: their sizes, times of change, and first and last megabyte."""
    digest = hashlib.sha256(str(_FORM).encode())
    for path in paths:
        facts = path.stat()
        digest.update(f"\n{path.name}\x00{facts.st_size}\x00{facts.st_mtime_ns}\x00".encode())
        with path.open("rb") as file:
            digest.update(file.read(_SAMPLE))
            file.seek(max(0, facts.st_size - _SAMPLE))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:24]


class Writer:
    """Fills a staged source."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._debates = 0

    def debate(self, debate: Debate, stances: Iterable[Stance]) -> None:
        """Add a debate, and the stances that people took in it."""
        self._debates += 1
        debaters = [name for name in (debate.pro, debate.con) if name is not None]
        self._database.execute(
            "INSERT INTO debates VALUES (?, ?, ?, ?, ?)",
            (self._debates, debate.key, debate.title, debate.category, json.dumps(debaters)),
        )
        self._database.executemany(
            "INSERT INTO stances VALUES (?, ?, ?, ?)",
            [(s.user, self._debates, s.day.toordinal(), s.agrees) for s in stances],
        )

    def profile(self, profile: Profile) -> bool:
        """Add a profile; False where another one has that name and says something else."""
        fields = json.dumps(dict(sorted(profile.fields.items())))
        self._database.execute(
            "INSERT OR IGNORE INTO profiles VALUES (?, ?)", (profile.name, fields)
        )
        kept = self._database.execute(
            "SELECT fields FROM profiles WHERE user = ?", (profile.name,)
        ).fetchone()
        return bool(kept[0] == fields)

    def count(self, counts: Counter[str]) -> None:
        """Add counts, which `Staged.counts` gives back."""
        self._database.executemany("INSERT OR REPLACE INTO counts VALUES (?, ?)", counts.items())


def staged(path: Path, fill: Callable[[Writer], None]) -> Staged:
    """The staged source at `path`, which `fill` writes where it is absent."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.partial")
        partial.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(partial)) as database:
                # An unfinished file is thrown away, so nothing is gained by making writes durable.
                database.executescript(
                    f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_TABLES}"
                )
                with database:
                    fill(Writer(database))
                    database.execute("CREATE INDEX by_user ON stances (user, debate)")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    return Staged(path)


class Staged:
    """Reads a staged source."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def counts(self) -> Counter[str]:
        """The counts of the reading."""
        with self._open() as database:
            return Counter(dict(database.execute("SELECT name, count FROM counts")))

    def size(self, table: str) -> int:
        """How many rows `table` has: "debates", "stances" or "profiles"."""
        with self._open() as database:
            return int(database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # nosec B608

    def users(self) -> list[str]:
        """All who took a stance, in order of their names."""
        with self._open() as database:
            return [
                row[0]
                for row in database.execute("SELECT DISTINCT user FROM stances ORDER BY user")
            ]

    def names(self) -> frozenset[str]:
        """All user names of the source, of profiles without a stance too."""
        with self._open() as database:
            rows = database.execute("SELECT user FROM profiles UNION SELECT user FROM stances")
            return frozenset(row[0] for row in rows)

    def debates(self) -> Iterator[tuple[int, str, str, str, list[str]]]:
        """Number, key, title, category and debaters of each debate, in order."""
        with self._open() as database:
            for number, key, title, category, debaters in database.execute(
                "SELECT * FROM debates ORDER BY number"
            ):
                yield number, key, title, category, json.loads(debaters)

    def stances(self) -> Iterator[tuple[str, list[tuple[int, int, bool]]]]:
        """Each person's stances: debate, day (proleptic ordinal) and whether they agree."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM stances ORDER BY user, debate")
            for user, own in groupby(_batched(rows), key=itemgetter(0)):
                yield user, [(debate, day, bool(agrees)) for _, debate, day, agrees in own]

    def stances_of(self, user: str) -> list[tuple[int, int, bool]]:
        """One person's stances, as `stances` gives them."""
        asked = "SELECT debate, day, agrees FROM stances WHERE user = ? ORDER BY debate"
        with self._open() as database:
            rows = database.execute(asked, (user,)).fetchall()
        return [(debate, day, bool(agrees)) for debate, day, agrees in rows]

    def profile(self, user: str) -> dict[str, str]:
        """What a person's profile says; nothing where there is no profile."""
        with self._open() as database:
            row = database.execute("SELECT fields FROM profiles WHERE user = ?", (user,)).fetchone()
        return dict(json.loads(row[0])) if row else {}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(
            sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True)
        ) as found:
            yield found


def _batched(rows: sqlite3.Cursor) -> Iterator[tuple[str, int, int, int]]:
    while batch := rows.fetchmany(_ROWS_AT_ONCE):
        yield from batch
