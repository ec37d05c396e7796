"""The results of a season, `results.json`: every entry with its scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.record import (
    ModelName,
    Name,
    SeasonId,
    Sha256,
    Submission,
    TaskName,
    Verification,
)

NAME: Final = "results.json"

_MOST_BYTES = 64 * 2**20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class EntryResult(_Strict):
    """One entry.

    answers_sha256  by task, of the answers that were scored
    """

    id: str
    model: ModelName
    submitter: Name
    answers_sha256: dict[TaskName, Sha256]
    verification: Verification


class Results(_Strict):
    """All entries of a season, in order of their ids."""

    schema_version: Literal["1"] = "1"
    season: SeasonId
    entries: Annotated[list[EntryResult], Field(max_length=10_000)]

    def by_id(self) -> dict[str, EntryResult]:
        """The entries by their ids."""
        return {one.id: one for one in self.entries}


def result(name: str, submission: Submission, verification: Verification) -> EntryResult:
    """The part of the results on one entry."""
    return EntryResult(
        id=name,
        model=submission.model.name,
        submitter=submission.submitter,
        answers_sha256={run.task: run.answers_sha256 for run in submission.tasks},
        verification=verification,
    )


def write(folder: Path, results: Results) -> None:
    """Write the results into a season's folder, whole or not at all."""
    files.write_json(folder / NAME, results.model_dump(mode="json"))


def read(folder: Path) -> Results:
    """The results in a season's folder. Raises OtherMindsError for none that fit."""
    path = folder / NAME
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise OtherMindsError(f"{path} is larger than any season's results.")
        return Results.model_validate_json(path.read_bytes())
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise OtherMindsError(f"{path} does not fit: {place}: {first['msg']}.") from error
