"""Fictional records in the upstream format of HugAgent's human track. No text here is a person's.

`sample` has four people and every irregularity that the format allows; `full_release` has as many
records as the real release, with the real text-free golds and invented text. Both are written as a
clone, as the Hub has them (`write_parquet`), and as the files before the release (`write_selected`).
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
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
CLOSING = "Would it be more or fewer shillings? And by how many?"
"""What the interview adds to a question, but `source_qa` does not."""

RECRUITED = {"P01": "5f0a9c", "P02": "b7713e", "P03": "0c44d2", "P04": "e91b08"}
"""Ids as a recruitment platform gives them, cut to their beginning."""

WHERE = {
    "zipcode": "99987",
    "current_city": "Port Ellery, by the ferry",
    "neighborhood_safety": "Safe",
}
"""Demographics of the files before the release: two places, and a third that only sounds like one."""

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

    One BSI item of each shows its source answer (`SHOWN`).
    """
    records: list[Record] = []
    for place, person in enumerate(("P01", "P02", "P03", "P04")):
        for topic in _SUBJECT:
            turns = _transcript(person, topic, 17 + place)
            if person == "P03":
                turns[2]["answer"] = f"Ποτέ. 决不, naïvely \u2028 speaking 🙂, {LONG}"
            if (person, topic) == ("P04", "healthcare"):
                turns = []
            _give_away(person, topic, turns)
            records += _items_of(person, topic, turns)
    for number, record in enumerate(records, start=1):
        stem = STEMS[record["task_type"]]
        record["item_id"] = f"{stem}-{record['topic']}-{number:04d}"
    return records


SHOWN = {
    ("P01", "healthcare", 4): "the question has a closing phrase",
    ("P02", "surveillance", 4): "the answer is given twice",
    ("P03", "zoning", 9): "the answer is part of a longer one",
    ("P04", "surveillance", 9): "a short answer; the question has a closing phrase",
}
"""The BSI items that show their source, by person, topic and the turn that they ask about."""


def _give_away(person: str, topic: str, turns: list[dict[str, str]]) -> None:
    """Change a transcript so that the item in SHOWN shows its source."""
    match person, topic:
        case "P01", "healthcare":
            turns[4]["question"] += f" {CLOSING}"
        case "P02", "surveillance":
            turns[12]["answer"] = turns[4]["answer"]
        case "P03", "zoning":
            turns[14]["answer"] = f"Well. {turns[9]['answer']} As I said."
        case "P04", "surveillance":
            turns[9] |= {"question": f"{turns[9]['question']} {CLOSING}", "answer": "Rather more."}


def full_release(golds: Path) -> list[Record]:
    """A record for each row of the real golds: real ids and answers, invented text.

    Transcripts have 17 to 44 turns; each BSI item lacks another one, so contexts have 16 to 44.
    As many items show their source as in the real release: 13 on healthcare, 10 on surveillance, 25 on
    zoning, of 15 people; the first five of them inside of a longer answer, the others under a question
    with a closing phrase.
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
    for number, record in enumerate(_to_be_shown(records)):
        _show(record, inside=number < 5)
    return records


def _to_be_shown(records: Sequence[Record]) -> list[Record]:
    """13, 10 and 25 BSI items of the 15 people who have most, one of each person after the other."""
    asked = [record for record in records if record["task_type"] == "belief_attribution"]
    most = Counter(record["participant_id"] for record in asked)
    people = sorted(most, key=lambda person: (-most[person], person))[:15]
    found = []
    for topic, count in {"healthcare": 13, "surveillance": 10, "zoning": 25}.items():
        of_people = [
            [r for r in asked if r["topic"] == topic and r["participant_id"] == person]
            for person in people
        ]
        turns = [r for together in zip_longest(*of_people) for r in together if r is not None]
        found += turns[:count]
    return found


def _show(record: Record, *, inside: bool) -> None:
    source = record["source_qa"]
    if inside:
        record["context_qas"][0]["answer"] += f" {source['answer']} So much for that."
    else:
        turn = {**source, "question": f"{source['question']} {CLOSING}"}
        record["context_qas"].insert(5, turn)


def state_inference(
    person: str, topic: str, turns: Sequence[Mapping[str, str]], masked: int, answer: str
) -> Record:
    """A BSI record without an id, whose context lacks the turn that it asks about."""
    source = dict(turns[masked]) if turns else _turn(person, topic, 1)
    source["question"] = source["question"].removesuffix(f" {CLOSING}")
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


def write_selected(records: Iterable[Record], folder: Path) -> Path:
    """Write the records as the repository had them before the release; returns `folder`.

    The files are named by the step of the selection and hold pretty-printed objects one after the
    other; ids count anew in each, people have the ids of a recruitment platform, and demographics
    say where they live (those of P03 under the whole id).
    """
    data = folder / "Benchmark" / "54UsersQ"
    data.mkdir(parents=True)
    steps = {
        "belief_attribution": "different_results",
        "belief_update": "context_improves",
    }
    texts: dict[str, list[str]] = {
        f"sample_{task}_{topic}_filtered_{step}.jsonl": []
        for task, step in steps.items()
        for topic in _SUBJECT
    }
    for record in records:
        task, topic = record["task_type"], record["topic"]
        found = texts[f"sample_{task}_{topic}_filtered_{steps[task]}.jsonl"]
        found.append(json.dumps(_as_selected(record, len(found) + 1), indent=2))
    for name, objects in texts.items():
        (data / name).write_text("".join(f"{one}\n" for one in objects), encoding="utf-8")
    return folder


def _as_selected(record: Record, number: int) -> Record:
    person = RECRUITED[record["participant_id"]]
    told = {key: value for key, value in record.items() if key not in ("item_id", "participant_id")}
    demographics: Any = record["demographics"]
    if isinstance(demographics, dict):
        demographics = {**demographics, **WHERE}
    else:
        demographics = [*demographics, *(f"{key}: {value}" for key, value in WHERE.items())]
    if record["participant_id"] == "P03":
        demographics = {f"{person}9d3b7e61f02a4c85de": demographics}
    return {"id": f"qa_{number:03d}", "prolific_id": person, **told, "demographics": demographics}


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
