"""The base of all models of files that people write."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A part of a checked file: no unknown keys, and never changed once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
