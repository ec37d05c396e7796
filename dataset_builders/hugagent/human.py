"""The human track of HugAgent: upstream's records, from a clone or from the Hub, as our rows.

Upstream is gated and is not redistributed: what is read here stays with whoever has access to it.
A real file always loads: what cannot be scored is left out and counted, and nothing else is refused
but an item id that names two different items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent.human_audits import Audit, Facts, audit, facts, stated
from otherminds.dataset_builders.hugagent.human_files import FILES, TASKS, Located, read_clone
from otherminds.dataset_builders.hugagent.human_people import pseudonymous
from otherminds.dataset_builders.hugagent.human_records import (
    ALIASES,
    StateInference,
    Update,
    aliased,
    completed,
    model_of,
)
from otherminds.dataset_builders.hugagent.human_sources import HUMAN_ITEM, Shown, shown
from otherminds.dataset_builders.sources import Remarks, noted

__all__ = [
    "FILES",
    "HUMAN_ITEM",
    "Audit",
    "Facts",
    "Located",
    "Remarks",
    "audit",
    "content_hash",
    "convert",
    "facts",
    "read_clone",
    "stated",
]

_STEMS = {kind: stem for stem, kind in TASKS.items()}

Row = dict[str, Any]


def convert(
    records: Iterable[Mapping[str, Any]], remarks: Remarks | None = None
) -> dict[str, pa.Table]:
    """The configurations `bsi` and `bdu` as HUMAN_ITEM rows, by participant, topic and item id.

    Nested fields may be objects (a clone's JSONL) or JSON text (the Hub's Parquet). A missing
    context is an empty list. `evidence` is null and `in_subset_50` false throughout: the subset is
    one of the synthetic track. Golds outside their scale and the golds "A/B" are kept.

    A record of the repository's other layout has `id`, which is unique in its file only, and becomes
    an item id with the names of task and topic before it. Its `prolific_id` becomes a P-number (see
    `pseudonymous`).

    What cannot be scored is left out and noted in `remarks`; without remarks, the first such record
    is a ValueError that names it (of a clone: file and line), and its field. An item id that two
    different rows of a release would have is a ValueError in either case; two records that give the
    same row count once.
    """
    rows: dict[str, list[Row]] = {"bsi": [], "bdu": []}
    seen: dict[str, tuple[str, Row]] = {}
    own_ids: Counter[str] = Counter()
    people = pseudonymous(records)
    if people.renamed and remarks is not None:
        remarks.foreign = True
        remarks.add(f"{people.renamed:,} people have P-numbers that are not the release's")
    for record in people.records:
        completion = completed(record, task=record.task, topic=record.topic)
        full = Located(completion, record.where)
        if remarks is not None:
            for key in aliased(record):
                remarks.add(f"the key '{key}' is read as '{ALIASES[key]}'", record.where)
        made_up = "item_id" not in full and (remarks is not None or "id" in full)
        if made_up:
            full["item_id"] = _own_id(full)
        row = _row(full, remarks)
        if row is None:
            continue
        item = row["item_id"]
        if item in seen:
            where, other = seen[item]
            if row == other:
                noted(remarks, "a record that is given twice counts once", full.where)
                continue
            if not made_up:
                raise ValueError(
                    f"{full.where}: the item id '{item}' is taken by {where}, which says "
                    "something else. Which of the two is the item cannot be known: remove one."
                )
            own_ids[item] += 1
            row["item_id"] = item = f"{item}-{own_ids[item] + 1}"
            noted(remarks, "an id that items of one file share is followed by a number", full.where)
        if made_up and remarks is not None:
            remarks.foreign = True
        seen[item] = (full.where, row)
        rows[row["task"]].append(row)
    for found in rows.values():
        found.sort(key=lambda row: (row["participant_id"], row["topic"], row["item_id"]))
    return {task: pa.Table.from_pylist(found, schema=HUMAN_ITEM) for task, found in rows.items()}


def _own_id(record: Located) -> str:
    """An item id for a record without one, from its `id`, or else from where it stands."""
    stem = _STEMS.get(str(record["task_type"]), "unknown")
    beginning = f"{stem}-{record.get('topic')}-"
    given = record.get("id")
    if given is None or not str(given).strip():
        return f"{beginning}at-{record.where.rpartition(' ')[2]}"
    said = str(given).strip()
    return said if said.startswith(beginning) else f"{beginning}{said}"


def _row(record: Located, remarks: Remarks | None) -> Row | None:
    """The row of a record, or None for one that is left out, which is noted."""
    try:
        item = _read(record)
    except ValueError as error:
        if remarks is None:
            raise ValueError(
                f"{record.where} (item {record.get('item_id') or 'without an id'}): {error}."
            ) from None
        remarks.add(f"a record is left out, because {error}", record.where)
        return None
    row = item.row()
    found = shown(row, record) if row["task"] == "bsi" else None
    if remarks is not None:
        _note(row, record, found, remarks)
    is_known = found is not None and bool(record.get("source_qa"))
    return {
        **row,
        "source_shown": bool(found.turns) or found.elsewhere if found and is_known else None,
        "source_turns": list(found.turns) if found and is_known else None,
    }


def _read(record: Mapping[str, Any]) -> StateInference | Update:
    """The record, checked. Raises ValueError that names the first bad field and repeats no value."""
    try:
        return model_of(record).model_validate(dict(record))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"field '{field}': {first['msg'].removeprefix('Value error, ')}") from None


def _note(row: Row, record: Located, found: Shown | None, remarks: Remarks) -> None:
    """What a reader of scores must know of an item that counts."""
    if not row["context"]:
        remarks.add("an item has no interview and is asked without one", record.where)
    if not row["demographics"]:
        remarks.add("an item has no demographics and is asked without them", record.where)
    if row["question_type"] == "reason_evaluation" and not (row["reason_text"] or "").strip():
        remarks.add("the text of a reason that is to be weighed is missing", record.where)
    if found is not None and found.reasoning:
        remarks.add("an item quotes the reasoning behind its gold answer", record.where)
    if found is not None and found.elsewhere:
        remarks.add("an item quotes its source answer outside of the interview", record.where)
