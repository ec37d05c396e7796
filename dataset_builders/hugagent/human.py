"""The human track of HugAgent: upstream's records, from a clone or from the Hub, as our rows.

Upstream is gated and is not redistributed: what is read here stays with whoever has access to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent.features import ITEM, TOPICS
from otherminds.dataset_builders.hugagent.human_audits import Audit, Facts, audit, facts
from otherminds.dataset_builders.hugagent.human_records import (
    StateInference,
    Update,
    model_of,
)

__all__ = [
    "FILES",
    "Audit",
    "Facts",
    "Located",
    "audit",
    "content_hash",
    "convert",
    "facts",
    "read_clone",
]

FOLDER = Path("Benchmark", "data")
FILES = tuple(
    f"{task}_{topic}.jsonl"
    for task in ("belief_state_inference", "belief_dynamics_update")
    for topic in TOPICS
)
"""The files of a clone of the authors' repository, in its folder `Benchmark/data`."""


class Located(dict[str, Any]):
    """An upstream record that knows where it was read, so that an error can say so."""

    def __init__(self, fields: Mapping[str, Any], where: str) -> None:
        super().__init__(fields)
        self.where = where


def read_clone(folder: Path) -> Iterator[Located]:
    """The records of a local clone of the authors' repository, file by file and line by line.

    `folder` is the clone or its folder `Benchmark/data`. Raises ValueError for a folder without the
    six files, and, naming file and line, for what is not UTF-8 or not one JSON object per line.
    """
    data = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    if missing := [name for name in FILES if not (data / name).is_file()]:
        raise ValueError(
            f"{folder} is no clone of the HugAgent repository: {data} lacks {', '.join(missing)}."
        )
    for name in FILES:
        yield from _read_lines(data / name)


def _read_lines(path: Path) -> Iterator[Located]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}, line {number}"
            if not line.strip():
                continue
            try:
                record = json.loads(line.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                raise ValueError(f"{where}: this is not UTF-8 text ({error.reason}).") from error
            except json.JSONDecodeError as error:
                raise ValueError(f"{where}: this is not valid JSON ({error}).") from error
            if not isinstance(record, dict):
                raise ValueError(f"{where}: this is no JSON object, but a record is one.")
            yield Located(record, where)


def convert(records: Iterable[Mapping[str, Any]]) -> dict[str, pa.Table]:
    """The configurations `bsi` and `bdu` as ITEM rows, by participant, topic and item id.

    Nested fields may be objects (a clone's JSONL) or JSON text (the Hub's Parquet). A missing
    context is an empty list. `evidence` is null and `in_subset_50` false throughout: the subset is
    one of the synthetic track. Golds outside their scale and the golds "A/B" are kept.

    Raises ValueError, naming the record (of a clone: file and line), for an unknown task or topic,
    a missing or unreadable field, and an item id that occurs twice.
    """
    rows: dict[str, list[dict[str, Any]]] = {"bsi": [], "bdu": []}
    seen: dict[str, str] = {}
    for number, record in enumerate(records, start=1):
        where = record.where if isinstance(record, Located) else f"record {number}"
        row = _read(record, where).row()
        if row["item_id"] in seen:
            raise ValueError(
                f"{where}: the item id '{row['item_id']}' is taken by {seen[row['item_id']]}."
            )
        seen[row["item_id"]] = where
        rows[row["task"]].append(row)
    for found in rows.values():
        found.sort(key=lambda row: (row["participant_id"], row["topic"], row["item_id"]))
    return {task: pa.Table.from_pylist(found, schema=ITEM) for task, found in rows.items()}


def _read(record: Mapping[str, Any], where: str) -> StateInference | Update:
    try:
        return model_of(record).model_validate(dict(record))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        item = record.get("item_id") or "without an id"
        raise ValueError(f"{where} (item {item}): field '{field}': {said}.") from error
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
