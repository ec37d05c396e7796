"""What a study's database holds of sessions, written and read one transaction at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.errors import OtherMindsError
from otherminds.interview.database import Database
from otherminds.interview.session import check_pseudonym

if TYPE_CHECKING:
    from sqlalchemy import Connection

_PAGE = 200
"""Sessions that are read at once, when all are."""


@dataclass(frozen=True)
class Summary:
    """A session in a line: what a list of sessions shows, and nothing that the person said.

    answers   how many questions were answered
    nodes     concepts in the graph, without the stance
    revision  how often it was written
    """

    id: str
    participant_id: str
    topic: str
    status: str
    stage: int
    progress: float
    answers: int
    nodes: int
    config_hash: str
    created: str
    updated: str
    revision: int = 0


@dataclass(frozen=True)
class Record:
    """A session as it is stored.

    state    all of it but the parts that follow, as JSON
    graph    its belief graph, as JSON
    qas      its questions and answers as JSON, by number
    events   its events as JSON, by number
    """

    summary: Summary
    state: str
    graph: str
    qas: Mapping[int, str] = field(default_factory=dict)
    events: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Survey:
    """One answer to the questionnaire.

    number   its place in the questionnaire
    content  the question with its scale, and the answer (`otherminds.interview.survey`)
    """

    participant_id: str
    topic: str
    question_id: str
    number: int
    content: Mapping[str, Any]


class Store:
    """The sessions of a study; see `Database` for `place` and `create`."""

    def __init__(self, place: str | Path, *, create: bool = False) -> None:
        self.database = Database(place, create=create)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    # --- sessions

    def begin(self, record: Record, config: str) -> None:
        """Write a new session and its configuration (JSON); a session of that id is an error.

        Raises OtherMindsError for a person who was deleted.
        """
        from sqlalchemy import insert, select

        from otherminds.interview.tables import CONFIGS, SESSIONS, TOMBSTONES

        one = record.summary
        with self.database.writing() as connection:
            gone = select(TOMBSTONES).where(TOMBSTONES.c.participant_id == one.participant_id)
            if connection.execute(gone).first():
                raise OtherMindsError(
                    f"'{one.participant_id}' was deleted from this study; another person needs another "
                    "pseudonym."
                )
            if connection.execute(select(SESSIONS.c.id).where(SESSIONS.c.id == one.id)).first():
                raise OtherMindsError(f"There is a session '{one.id}' already.")
            known = select(CONFIGS.c.hash).where(CONFIGS.c.hash == one.config_hash)
            if not connection.execute(known).first():
                connection.execute(insert(CONFIGS).values(hash=one.config_hash, content=config))
            connection.execute(insert(SESSIONS).values(**_columns(record), revision=0))
            _write_parts(connection, record)

    def save(self, record: Record, revision: int, *, before: Record | None = None) -> int:
        """Write all that changed since `before` in one transaction, and return the new revision.

        revision  the one that the session had when it was read

        Raises OtherMindsError where another process wrote the session since, or deleted it; nothing is
        written then.
        """
        from sqlalchemy import update

        from otherminds.interview.tables import SESSIONS

        with self.database.writing() as connection:
            done = connection.execute(
                update(SESSIONS)
                .where(SESSIONS.c.id == record.summary.id, SESSIONS.c.revision == revision)
                .values(**_columns(record), revision=revision + 1)
            )
            if done.rowcount != 1:
                raise OtherMindsError(
                    f"The session '{record.summary.id}' was changed by another process meanwhile; what "
                    "that one wrote is kept. Run the command again to go on from there."
                )
            _write_parts(connection, record, before)
        return revision + 1

    def load(self, session_id: str) -> Record:
        """A session. Raises OtherMindsError for one that does not exist."""
        with self.database.reading() as connection:
            found = [*_records(connection, [session_id], parts=True)]
        if not found:
            raise OtherMindsError(
                f"There is no session '{session_id}'; `otherminds interview list` prints them all."
            )
        return found[0]

    def summaries(
        self,
        *,
        participant: str | None = None,
        topic: str | None = None,
        status: str | None = None,
    ) -> list[Summary]:
        """The sessions in the order in which they began; by default all."""
        from sqlalchemy import select

        from otherminds.interview.tables import SESSIONS

        query = select(*(SESSIONS.c[one.name] for one in fields(Summary)))
        wanted = {"participant_id": participant, "topic": topic, "status": status}
        for name, value in wanted.items():
            if value is not None:
                query = query.where(SESSIONS.c[name] == value)
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(SESSIONS.c.created, SESSIONS.c.id)).all()
        return [Summary(**row._mapping) for row in rows]

    def records(
        self, sessions: Sequence[str], *, qas: bool = True, events: bool = False
    ) -> Iterator[Record]:
        """Sessions by id, in the given order, a few at a time; those that are gone are left out.

        qas, events  whether these parts are read too
        """
        for begin in range(0, len(sessions), _PAGE):
            page = sessions[begin : begin + _PAGE]
            with self.database.reading() as connection:
                yield from [*_records(connection, page, parts=qas, events=events)]

    # --- configurations

    def config(self, config_hash: str) -> str:
        """The configuration of a hash, as JSON."""
        from sqlalchemy import select

        from otherminds.interview.tables import CONFIGS

        with self.database.reading() as connection:
            found = connection.execute(
                select(CONFIGS.c.content).where(CONFIGS.c.hash == config_hash)
            ).scalar()
        if found is None:
            raise OtherMindsError(f"The configuration {config_hash} is not in the database.")
        return str(found)

    # --- people and their questionnaires

    def add_survey(
        self, answers: Iterable[Survey], demographics: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        """Write answers to the questionnaire, and what people said of themselves, by person.

        An answer to the same question takes the place of the earlier one.
        """
        from otherminds.interview.tables import PEOPLE, SURVEY

        with self.database.writing() as connection:
            for person, said in (demographics or {}).items():
                refuse_deleted(connection, person)
                row = {"participant_id": person, "demographics": as_json(dict(said))}
                put_row(connection, PEOPLE, row)
            for one in answers:
                check_pseudonym(one.participant_id)
                refuse_deleted(connection, one.participant_id)
                row = {**vars(one), "content": as_json(one.content)}
                put_row(connection, SURVEY, row)

    def survey(self) -> list[Survey]:
        """All answers to the questionnaire, by person and topic, in the questionnaire's order."""
        from sqlalchemy import select

        from otherminds.interview.tables import SURVEY

        order = (SURVEY.c.participant_id, SURVEY.c.topic, SURVEY.c.number)
        with self.database.reading() as connection:
            rows = connection.execute(select(SURVEY).order_by(*order)).mappings().all()
        return [Survey(**{**row, "content": json.loads(row["content"])}) for row in rows]

    def demographics(self) -> dict[str, dict[str, str]]:
        """What people said of themselves, by person."""
        from sqlalchemy import select

        from otherminds.interview.tables import PEOPLE

        with self.database.reading() as connection:
            rows = connection.execute(select(PEOPLE).order_by(PEOPLE.c.participant_id)).all()
        return {row.participant_id: json.loads(row.demographics) for row in rows}

    # --- exports

    def add_export(self, path: Path) -> None:
        """Remember where an export is written, so that deletions reach it; before it is written."""
        from otherminds.interview.tables import EXPORTS

        with self.database.writing() as connection:
            put_row(connection, EXPORTS, {"path": str(path.resolve()), "made": now()})

    def exports(self) -> list[Path]:
        """Where exports were written."""
        from sqlalchemy import select

        from otherminds.interview.tables import EXPORTS

        with self.database.reading() as connection:
            rows = connection.execute(select(EXPORTS.c.path).order_by(EXPORTS.c.path))
            return [Path(path) for path in rows.scalars()]


def now() -> str:
    """The time, UTC, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _columns(record: Record) -> dict[str, Any]:
    row = {**vars(record.summary)}
    del row["revision"]
    return {**row, "state": record.state, "graph": record.graph}


def _write_parts(connection: Connection, record: Record, before: Record | None = None) -> None:
    from sqlalchemy import delete

    from otherminds.interview.tables import EVENTS, QAS

    for table, parts, known in (
        (QAS, record.qas, before.qas if before else {}),
        (EVENTS, record.events, before.events if before else {}),
    ):
        # A question that was open when the person ended the interview is taken back.
        if gone := known.keys() - parts.keys():
            of_session = table.c.session_id == record.summary.id
            connection.execute(delete(table).where(of_session, table.c.number.in_(gone)))
        for number, content in parts.items():
            if known.get(number) != content:
                row = {"session_id": record.summary.id, "number": number, "content": content}
                put_row(connection, table, row, is_new=number not in known)


def put_row(
    connection: Connection, table: Any, row: Mapping[str, Any], *, is_new: bool = False
) -> None:
    """Insert a row, or update the one with the same key; in words that every database knows."""
    from sqlalchemy import insert, update

    if not is_new:
        keys = [column.name for column in table.primary_key]
        same = [table.c[name] == row[name] for name in keys]
        others = {name: value for name, value in row.items() if name not in keys}
        if connection.execute(update(table).where(*same).values(others)).rowcount:
            return
    connection.execute(insert(table).values(row))


def refuse_deleted(connection: Connection, person: str) -> None:
    """Raise OtherMindsError for a person who was deleted."""
    from sqlalchemy import select

    from otherminds.interview.tables import TOMBSTONES

    if connection.execute(select(TOMBSTONES).where(TOMBSTONES.c.participant_id == person)).first():
        raise OtherMindsError(f"'{person}' was deleted from this study; nothing of them is taken.")


def _records(
    connection: Connection, sessions: Sequence[str], *, parts: bool, events: bool | None = None
) -> Iterator[Record]:
    from sqlalchemy import select

    from otherminds.interview.tables import EVENTS, QAS, SESSIONS

    read = {
        QAS: parts,
        EVENTS: parts if events is None else events,
    }
    found: dict[Any, dict[str, dict[int, str]]] = {QAS: {}, EVENTS: {}}
    for table, is_read in read.items():
        if is_read:
            query = select(table).where(table.c.session_id.in_(sessions))
            query = query.order_by(table.c.session_id, table.c.number)
            for session, number, content in connection.execute(query):
                found[table].setdefault(session, {})[number] = content
    query = select(SESSIONS).where(SESSIONS.c.id.in_(sessions))
    rows = {row["id"]: row for row in connection.execute(query).mappings()}
    for key in sessions:
        if (row := rows.get(key)) is not None:
            yield Record(
                Summary(**{one.name: row[one.name] for one in fields(Summary)}),
                state=row["state"],
                graph=row["graph"],
                qas=found[QAS].get(key, {}),
                events=found[EVENTS].get(key, {}),
            )


def as_json(content: Any) -> str:
    """Content as the database keeps it."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)
