"""Fictional records in the upstream format of HugAgent's human track. No text here is a person's.

`sample` has four people and every irregularity that the format allows; `full_release` has as many
records as the real release, with the real text-free golds and invented text.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Record = dict[str, Any]

NESTED = ("demographics", "context_qas", "answer_options", "source_qa", "scale")
STEMS = {
    "belief_attribution": "belief_state_inference",
    "belief_update": "belief_dynamics_update",
}
LONG = "and then the tram was late again, " * 400
"""Part of an answer of more than 13,000 characters."""

_SUBJECT = {
    "healthcare": "the clinic on wheels",
    "surveillance": "the cameras at the ferry",
    "zoning": "the flats above the bakery",
}
_OPTIONS = {"A": "POSITIVE effect", "B": "NEGATIVE effect"}


def sample() -> list[Record]:
    """Four people. Per topic each has a transcript of 17 to 20 turns, unless said otherwise.

    P01  regular; demographics are an object, with an empty value and a number
    P02  demographics are a list of texts, one without a colon; a BSI gold "A/B"
    P03  no baseline on zoning; a very long answer; Unicode, a line separator included
    P04  no transcript on healthcare
    """
    records: list[Record] = []
    for place, person in enumerate(("P01", "P02", "P03", "P04")):
        for topic in _SUBJECT:
            turns = _transcript(person, topic, 17 + place)
            if person == "P03":
                turns[2]["answer"] = f"Ποτέ. 决不, naïvely \u2028 speaking 🙂, {LONG}"
            if (person, topic) == ("P04", "healthcare"):
                turns = []
            records += _items_of(person, topic, turns)
    for number, record in enumerate(records, start=1):
        stem = STEMS[record["task_type"]]
        record["item_id"] = f"{stem}-{record['topic']}-{number:04d}"
    return records


def full_release(golds: Path) -> list[Record]:
    """A record for each row of the real golds: real ids and answers, invented text.

    Transcripts have 17 to 44 turns; each BSI item lacks another one, so contexts have 16 to 44.
    """
    with golds.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    people = sorted({row["participant_id"] for row in rows})
    transcripts = {
        (person, topic): _transcript(person, topic, 17 + (5 * place + 7 * number) % 28)
        for place, person in enumerate(people)
        for number, topic in enumerate(_SUBJECT)
    }
    records, asked = [], dict.fromkeys(transcripts, 0)
    for row in rows:
        owner = (row["participant_id"], row["topic"])
        if row["task"] == "bsi":
            record = state_inference(*owner, transcripts[owner], asked[owner], row["gold"])
            asked[owner] += 1
        else:
            record = update(*owner, transcripts[owner], row["question_id"], int(row["gold"]))
        records.append({**record, "item_id": row["item_id"]})
    return records


def state_inference(
    person: str, topic: str, turns: Sequence[Mapping[str, str]], masked: int, answer: str
) -> Record:
    """A BSI record without an id, whose context lacks the turn that it asks about."""
    source = dict(turns[masked]) if turns else _turn(person, topic, 1)
    context = [dict(turn) for turn in turns if turn["question"] != source["question"]]
    return {
        **_common(person, topic, context),
        "task_type": "belief_attribution",
        "task_question": f"What does {_SUBJECT[topic]} do to matter {source['question_number']}?",
        "answer_options": dict(_OPTIONS),
        "answer": answer,
        "source_qa": source,
        "reasoning": f"In turn {source['question_number']} {person} says as much of {topic}.",
    }


def update(
    person: str, topic: str, turns: Sequence[Mapping[str, str]], question_id: str, answer: int
) -> Record:
    """A BDU record without an id: an opinion ("1.2") or the weight of a reason ("1.2r_G")."""
    _, _, code = question_id.partition("r_")
    record = {
        **_common(person, topic, [dict(turn) for turn in turns]),
        "task_type": "belief_update",
        "task_question": f"Question {question_id}: and what of {_SUBJECT[topic]} now?",
        "question_id": question_id,
        "question_type": "reason_evaluation" if code else "opinion",
        "scale": [1, 5] if code else [1, 10],
        "user_answer": answer,
    }
    if code:
        record |= {"reason_code": code, "reason_text": f"the gulls of reason {code}"}
    return record


def write_clone(records: Iterable[Record], folder: Path) -> Path:
    """Write the records as the six JSONL files of a clone at `folder`; returns `folder`."""
    data = folder / "Benchmark" / "data"
    data.mkdir(parents=True)
    lines: dict[str, list[str]] = {
        f"{stem}_{topic}.jsonl": [] for stem in STEMS.values() for topic in _SUBJECT
    }
    for record in records:
        name = f"{STEMS[record['task_type']]}_{record['topic']}.jsonl"
        lines[name].append(json.dumps(record, ensure_ascii=False))
    for name, found in lines.items():
        (data / name).write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    return folder


def write_parquet(records: Iterable[Record], folder: Path) -> list[Path]:
    """Write the records as the Hub has them: a folder per configuration, nested fields as JSON."""
    written = []
    found = list(records)
    for task, stem in STEMS.items():
        rows = [flattened(record) for record in found if record["task_type"] == task]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        table = pa.table({name: [row.get(name) for row in rows] for name in columns})
        written.append(folder / "data" / stem / "test-00000-of-00001.parquet")
        written[-1].parent.mkdir(parents=True)
        pq.write_table(table, written[-1])
    return written


def flattened(record: Record) -> Record:
    """The record with its nested fields as JSON text."""
    return {
        name: json.dumps(value, ensure_ascii=False) if name in NESTED else value
        for name, value in record.items()
    }


def _items_of(person: str, topic: str, turns: list[dict[str, str]]) -> list[Record]:
    baseline, scenario = {
        "healthcare": ("3.1", "3.7"),
        "surveillance": ("2.1", "2.7"),
        "zoning": ("1.1", "1.2"),
    }[topic]
    either = (person, topic) == ("P02", "zoning")
    records = [
        state_inference(person, topic, turns, 4, "A/B" if either else "A"),
        state_inference(person, topic, turns, 9, "B"),
        update(person, topic, turns, scenario, 7),
        update(person, topic, turns, f"{scenario}r_A", 3),
    ]
    if (person, topic) != ("P03", "zoning"):
        records.append(update(person, topic, turns, baseline, 10))
    if topic == "zoning":
        records.append(update(person, topic, turns, "1.4r_G", 0))
    if topic == "surveillance":
        records.append(update(person, topic, turns, "2.2", 1))
    return records


def _common(person: str, topic: str, context: list[dict[str, str]]) -> Record:
    demographics: Any = {"age": 34, "home_town": "Port Ellery", "trade": "sail mender", "pets": ""}
    if person == "P02":
        demographics = ["age: 51", "hours: 9:00 to 5:00", "keeps bees", "pets:"]
    return {
        "participant_id": person,
        "demographics": demographics,
        "context_qas": context,
        "context_length": "long",
        "topic": topic,
    }


def _transcript(person: str, topic: str, turns: int) -> list[dict[str, str]]:
    return [_turn(person, topic, number) for number in range(1, turns + 1)]


def _turn(person: str, topic: str, number: int) -> dict[str, str]:
    return {
        "question_number": str(number),
        "question": f"Item {number} on {_SUBJECT[topic]}: what do you make of it?",
        "answer": f"As {person} I hold that point {number} of {_SUBJECT[topic]} is {number} shillings.",
    }
