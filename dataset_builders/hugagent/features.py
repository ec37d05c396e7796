"""The row contract of the HugAgent datasets (DESIGN §3.1)."""

from __future__ import annotations

import pyarrow as pa
from datasets import Features, List, Value

TOPICS = ("healthcare", "surveillance", "zoning")
"""The three topics, in the order in which rows are written."""

_TEXT = Value("string")
_DEMOGRAPHICS = List({"attribute": _TEXT, "value": _TEXT})

ITEM = Features(
    {
        "item_id": _TEXT,
        "participant_id": _TEXT,
        "track": _TEXT,
        "topic": _TEXT,
        "task": _TEXT,
        "demographics": _DEMOGRAPHICS,
        "context": List({"question": _TEXT, "answer": _TEXT}),
        "question": _TEXT,
        "options": List(_TEXT),
        "scale": List(Value("int32")),
        "scale_labels": List(_TEXT),
        "reason_code": _TEXT,
        "reason_text": _TEXT,
        "question_id": _TEXT,
        "question_type": _TEXT,
        "answer": _TEXT,
        "evidence": _TEXT,
        "in_subset_50": Value("bool"),
    }
)
"""One question about one person; the same columns for the configurations `bsi` and `bdu`."""

_NUMBER = Value("float64")

AGENT = Features(
    {
        "participant_id": _TEXT,
        "topic": _TEXT,
        "demographics": _DEMOGRAPHICS,
        "values": dict.fromkeys(("autonomy", "security", "care", "thrift"), _NUMBER),
        "voice": {
            "verbosity": _TEXT,
            "certainty": _TEXT,
            "register": _TEXT,
            "phrase": _TEXT,
            "habit": _TEXT,
        },
        "graph": {
            "nodes": List(
                {
                    "name": _TEXT,
                    "importance": _NUMBER,
                    "evidence": Value("int32"),
                    "is_stance": Value("bool"),
                }
            ),
            "edges": List(
                {
                    "source": _TEXT,
                    "target": _TEXT,
                    "sign": Value("int32"),
                    "confidence": _NUMBER,
                    "weight": _NUMBER,
                    "grade": _TEXT,
                }
            ),
        },
        "initial_stance": _NUMBER,
        "stance_grade": _TEXT,
        "weights": List({"factor": _TEXT, "weight": _NUMBER}),
        "interventions": List(
            {
                "question_id": _TEXT,
                "deltas": List({"factor": _TEXT, "delta": _NUMBER}),
                "stance_after": _NUMBER,
                "weights_after": List({"factor": _TEXT, "weight": _NUMBER}),
            }
        ),
        "transcript": List(
            {"question": _TEXT, "answer": _TEXT, "kind": _TEXT, "masked": Value("bool")}
        ),
        "in_subset_50": Value("bool"),
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


def schema(features: Features) -> pa.Schema:
    """The Arrow schema, with the metadata from which `datasets` restores the features."""
    return features.arrow_schema
