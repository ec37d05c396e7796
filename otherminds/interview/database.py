"""The database of a study: SQLite in a folder, or PostgreSQL at an address.

Transactions are durable: what one has written survives a kill and a power cut. SQLite logs ahead of its
writes, so that readers and a writer do not wait for each other, and overwrites what is deleted.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otherminds import extras, files
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

FILE: Final = "interviews.sqlite"
"""The database's name in the folder of a study."""

BUSY_SECONDS = 30.0
"""How long one process waits for another one's lock."""
_CONNECTIONS = 20
"""That stay open once they were needed: to open one takes longer than to use it."""
_LOCK = 7_302_511
"""A number for the lock under which PostgreSQL makes the tables."""

_FULL = ("full", "no space left")


def needed(*modules: str) -> None:
    """Raise OtherMindsError, with the command that installs them, where modules are not installed."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise OtherMindsError(
                f"Interviews need the package '{module}': {extras.command_for(module)}."
            )


def is_address(place: str | Path) -> bool:
    """Whether a study lies on a server, and not in a folder."""
    return "://" in str(place)


class Database:
    """The open database of a study.

    place   a folder, or an address such as postgresql://user@host/name
    create  make the database where there is none; else OtherMindsError

    Raises OtherMindsError where it cannot be opened, or was written by another version of its tables.
    """

    def __init__(self, place: str | Path, *, create: bool = False) -> None:
        needed("sqlalchemy")
        self.place = str(place)
        self.folder = None if is_address(place) else Path(place).expanduser()
        self._called = self.place if self.folder is None else str(self.folder / FILE)
        if self.folder is not None:
            self._prepare(self.folder, create=create)
        self.engine = self._open()
        with self._clear_errors():
            self._check_version(create=create)

    def _prepare(self, folder: Path, *, create: bool) -> None:
        if (folder / FILE).is_file():
            return
        if not create:
            raise OtherMindsError(
                f"There are no interviews in {folder}: give the folder of a study with --data, or begin "
                "one with `otherminds interview chat` or `simulate`."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Nobody else's to read, whatever the umask; the files beside it take its mode.
            os.close(os.open(folder / FILE, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError as error:
            raise files.unwritable(folder, error) from error

    def _open(self) -> Engine:
        from sqlalchemy import create_engine, event
        from sqlalchemy.exc import ArgumentError, NoSuchModuleError

        if self.folder is not None:
            engine = create_engine(
                f"sqlite:///{self.folder / FILE}",
                connect_args={"timeout": BUSY_SECONDS},
                pool_size=_CONNECTIONS,
            )
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_at_once)
            return engine
        address = self.place
        for short in ("postgresql://", "postgres://"):
            if address.startswith(short):
                needed("psycopg")
                address = f"postgresql+psycopg://{address.removeprefix(short)}"
        try:
            return create_engine(address, pool_pre_ping=True, pool_size=_CONNECTIONS)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError) as error:
            raise OtherMindsError(
                "Cannot use the address of the database: give a folder, or an address such as "
                f"postgresql://user@host/name ({type(error).__name__})."
            ) from error

    def _check_version(self, *, create: bool) -> None:
        from sqlalchemy import insert, inspect, select, update

        from otherminds.interview import tables

        query = select(tables.META.c.value).where(tables.META.c.name == "schema_version")
        with self.reading() as connection:
            is_there = inspect(connection).has_table(tables.META.name)
            found = connection.execute(query).scalar() if is_there else None
        if found is None and not create and self.folder is None:
            raise OtherMindsError(f"There are no interviews at {self._called}.")
        if found is None or found in tables.WITHOUT_SOME:
            with self.writing() as connection:
                if not self.is_sqlite:
                    # Two processes would make the same tables.
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                is_there = inspect(connection).has_table(tables.META.name)
                tables.METADATA.create_all(connection)
                version = {"name": "schema_version", "value": str(tables.SCHEMA_VERSION)}
                if not is_there:
                    connection.execute(insert(tables.META).values(version))
                elif connection.execute(query).scalar() in tables.WITHOUT_SOME:
                    of_version = tables.META.c.name == version["name"]
                    connection.execute(update(tables.META).where(of_version).values(version))
                found = connection.execute(query).scalar()
        if found != str(tables.SCHEMA_VERSION):
            self.engine.dispose()
            raise OtherMindsError(
                f"The database {self._called} has tables of version {found}, and this otherminds knows "
                f"version {tables.SCHEMA_VERSION}: use the otherminds that wrote it. Nothing was "
                "changed."
            )

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.folder is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose queries all see the database as it is at the first."""
        with self._clear_errors(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is written, or on an error nothing.

        Raises OtherMindsError, in one line, where it cannot be: a full disk, a lock, a lost server.
        """
        with self._clear_errors(), self.engine.connect() as connection:
            # SQLite would let two processes read the same, and refuse the second one's writes at once.
            connection.info["writes"] = True
            try:
                with connection.begin():
                    yield connection
            finally:
                connection.info["writes"] = False

    def forget_deleted(self) -> None:
        """Remove what is deleted from the files, also what the log ahead of the writes still holds.

        Raises OtherMindsError where another process keeps it from being removed.
        """
        with self._clear_errors():
            connection: Any = self.engine.raw_connection()
            try:
                if not self.is_sqlite:
                    connection.driver_connection.autocommit = True
                    connection.cursor().execute("VACUUM FULL")
                    return
                cursor = connection.cursor()
                cursor.execute("VACUUM")
                busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                connection.close()
        if busy:
            raise OtherMindsError(
                f"The rows are deleted, but another process holds {self._called}-wal, which has their "
                "text: end what uses the database, and run the same command again."
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        from sqlalchemy.exc import DBAPIError, SQLAlchemyError

        try:
            yield
        except DBAPIError as error:
            raise self._told(str(error.orig)) from error
        except SQLAlchemyError as error:
            raise self._told(str(error)) from error

    def _told(self, said: str) -> OtherMindsError:
        lines = said.strip().splitlines() or ["unknown fault"]
        if any(word in said.lower() for word in _FULL):
            return OtherMindsError(
                f"Cannot write to {self._called}: the disk is full. What was saved before is kept; free "
                "some space, and run the same command again."
            )
        if "locked" in said:
            return OtherMindsError(
                f"Cannot write to {self._called}: another process has held it for {BUSY_SECONDS:g} "
                "seconds. What was saved before is kept; run the same command again."
            )
        return OtherMindsError(f"The database {self._called} cannot be used: {lines[0]}")


def _set_up_sqlite(connection: Any, _: object) -> None:
    # Transactions begin where we say, with the lock that they need.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_at_once(connection: Any) -> None:
    kind = "IMMEDIATE" if connection.info.get("writes") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {kind}")
