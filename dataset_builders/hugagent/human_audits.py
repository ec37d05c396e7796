"""Checks of the converted human track. A fault in the data is a failed audit, never an exception.

Only ids that are not unique make a score wrong. All other audits say whether the data are the release
that the manifest describes, or state a fact that their readers must know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.human_records import BASELINES, SCENARIOS
from otherminds.dataset_builders.verdict import Audit, Kind, verdict

__all__ = ["Audit", "Facts", "audit", "facts", "stated"]

_TASKS = ("bsi", "bdu")


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
    source_shown               BSI items that show the answer of the exchange that their gold was
                               derived from, by topic
    people_source_shown        people with such an item
    """

    people: int
    items: Mapping[str, Mapping[str, int]]
    either_answers: int
    golds_outside_scale: int
    scenario_answers: Mapping[str, int]
    scenario_answers_paired: Mapping[str, int]
    people_paired: Mapping[str, int]
    context_turns: tuple[int, int]
    source_shown: Mapping[str, int]
    people_source_shown: int


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


def stated(expected: Facts) -> list[str]:
    """What a reader of scores on the release must know of it, one sentence each."""
    of, items = sum(expected.source_shown.values()), sum(expected.items["bsi"].values())
    return [
        f"{of} of {items} BSI items show the answer of the exchange that their gold was derived from "
        f"({_listed(expected.source_shown)}; {expected.people_source_shown} people): column "
        "source_shown. BSI is printed for all items, without these and on these; with "
        "--metadata '{\"mask_source\": true}' these exchanges are masked.",
    ]


def audit(tables: Mapping[str, pa.Table], expected: Facts) -> list[Audit]:
    """All audits of a converted release, passed and failed."""
    return [
        *_counts(tables, expected),
        _ids(tables),
        _either(tables["bsi"], expected),
        _outside(tables["bdu"], expected),
        *_pairs(tables["bdu"], expected),
        _context_turns(tables, expected),
        _reason_texts(tables["bdu"]),
        *_source_shown(tables["bsi"], expected),
    ]


def _counts(tables: Mapping[str, pa.Table], expected: Facts) -> Iterator[Audit]:
    for task in _TASKS:
        counts, wanted = Counter(_column(tables[task], "topic")), expected.items[task]
        yield _by_topic(f"counts_{task}", counts, wanted, "items by topic")
    people = len({person for task in _TASKS for person in _column(tables[task], "participant_id")})
    yield verdict(
        "counts_people",
        people == expected.people,
        people,
        f"people, of {expected.people}",
        kind="release",
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
        kind="release",
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
        kind="release",
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
        kind="release",
    )


def _reason_texts(bdu: pa.Table) -> Audit:
    kinds, texts = _column(bdu, "question_type"), _column(bdu, "reason_text")
    silent = sum(
        kind == "reason_evaluation" and not (text or "").strip()
        for kind, text in zip(kinds, texts, strict=True)
    )
    return verdict(
        "reason_texts",
        not silent,
        silent,
        "reasons to be weighed that have no text",
        kind="stated",
    )


def _source_shown(bsi: pa.Table, expected: Facts) -> Iterator[Audit]:
    showing = bsi.filter(pc.field("source_shown"))
    topics = Counter(_column(showing, "topic"))
    yield _by_topic(
        "source_shown",
        topics,
        expected.source_shown,
        f"{topics.total()} of {bsi.num_rows} BSI items show their source answer, by topic",
        kind="stated",
    )
    people = len(set(_column(showing, "participant_id")))
    yield verdict(
        "people_source_shown",
        people == expected.people_source_shown,
        people,
        f"people with such an item, of {expected.people_source_shown}",
        kind="stated",
    )


def _by_topic(
    name: str,
    found: Counter[str],
    wanted: Mapping[str, int],
    what: str,
    *,
    kind: Kind = "release",
) -> Audit:
    return verdict(
        name,
        +found == +Counter(wanted),
        _listed(found),
        f"{what}; the release has {_listed(wanted)}",
        kind=kind,
    )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{topic} {counts.get(topic, 0)}" for topic in TOPICS)


def _column(table: pa.Table, name: str) -> list[Any]:
    return list(table[name].to_pylist())
