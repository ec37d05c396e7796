"""The findings of identity tests (`otherminds identity`), from the files that they wrote."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from otherminds.running.results import content_of
from otherminds.running.signing import model_label


class IdentityFile(BaseModel):
    """A test whether it matters whose evidence is shown.

    observed  the metric with everyone's own evidence
    null      the same with other people's, each time with another exchange
    lower     whether less of the metric is better
    p_value   of the permutation test
    """

    model_config = ConfigDict(strict=True, extra="ignore")

    task: str
    metric: str
    lower: bool
    observed: float
    null: list[float] = Field(min_length=1)
    p_value: float = Field(ge=0, le=1)
    n: int
    n_people: int
    record: dict[str, Any]

    @field_validator("null")
    @classmethod
    def _known(cls, values: list[float]) -> list[float]:
        if not all(map(math.isfinite, values)):
            raise ValueError("every value must be a number")
        return values

    @field_validator("record")
    @classmethod
    def _named(cls, record: dict[str, Any]) -> dict[str, Any]:
        is_named = isinstance(record.get("model"), str) and record["model"]
        if not is_named or not isinstance(record.get("model_args", {}), dict):
            raise ValueError("its record names no model")
        return record

    @property
    def model(self) -> str:
        """The model, as runs of it are called."""
        return model_label(self.record)


def read_identities(paths: Sequence[str | Path], notes: list[str]) -> list[IdentityFile]:
    """The tests in some folders, by their files' names; `notes` says which could not be read."""
    found: list[IdentityFile] = []
    folders = [Path(one).expanduser() for one in paths]
    for path in sorted({one for folder in folders for one in folder.rglob("identity_*.json")}):
        try:
            found.append(IdentityFile.model_validate(content_of(path)))
        except ValidationError as error:
            notes.append(_left_out(path, error.errors()[0]["msg"]))
        except (OSError, ValueError, RecursionError) as error:
            notes.append(_left_out(path, str(error)))
    return found


def _left_out(path: Path, fault: str) -> str:
    return f"{path} was left out: it is no identity test ({fault})."
