"""The ledger of a construction: every reply that came and what became of it. The file only grows.

All that is known of a construction follows from its frames and its ledger. A line is written whole or,
where the writer was killed, not at all: what is left of it is cut off before the next is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from otherminds.construct.pipeline import Return
from otherminds.construct.refusals import Refusal
from otherminds.errors import OtherMindsError
from otherminds.strict import Strict

NAME: Final = "ledger.jsonl"

_KEPT = 20_000
"""Characters of a refused reply that are kept; what came is also in the file that was imported."""


class Said(Strict):
    """A refusal or a return, as the ledger has it; `stage` is where a unit is sent back to."""

    check: str
    message: str
    where: str = ""
    stage: str | None = None

    def refusal(self) -> Refusal:
        """The same as a refusal."""
        return Refusal(self.check, self.message, self.where)

    @classmethod
    def of(cls, one: Refusal | Return) -> Said:
        """A refusal or a return."""
        stage = one.stage if isinstance(one, Return) else None
        return cls(check=one.check, message=one.message, where=one.where, stage=stage)


class Entry(Strict):
    """One line: a reply and what became of it.

    kind      "reply": it was looked at. "door": it was turned away before that, which costs no try
    sheet_id, stage, unit_id, slot, number
              the sheet: of which unit, for which of several who answer, the how-manieth one; empty or 0
              where a reply names no sheet
    item      of a blind reading and of its marking, the item
    author, author_kind, family
              who replied: the name, "model" or "person", and the family where it was stated
    at        when it was imported, in UTC
    sha256    of the reply as it came
    content   the reply, where it was accepted
    text      its beginning, where it was not
    reason    why it was turned away
    refusals  why it was not accepted
    returns   what followed from the last reply of validators or raters
    """

    kind: Literal["reply", "door"]
    sheet_id: str
    stage: str = ""
    unit_id: str = ""
    slot: int = 0
    number: int = 0
    item: str = ""
    author: str = ""
    author_kind: str = ""
    family: str | None = None
    at: str = ""
    sha256: str = ""
    content: dict[str, Any] | None = None
    text: str = ""
    reason: str = ""
    refusals: tuple[Said, ...] = ()
    returns: tuple[Said, ...] = ()


def shortened(text: str) -> str:
    """As much of a refused reply as is kept."""
    return text[:_KEPT]


def read(folder: Path) -> list[Entry]:
    """All entries; a last line that a killed writer left half-written is no entry.

    Raises OtherMindsError for any other line that is none.
    """
    path = folder / NAME
    try:
        whole, _ = _whole(path)
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    return list(_entries(path, whole))


@contextmanager
def writing(folder: Path) -> Iterator[Writer]:
    """Yield what appends to the ledger; the caller holds the folder's lock."""
    path = folder / NAME
    _, end = _whole(path)
    with path.open("ab") as file:
        # What a killed writer left of its last line.
        file.truncate(end)
        writer = Writer(file)
        try:
            yield writer
        finally:
            file.flush()
            os.fsync(file.fileno())


class Writer:
    """Appends entries."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def add(self, entry: Entry) -> None:
        """Write an entry, so that it stays if this process is killed."""
        line = json.dumps(entry.model_dump(mode="json", exclude_defaults=True))
        self._file.write(line.encode("ascii") + b"\n")
        self._file.flush()


def _whole(path: Path) -> tuple[bytes, int]:
    """The whole lines of a file, and where they end."""
    if not path.exists():
        return b"", 0
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    return content[:end], end


def _entries(path: Path, content: bytes) -> Iterable[Entry]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            yield Entry.model_validate_json(line)
        except ValidationError as error:
            raise OtherMindsError(
                f"{path}, line {number} is damaged. Nothing was changed. Put a copy of the file in its "
                "place, or delete that line: its sheet is then asked for again."
            ) from error
