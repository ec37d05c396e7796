"""Reading answers to documents without golds."""

from __future__ import annotations

from typing import Any

from otherminds.scoring.sealed import is_sealed
from otherminds.types import Doc


def readable(doc: Doc) -> dict[str, Any]:
    """A sealed document with something in place of what is withheld, so that answers can be read.

    How a reply is read depends on the question alone. Scores against these golds mean nothing, and
    nobody may compute any.
    """
    if not is_sealed(doc):
        return dict(doc)
    if "agrees" in doc:
        return {**doc, "agrees": False}
    if "stage_id" in doc:
        blanks = {"type": "", "mental_state": "", "third_order": False, "span": 0, "answer": "a"}
        return {**doc, **blanks}
    answer = str(doc["scale"][0]) if doc["scale"] else "A"
    return {**doc, "answer": answer}
