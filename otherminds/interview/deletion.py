"""Deleting a person: all that they said, everywhere that this program wrote it.

What stays is a tombstone: the pseudonym and a time. Copies that somebody else made (backups, a folder
that was moved, a server's own log) are out of reach, and the report names the exports that were not
found.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.interview.annotation import erasing
from otherminds.interview.store import now

if TYPE_CHECKING:
    from otherminds.interview.store import Store

PERSON = "participant_id"
"""The key, or the column, that says in every line of an export whose it is."""

_AS_IT_IS: Final[dict[str, Any]] = {"encoding": "utf-8", "errors": "surrogateescape"}
"""Somebody may have put a file of another kind beside ours."""


@dataclass(frozen=True)
class Deleted:
    """What a deletion did.

    sessions  how many sessions are gone
    changed   files of exports without the person now
    missing   exports that are not where they were written
    """

    participant_id: str
    sessions: int
    changed: tuple[Path, ...]
    missing: tuple[Path, ...]


def delete(store: Store, participant: str) -> Deleted:
    """Delete a person from the database, its log, the journals of models and all exports.

    Exports come first: where one cannot be written, nothing is deleted yet, and the same command can be
    run again. Raises OtherMindsError for somebody of whom there is nothing and was nothing.
    """
    from sqlalchemy import delete as rows_of
    from sqlalchemy import func, insert, select

    from otherminds.interview import tables

    with store.database.reading() as connection:
        counts = [
            connection.execute(
                select(func.count()).select_from(table).where(table.c[PERSON] == participant)
            ).scalar_one()
            for table in tables.OF_PEOPLE
        ]
        stone = select(tables.TOMBSTONES).where(tables.TOMBSTONES.c[PERSON] == participant)
        was_deleted = connection.execute(stone).first() is not None
    if not any(counts) and not was_deleted:
        raise OtherMindsError(f"There is nobody called '{participant}' in this study.")
    changed, missing = from_exports(store.exports(), participant)
    with store.database.writing() as connection:
        # The tombstone first: a session that begins meanwhile waits for this, and is refused then.
        if connection.execute(stone).first() is None:
            connection.execute(
                insert(tables.TOMBSTONES).values(participant_id=participant, deleted=now())
            )
        for table in tables.OF_PEOPLE:
            connection.execute(rows_of(table).where(table.c[PERSON] == participant))
    store.database.forget_deleted()
    return Deleted(participant, counts[0], tuple(changed), tuple(missing))


def tombstones(store: Store) -> dict[str, str]:
    """When people were deleted, by pseudonym."""
    from sqlalchemy import select

    from otherminds.interview.tables import TOMBSTONES

    with store.database.reading() as connection:
        rows = connection.execute(select(TOMBSTONES).order_by(TOMBSTONES.c.participant_id)).all()
    return {row.participant_id: row.deleted for row in rows}


def from_exports(exports: Sequence[Path], participant: str) -> tuple[list[Path], list[Path]]:
    """Take a person out of exports: the files that were changed, and the exports that are not there."""
    changed: list[Path] = []
    missing: list[Path] = []
    for export in exports:
        if not export.exists():
            missing.append(export)
            continue
        # By the key, which the lines below take the person out of.
        changed += erasing.without(export, participant)
        found = [export] if export.is_file() else sorted(export.rglob("*"))
        for path in found:
            if path.is_file() and _without(path, participant):
                changed.append(path)
    return changed, missing


def _without(path: Path, participant: str) -> bool:
    """Take a person out of a file of an export; whether they were in it."""
    if path.suffix == ".jsonl":
        return _without_lines(path, participant)
    if path.suffix == ".csv":
        return _without_rows(path, participant)
    if path.suffix == ".json":
        return _without_objects(path, participant)
    if path.suffix == ".parquet":
        return _without_parquet(path, participant)
    return False


def _without_lines(path: Path, participant: str) -> bool:
    with path.open(**_AS_IT_IS) as lines:
        if not any(_of(line) == participant for line in lines):
            return False
    with (
        files.atomic_file(path) as partial,
        path.open(**_AS_IT_IS) as lines,
        partial.open("w", **_AS_IT_IS) as kept,
    ):
        kept.writelines(line for line in lines if _of(line) != participant)
    return True


def _of(line: str) -> object:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found.get(PERSON) if isinstance(found, dict) else None


def _without_rows(path: Path, participant: str) -> bool:
    with path.open(newline="", **_AS_IT_IS) as file:
        rows = [*csv.reader(file)]
    if not rows or PERSON not in rows[0]:
        return False
    place = rows[0].index(PERSON)
    kept = [row for row in rows if not (len(row) > place and row[place] == participant)]
    if len(kept) == len(rows):
        return False
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(kept)
    with files.atomic_file(path) as partial:
        partial.write_text(text.getvalue(), newline="", **_AS_IT_IS)
    return True


def _without_objects(path: Path, participant: str) -> bool:
    """Take a person out of a list of objects; other JSON of ours names nobody."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    if not isinstance(found, list):
        return False
    kept = [one for one in found if not (isinstance(one, dict) and one.get(PERSON) == participant)]
    if len(kept) == len(found):
        return False
    files.write_json(path, kept)
    return True


def _without_parquet(path: Path, participant: str) -> bool:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    if PERSON not in table.column_names:
        return False
    kept = table.filter(pc.invert(pc.equal(table[PERSON], participant)))
    if kept.num_rows == table.num_rows:
        return False
    with files.atomic_file(path) as partial:
        pq.write_table(kept, partial)
    return True
