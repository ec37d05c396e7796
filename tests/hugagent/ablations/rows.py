"""Small tables of ITEM rows, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders.hugagent.features import ITEM

Row = dict[str, Any]


def item(
    item_id: str,
    person: str,
    topic: str,
    answers: Sequence[str],
    *,
    question: str = "What now?",
    reason: str | None = None,
) -> Row:
    """A BDU row; turn n of its context asks "n?" and has the n-th answer."""
    return {
        "item_id": item_id,
        "participant_id": person,
        "track": "human",
        "topic": topic,
        "task": "bdu",
        "demographics": [{"attribute": "name", "value": person}],
        "context": [{"question": f"{n}?", "answer": said} for n, said in enumerate(answers)],
        "question": question,
        "options": [],
        "scale": [1, 10],
        "scale_labels": ["low", "high"],
        "reason_code": "A" if reason else None,
        "reason_text": reason,
        "question_id": "1.1",
        "question_type": "opinion",
        "answer": "3",
        "evidence": None,
        "in_subset_50": False,
    }


def table(*rows: Row) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=ITEM)


def answers(found: pa.Table) -> dict[str, list[str]]:
    """The answers that each item shows, by item id."""
    contexts = zip(found["item_id"].to_pylist(), found["context"].to_pylist(), strict=True)
    return {item_id: [turn["answer"] for turn in turns] for item_id, turns in contexts}


def people() -> pa.Table:
    """Three people on all topics, two items each, in no order; answers name person and topic."""
    rows = [
        item(
            f"{topic}-{person}-{n}",
            person,
            topic,
            [f"{person} {topic} {turn}" for turn in range(6)],
        )
        for n in (2, 1)
        for topic in ("zoning", "healthcare", "surveillance")
        for person in ("P02", "P10", "P01")
    ]
    return table(*rows)
