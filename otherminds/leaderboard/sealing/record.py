"""The public record of a season, `season.yaml`, and the days on which it takes entries."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.record import Name, SeasonId, Setting, Sha256, TaskName, Version

NAME: Final = "season.yaml"

_MOST_BYTES = 2**20


class Season(BaseModel):
    """The public facts of a season, from the day it opens.

    id             part of the seed, of the data's version, and of every entry
    data_version   of the participants' data
    generator      the builder's parameters without their seed, which comes from the secret
    questions_per_stage  how many questions of each stage are asked; None for all, and where there are
                         no stages
    made_with      versions that the data were made with; others may make other data
    opened, closes the first and the last day on which entries are taken (UTC)
    tasks          the tasks that are played
    rules          the rules that participants agree to, in words
    secret_sha256  of the secret's 32 bytes: the operator cannot exchange it afterwards
    content_hash   of the participants' rows, by configuration
    commitment     to the rows with golds, by configuration: HMAC-SHA256 of their content hash under the
                   secret. A plain hash could be tried against guessed golds; this one cannot
    closed         the day on which the secret was revealed; None while the season is open
    secret         in hexadecimal; None while the season is open
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal["1"] = "1"
    id: SeasonId
    dataset: Name
    data_version: Version
    generator: dict[str, Any]
    questions_per_stage: Annotated[int, Field(ge=1)] | None = None
    made_with: dict[Name, Version]
    opened: date
    closes: date
    tasks: Annotated[list[TaskName], Field(min_length=1, max_length=20)]
    rules: Annotated[list[Setting], Field(min_length=1, max_length=20)]
    secret_sha256: Sha256
    content_hash: Annotated[dict[Name, Sha256], Field(min_length=1)]
    commitment: Annotated[dict[Name, Sha256], Field(min_length=1)]
    closed: date | None = None
    secret: Annotated[str, StringConstraints(pattern=r"\A[0-9a-f]{64}\z")] | None = None

    @model_validator(mode="after")
    def _is_open_or_closed(self) -> Self:
        if self.closes < self.opened:
            raise ValueError("a season cannot close before it opens")
        if (self.closed is None) != (self.secret is None):
            raise ValueError("a season has a secret just when it is closed")
        if self.closed is not None and self.closed <= self.closes:
            raise ValueError("a season is closed after the last day that takes entries")
        if "seed" in self.generator:
            raise ValueError("the generator's seed is never stated: it comes from the secret")
        return self

    @property
    def is_open(self) -> bool:
        """Whether the secret is still kept."""
        return self.closed is None

    def takes(self, day: date) -> bool:
        """Whether this day (UTC) is one of those on which entries count that are received on it."""
        return self.opened <= day <= self.closes


def read(folder: Path) -> Season:
    """The record in a season's folder. Raises OtherMindsError for none, or one that does not fit."""
    return read_file(folder / NAME)


def read_file(path: Path) -> Season:
    """A record, under any file name. Raises OtherMindsError as `read`."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise OtherMindsError(f"{path} is larger than any season's record.")
        return Season.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise OtherMindsError(
            f"{path.parent} holds no season: cannot read {path.name} ({error.strerror}). `otherminds "
            "season open` writes one."
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise OtherMindsError(f"{path} is not YAML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the record"
        raise OtherMindsError(
            f"{path} is not a season's record: {place}: {first['msg']}."
        ) from error


def found(folder: Path) -> Season | None:
    """The season whose participants' data a folder holds; None for any other folder."""
    return read(folder) if (folder / NAME).is_file() else None


def text(season: Season) -> str:
    """The record as YAML."""
    facts = season.model_dump(mode="json", exclude_none=True)
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=100)


def write(folder: Path, season: Season) -> None:
    """Write the record into its folder, whole or not at all."""
    with files.atomic_file(folder / NAME) as partial:
        partial.write_text(text(season), encoding="utf-8")
