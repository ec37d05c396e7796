"""What annotators get, and the key that says whose interviews they judge."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from otherminds.errors import OtherMindsError
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.strict import Strict

KEY: Final = "key.json"
RETURNED: Final = "returned"
SENT: Final = "for_"

COLUMNS: Final = ("study", "annotator", "stage", "row", "kind", "text", "value")
NEEDED: Final = ("study", "annotator", "row", "value")
"""Of a table that comes back, as of all that the shared script writes."""

CONCEPT, LINK, SIGN, MISSING = "concept", "link", "sign", "missing"
SIGNS: Final = {"raises": 1, "lowers": -1, "no effect": 0}
STEPS: Final = tuple(f"{step / 10:.1f}" for step in range(11))
"""Soft labels: how sure one is that the person holds this, from 0 to 1."""


class Judged(Strict):
    """A concept or link of an interview that is judged.

    row  its name on the pages; it says nothing of the person
    id   of the node or edge in the machine's graph
    """

    row: str
    kind: Literal["concept", "link"]
    id: str


class Interview(Strict):
    """An interview that is judged: an entry of the key.

    annotators  who got it
    graph       the machine's, without the interview
    """

    study: str
    row: Annotated[str, Field(pattern=r"^i[0-9a-f]{8}$")]
    session_id: str
    participant_id: str
    topic: str
    annotators: tuple[str, ...]
    judged: tuple[Judged, ...]
    graph: BeliefGraph


@dataclass(frozen=True)
class Question:
    """A concept or link as it is shown."""

    row: str
    kind: str
    text: str


@dataclass(frozen=True)
class Shown:
    """An interview as it is shown to an annotator."""

    row: str
    policy: str
    turns: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]


def row_of(study: str, session_id: str) -> str:
    """The name of an interview on the pages."""
    return f"i{hashlib.sha256(f'{study}/{session_id}'.encode()).hexdigest()[:8]}"


def read_key(folder: Path) -> list[Interview]:
    """The key of an annotation. Raises OtherMindsError where there is none that can be read."""
    path = folder / KEY
    try:
        return TypeAdapter(list[Interview]).validate_json(path.read_bytes())
    except OSError as error:
        raise OtherMindsError(
            f"There is no annotation in {folder}: begin one with `otherminds interview annotate`."
        ) from error
    except ValidationError as error:
        raise OtherMindsError(f"{path} is not the key of an annotation, or was changed.") from error


def key_json(interviews: list[Interview]) -> list[object]:
    """The key as it is written: a list, so that a deletion takes a person's entries out."""
    return [json.loads(one.model_dump_json(exclude_none=True)) for one in interviews]


def asset(name: str) -> str:
    """The text of a file of the pages."""
    path = files("otherminds.interview.annotation").joinpath("assets", name)
    return path.read_text(encoding="utf-8")
