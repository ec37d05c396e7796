"""The row contract of the HugAgent datasets (DESIGN §3.1)."""

from __future__ import annotations

import pyarrow as pa

TOPICS = ("healthcare", "surveillance", "zoning")
"""The three topics, in the order in which rows are written."""

_TEXT = pa.string()
_NUMBER = pa.float64()


def _list(**fields: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(fields))


_DEMOGRAPHICS = _list(attribute=_TEXT, value=_TEXT)

ITEM = pa.schema(
    {
        "item_id": _TEXT,
        "participant_id": _TEXT,
        "track": _TEXT,
        "topic": _TEXT,
        "task": _TEXT,
        "demographics": _DEMOGRAPHICS,
        "context": _list(question=_TEXT, answer=_TEXT),
        "question": _TEXT,
        "options": pa.list_(_TEXT),
        "scale": pa.list_(pa.int32()),
        "scale_labels": pa.list_(_TEXT),
        "reason_code": _TEXT,
        "reason_text": _TEXT,
        "question_id": _TEXT,
        "question_type": _TEXT,
        "answer": _TEXT,
        "evidence": _TEXT,
        "in_subset_50": pa.bool_(),
    }
)
"""One question about one person; the same columns for the configurations `bsi` and `bdu`."""

AGENT = pa.schema(
    {
        "participant_id": _TEXT,
        "topic": _TEXT,
        "demographics": _DEMOGRAPHICS,
        "values": pa.struct(dict.fromkeys(("autonomy", "security", "care", "thrift"), _NUMBER)),
        "voice": pa.struct(
            dict.fromkeys(("verbosity", "certainty", "register", "phrase", "habit"), _TEXT)
        ),
        "graph": pa.struct(
            {
                "nodes": _list(
                    name=_TEXT, importance=_NUMBER, evidence=pa.int32(), is_stance=pa.bool_()
                ),
                "edges": _list(
                    source=_TEXT,
                    target=_TEXT,
                    sign=pa.int32(),
                    confidence=_NUMBER,
                    weight=_NUMBER,
                    grade=_TEXT,
                ),
            }
        ),
        "initial_stance": _NUMBER,
        "stance_grade": _TEXT,
        "weights": _list(factor=_TEXT, weight=_NUMBER),
        "interventions": _list(
            question_id=_TEXT,
            deltas=_list(factor=_TEXT, delta=_NUMBER),
            stance_after=_NUMBER,
            weights_after=_list(factor=_TEXT, weight=_NUMBER),
        ),
        "transcript": _list(question=_TEXT, answer=_TEXT, kind=_TEXT, masked=pa.bool_()),
        "in_subset_50": pa.bool_(),
    }
)
"""One simulated person on one topic: the whole truth behind the items."""

PROMPT_FIELDS = (
    "topic",
    "demographics",
    "context",
    "question",
    "options",
    "scale",
    "scale_labels",
    "reason_code",
    "reason_text",
)
"""The fields of an item that a prompt may show (`task` and `question_type` only choose its form)."""
