"""HugAgent, core: interviews that were written through `otherminds construct`, from units to rows.

Golds come from a unit's frame alone, and an audit derives each again from the person's network.
Questions and answers are what authors wrote; the rows have the columns of the scale edition.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.constructed import Built, Constructed, Facts, Unit, spec
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent.authored import checks, derived, texts
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.quotas import TASKS
from otherminds.dataset_builders.hugagent.scale import features
from otherminds.dataset_builders.hugagent.tables import SUBSET_COLUMN, TRACK
from otherminds.dataset_builders.hugagent.world.claims import digest
from otherminds.dataset_builders.sources import Step
from otherminds.dataset_builders.verdict import Audit, has_schema, none, verdict
from otherminds.types import Progress

__all__ = ["AGENT", "ITEM", "Audit", "Built", "Facts", "audit", "build", "content_hash", "spec"]


def _whole(schema: pa.Schema, **more: pa.DataType) -> pa.Schema:
    """The columns of the scale edition without its subset: the core is all of it."""
    kept = [field for field in schema if field.name != SUBSET_COLUMN]
    return pa.schema([*kept, *(pa.field(name, kind) for name, kind in more.items())])


ITEM: Final = _whole(features.ITEM, read_right=pa.float64())
"""The columns of the scale edition, and `read_right`: the share of blind readers who were right, null
where nobody has read."""

AGENT: Final = _whole(features.AGENT, portrait=pa.string())
"""The columns of the scale edition, and `portrait`: what the author wrote of the person, as JSON."""

_CONFIGS: Final = {**dict.fromkeys(TASKS, ITEM), "agents": AGENT}


def build(source: Path, spec: Facts, *, progress: Progress | None = None) -> Built:
    """The `bdu` items, the others and the people, without what blind readers read otherwise.

    Raises SourceError for a folder that is none, and for a unit without its texts.
    """
    found = constructed.read(source)
    units = found.finished(checks.STAGES)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _CONFIGS}
    for place, topic in enumerate(TOPICS):
        for done, unit in enumerate(units, start=1):
            rows["agents"].append(_agent_row(unit, topic))
            for task in TASKS:
                rows[task] += _item_rows(unit, topic, task, found)
            if progress is not None:
                progress(place * len(units) + done, len(TOPICS) * len(units))
    tables = {
        name: pa.Table.from_pylist(rows[name], schema=schema) for name, schema in _CONFIGS.items()
    }
    return Built(
        tables["bdu"],
        [Step("accepted and read", {name: len(own) for name, own in rows.items()})],
        also={name: tables[name] for name in ("bsi", "agents")},
        construction=found.facts,
        units=units,
    )


def audit(built: Built, spec: Facts) -> list[Audit]:
    """All audits of a build, passed and failed: golds, and the proofs of the texts once more."""
    tables = {"bdu": built.table, **built.also}
    schemas = [has_schema(tables[name], schema) for name, schema in _CONFIGS.items()]
    if not all(one.passed for one in schemas):
        return [one for one in schemas if not one.passed][:1]
    items = [row for task in TASKS for row in tables[task].to_pylist()]
    return [schemas[0], *_items(items), *_units(built.units)]


def _items(items: Sequence[Mapping[str, Any]]) -> Iterator[Audit]:
    counts = Counter(row["item_id"] for row in items)
    yield none(
        "item_id_unique",
        [one for one, n in counts.items() if n > 1],
        "ids that occur more than once",
    )
    for task in TASKS:
        read = [row for row in items if row["task"] == task and row["read_right"] is not None]
        yield verdict(
            f"read_{task}", True, len(read), f"{task} items with blind readers", kind="stated"
        )


def _units(units: Sequence[Unit]) -> Iterator[Audit]:
    """Golds from the networks, and the proofs of import once more, as a folder can be edited by hand."""
    wrong = [
        f"{unit.unit_id} {topic} {task}"
        for unit in units
        for topic in TOPICS
        for task, has, follows in derived.golds(topic, unit.frame["topics"][topic])
        if has != follows
    ]
    yield none("golds_derived", wrong, "golds that do not follow from the person's beliefs")
    for name in checks.STAGES:
        faulty = [
            unit.unit_id for unit in units if any(checks.of_stage(name, unit, unit.texts[name]))
        ]
        yield none(f"proofs_{name}", faulty, f"people whose {name} is refused by a proof")
    said: dict[str, set[str]] = {}
    for unit in units:
        for topic in TOPICS:
            for text in checks.texts_of(topic, unit.texts[topic]):
                for sentence in texts.long_sentences(text):
                    said.setdefault(sentence, set()).add(f"{unit.unit_id} {topic}")
    shared = sorted(sentence for sentence, found in said.items() if len(found) > 1)
    yield none(
        "own_sentences", shared, "sentences of six words or more that several interviews have"
    )


def _item_rows(unit: Unit, topic: str, task: str, found: Constructed) -> Iterator[dict[str, Any]]:
    shown = [
        {"question": one["question"], "answer": one["answer"]}
        for one in unit.texts[topic]["exchanges"]
    ]
    for number, item in enumerate(unit.frame["topics"][topic][task], start=1):
        item_id = f"{unit.unit_id}-{topic}-{task}-{number:02d}"
        if item_id not in found.dropped:
            yield {
                **item,
                **_shared(unit, topic),
                "item_id": item_id,
                "track": TRACK,
                "context": shown,
                "claims": _claims(unit, topic),
                "read_right": found.right.get(item_id),
            }


def _agent_row(unit: Unit, topic: str) -> dict[str, Any]:
    frame = unit.frame["topics"][topic]
    kinds = {one["number"]: one["kind"] for one in frame["exchanges"]}
    return {
        **frame["mind"],
        **_shared(unit, topic),
        "values": {name: float(level) for name, level in unit.frame["values"].items()},
        "voice": unit.frame["voice"],
        "claims": _claims(unit, topic),
        "transcript": [
            {
                **{"question": one["question"], "answer": one["answer"]},
                **{"kind": kinds[one["number"]], "masked": False},
            }
            for one in unit.texts[topic]["exchanges"]
        ],
        "portrait": json.dumps(unit.texts[checks.PORTRAIT], ensure_ascii=False),
    }


def _shared(unit: Unit, topic: str) -> dict[str, Any]:
    return {
        "participant_id": unit.unit_id,
        "topic": topic,
        "demographics": [
            {"attribute": name, "value": said} for name, said in unit.frame["demographics"].items()
        ],
    }


def _claims(unit: Unit, topic: str) -> list[dict[str, Any]]:
    """What each answer conveys, by the digest of the answer."""
    frame = unit.frame["topics"][topic]
    claims = {one["claim_id"]: one for one in frame["claims"]}
    answers = {one["number"]: digest(one["answer"]) for one in unit.texts[topic]["exchanges"]}
    return [
        {"answer": answers[one["number"]], **claims[name]}
        for one in frame["exchanges"]
        if one["number"] in answers
        for name in one["claims"]
    ]
