"""Texts on disk: what a process looks at once more, later, need not stay in its memory."""

from __future__ import annotations

import os
import tempfile
from typing import NamedTuple

from otherminds.errors import OtherMindsError


class Place(NamedTuple):
    """Where a text lies in its spool."""

    start: int
    size: int


class Spool:
    """A temporary file without a name, which is gone with the process, however that ends.

    Raises OtherMindsError where the folder for temporary files has no room.
    """

    def __init__(self) -> None:
        try:
            # Open for as long as this object lives.
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        except OSError as error:
            raise _unwritable(error) from error
        self._size = 0
        self._is_flushed = True

    def add(self, text: str) -> Place:
        """Keep any text, with NUL and halves of surrogate pairs."""
        data = text.encode("utf-8", "surrogatepass")
        try:
            self._file.write(data)
        except OSError as error:
            raise _unwritable(error) from error
        self._is_flushed = False
        place = Place(self._size, len(data))
        self._size += len(data)
        return place

    def read(self, place: Place) -> str:
        """The text at a place."""
        try:
            if not self._is_flushed:
                self._file.flush()
                self._is_flushed = True
            self._file.seek(place.start)
            data = self._file.read(place.size)
            self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise _unwritable(error) from error
        return data.decode("utf-8", "surrogatepass")


def _unwritable(error: OSError) -> OtherMindsError:
    return OtherMindsError(
        f"Cannot keep texts in the folder for temporary files, {tempfile.gettempdir()}: "
        f"{error.strerror or error}. Make room there, or name another folder in TMPDIR."
    )
