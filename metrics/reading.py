"""What readers of letters and of numbers have in common."""

from __future__ import annotations

import re
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")

# May follow an answer without adding anything to it.
CLOSING = " \n\t.,;:!)]}>\"'`/\\"

# A word after which a sentence explains an answer instead of going on with it.
REASON = r"(?:because|since|given|based|due|considering|overall|as\s+(?:the|this|they|she|he|it))\b"

# Before a second answer that takes back the certainty of the first: "7, but it could be 8".
SECOND_THOUGHT = (
    r"[\s,;(]+(?:(?:but|maybe|perhaps|possibly|alternatively|it|could|might|may|also|even|be|or)"
    r"\s+){1,6}"
)

_RETRACTION = re.compile(
    r"\b(?:wait|actually|correction|scratch that|on second thought|on reflection|let me reconsider)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor|cannot|without)\b|n't\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,;:!?\n]")


class Reading(NamedTuple, Generic[Value]):
    """An answer found at the start of a text: its value, None when unclear, and where it ends."""

    value: Value | None
    end: int


def retracted(text: str) -> bool:
    """Whether `text`, which follows an answer, takes it back."""
    return _RETRACTION.search(text) is not None


def negated(text: str, position: int) -> bool:
    """Whether one of the four words before `position`, in the same clause, is a negation."""
    clause = _CLAUSE.split(text[max(0, position - 60) : position])[-1]
    return _NEGATION.search(" ".join(clause.split()[-4:])) is not None
