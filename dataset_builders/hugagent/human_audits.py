"""Checks of the converted human track. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.hugagent.features import PROMPT_FIELDS, TOPICS
from otherminds.dataset_builders.hugagent.human_records import BASELINES, SCENARIOS, nested
from otherminds.dataset_builders.verdict import Audit, verdict

__all__ = ["Audit", "Facts", "audit", "facts"]

_TASKS = ("bsi", "bdu")
_TELLING = 25
"""From this length on, a text found elsewhere is a quotation; "Yes, I do." is found everywhere."""


@dataclass(frozen=True)
class Facts:
    """What a release is known to hold (the manifest's `facts`).

    people                     people with any item
    items                      items by task and topic
    either_answers             BSI golds "A/B"
    golds_outside_scale        BDU golds that are no point of their scale; all of them are 0
    scenario_answers           opinions after a scenario, by topic
    scenario_answers_paired    those whose person's baseline opinion is in the data too, by topic
    people_paired              people of whom there is any such pair, by topic
    context_turns              least and greatest number of turns of a context
    """

    people: int
    items: Mapping[str, Mapping[str, int]]
    either_answers: int
    golds_outside_scale: int
    scenario_answers: Mapping[str, int]
    scenario_answers_paired: Mapping[str, int]
    people_paired: Mapping[str, int]
    context_turns: tuple[int, int]


def facts(stated: Mapping[str, Any]) -> Facts:
    """The facts from a manifest. Raises ValueError for a missing or unknown one."""
    known = {field.name for field in fields(Facts)}
    if set(stated) != known:
        raise ValueError(
            f"The facts of a release are {', '.join(sorted(known))}; "
            f"these are {', '.join(sorted(stated)) or 'none'}."
        )
    low, high = stated["context_turns"]
    return Facts(**{**stated, "context_turns": (low, high)})


def audit(
    tables: Mapping[str, pa.Table],
    expected: Facts,
    records: Iterable[Mapping[str, Any]] | None = None,
) -> list[Audit]:
    """All audits of a converted release, passed and failed.

    With the upstream `records` that the tables were made from, also whether a text that upstream
    marks as the source of an answer, or as the reasoning for it, is in its item's prompt.
    """
    found = [
        *_counts(tables, expected),
        _ids(tables),
        _either(tables["bsi"], expected),
        _outside(tables["bdu"], expected),
        *_pairs(tables["bdu"], expected),
        _context_turns(tables, expected),
        _reason_texts(tables["bdu"]),
    ]
    return found if records is None else [*found, _source_texts(tables, records)]


def _counts(tables: Mapping[str, pa.Table], expected: Facts) -> Iterator[Audit]:
    for task in _TASKS:
        counts, wanted = Counter(_column(tables[task], "topic")), expected.items[task]
        yield _by_topic(f"counts_{task}", counts, wanted, "items by topic")
    people = len({person for task in _TASKS for person in _column(tables[task], "participant_id")})
    yield verdict(
        "counts_people", people == expected.people, people, f"people, of {expected.people}"
    )


def _ids(tables: Mapping[str, pa.Table]) -> Audit:
    ids = Counter(name for task in _TASKS for name in _column(tables[task], "item_id"))
    repeated = [name for name, count in ids.items() if count > 1]
    return verdict(
        "ids_unique", not repeated, len(repeated), f"repeated ids {', '.join(repeated[:3])}".strip()
    )


def _either(bsi: pa.Table, expected: Facts) -> Audit:
    either = _column(bsi, "answer").count("A/B")
    return verdict(
        "either_answers",
        either == expected.either_answers,
        either,
        f"golds A/B, of {expected.either_answers}: either letter, or none, is right by protocol",
    )


def _outside(bdu: pa.Table, expected: Facts) -> Audit:
    answers = zip(
        _column(bdu, "question_id"), _column(bdu, "answer"), _column(bdu, "scale"), strict=True
    )
    outside = Counter(
        (question, answer)
        for question, answer, (low, high) in answers
        if not low <= int(answer) <= high
    )
    listed = ", ".join(
        f"{n} times {gold} in {asked}" for (asked, gold), n in sorted(outside.items())
    )
    return verdict(
        "golds_outside_scale",
        outside.total() == expected.golds_outside_scale and all(gold == "0" for _, gold in outside),
        outside.total(),
        f"golds outside their scale, {expected.golds_outside_scale} golds of 0 are known; "
        f"found: {listed or 'none'}",
    )


def _pairs(bdu: pa.Table, expected: Facts) -> Iterator[Audit]:
    opinions = bdu.filter(pc.field("question_type") == "opinion")
    asked = list(
        zip(
            *(_column(opinions, c) for c in ("participant_id", "topic", "question_id")), strict=True
        )
    )
    with_baseline = {
        (person, topic) for person, topic, question in asked if question == BASELINES[topic]
    }
    scenarios = [
        (person, topic) for person, topic, question in asked if question in SCENARIOS[topic]
    ]
    paired = [owner for owner in scenarios if owner in with_baseline]
    yield _by_topic(
        "scenario_answers",
        Counter(topic for _, topic in scenarios),
        expected.scenario_answers,
        "opinions after a scenario by topic",
    )
    yield _by_topic(
        "scenario_answers_paired",
        Counter(topic for _, topic in paired),
        expected.scenario_answers_paired,
        "opinions after a scenario whose person's baseline is known, by topic",
    )
    yield _by_topic(
        "people_paired",
        Counter(topic for _, topic in set(paired)),
        expected.people_paired,
        "people with such a pair by topic",
    )


def _context_turns(tables: Mapping[str, pa.Table], expected: Facts) -> Audit:
    low, high = expected.context_turns
    turns = Counter(
        length
        for task in _TASKS
        for length in pc.list_value_length(tables[task]["context"]).to_pylist()
    )
    odd = sum(count for length, count in turns.items() if not low <= length <= high)
    return verdict(
        "context_turns",
        not odd,
        f"{min(turns, default=0)} to {max(turns, default=0)}",
        f"turns of a context, wanted {low} to {high}; {odd} items lie outside, {turns[0]} have none",
    )


def _reason_texts(bdu: pa.Table) -> Audit:
    kinds, texts = _column(bdu, "question_type"), _column(bdu, "reason_text")
    silent = sum(
        kind == "reason_evaluation" and not (text or "").strip()
        for kind, text in zip(kinds, texts, strict=True)
    )
    return verdict("reason_texts", not silent, silent, "reasons to be weighed that have no text")


def _source_texts(tables: Mapping[str, pa.Table], records: Iterable[Mapping[str, Any]]) -> Audit:
    rows = {row["item_id"]: row for task in _TASKS for row in tables[task].to_pylist()}
    checked, leaking = 0, []
    for record in records:
        if not record.get("source_qa") and not record.get("reasoning"):
            continue
        checked += 1
        item = str(record.get("item_id"))
        if item not in rows or _leaks(rows[item], record):
            leaking.append(item)
    return verdict(
        "source_texts",
        not leaking,
        len(leaking),
        f"of {checked} items with a source or reasoning are not in the tables, or show the source "
        f"turn, or quote its answer or the reasoning: {', '.join(leaking[:3]) or 'none'}",
    )


def _leaks(row: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    source = _source(record.get("source_qa"))
    asked, answered = _plain(source.get("question")), _plain(source.get("answer"))
    shown = [(_plain(turn["question"]), _plain(turn["answer"])) for turn in row["context"]]
    if asked and (asked, answered) in shown:
        return True
    visible = [_plain(text) for name in PROMPT_FIELDS for text in _texts(row[name])]
    hidden = [text for text in (answered, _plain(record.get("reasoning"))) if len(text) >= _TELLING]
    return any(text in place for text in hidden for place in visible)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _plain(text: Any) -> str:
    """Text without what a copy may change: case, and the kind and number of spaces."""
    return " ".join(str(text or "").split()).casefold()


def _source(value: Any) -> Mapping[str, Any]:
    """The source turn of an answer: an object, JSON text of one, or the bare answer."""
    try:
        found = nested(value)
    except ValueError:
        found = value
    return found if isinstance(found, Mapping) else {"answer": found}


def _by_topic(name: str, found: Counter[str], wanted: Mapping[str, int], what: str) -> Audit:
    return verdict(
        name,
        +found == +Counter(wanted),
        ", ".join(f"{topic} {found[topic]}" for topic in TOPICS),
        f"{what}; expected {dict(sorted(wanted.items()))}",
    )


def _column(table: pa.Table, name: str) -> list[Any]:
    return list(table[name].to_pylist())
