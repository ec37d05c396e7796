"""Removing from the files what a withdrawal deleted, also where readers keep the log from being cut."""

from __future__ import annotations

import logging
import threading
from typing import Final

from otherminds.errors import OtherMindsError
from otherminds.interview.store import Store, put_row

LOG: Final = logging.getLogger("otherminds.interview.pages")

_OWED: Final = "erasure_owed"
_WAIT: Final = 5.0


class Erasure:
    """What is deleted already, and still to be removed from the files; a restart does not forget it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        if self._is_owed():
            self._begin()

    def owe(self) -> None:
        """Remove it as soon as the database's readers allow."""
        self._note("yes")
        self._begin()

    def close(self) -> None:
        """Leave the rest to the next process."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _begin(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._erase, name="erasure", daemon=True)
            self._thread.start()

    def _erase(self) -> None:
        while not self._stopped.is_set():
            try:
                self._store.database.forget_deleted()
                self._note("no")
                return
            except OtherMindsError as error:
                LOG.warning("What was deleted is not removed yet (%s).", type(error).__name__)
                self._stopped.wait(_WAIT)

    def _is_owed(self) -> bool:
        from sqlalchemy import select

        from otherminds.interview.tables import META

        query = select(META.c.value).where(META.c.name == _OWED)
        with self._store.database.reading() as connection:
            return bool(connection.execute(query).scalar() == "yes")

    def _note(self, owed: str) -> None:
        from otherminds.interview.tables import META

        with self._store.database.writing() as connection:
            put_row(connection, META, {"name": _OWED, "value": owed})
