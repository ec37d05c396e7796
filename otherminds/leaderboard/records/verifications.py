"""Reading and writing `verification.json`, which lies beside each accepted record."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from otherminds.files import atomic_file
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION, Verification


def read(folder: Path) -> Verification:
    """The findings on the accepted submission in a folder. Raises RefusedError."""
    try:
        return Verification.model_validate_json((folder / VERIFICATION).read_bytes())
    except OSError as error:
        raise RefusedError("not-accepted", f"{folder.name} has no {VERIFICATION}.") from error
    except ValidationError as error:
        raise RefusedError("not-accepted", f"{VERIFICATION} does not fit the schema.") from error


def write(folder: Path, verification: Verification) -> None:
    """Write it, whole or not at all. Raises OtherMindsError where it cannot be written."""
    with atomic_file(folder / VERIFICATION) as partial:
        partial.write_text(verification.model_dump_json(indent=1) + "\n", encoding="utf-8")
