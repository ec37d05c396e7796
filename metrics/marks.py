"""The words around an answer: what announces it, explains it, negates it or takes it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


# May follow an answer without adding anything to it.
CLOSING = " \n\t.,;:!)]}>\"'`/\\"


# A word after which a sentence explains an answer instead of going on with it.
REASON = (
    r"(?:because|cause|since|given|based|due|considering|overall"
    r"|porque|pois|weil|denn|car|parce|puisque|perché|poiché|потому|omdat|as\s+(?:the|this|they|she|he|it))\b"
)


# Before a second answer that takes back the certainty of the first: "7, but it could be 8".
SECOND_THOUGHT = (
    r"[\s,;(]+(?:(?:but|maybe|perhaps|possibly|alternatively|it|could|might|may|also|even|be|or)"
    r"\s+){1,6}"
)


_RETRACTION = re.compile(
    r"\b(?:wait|actually|correction|scratch that|on second thought|on reflection"
    r"|let me reconsider)\b",
    re.IGNORECASE,
)


_NEGATION = re.compile(r"\b(?:not|never|neither|nor|cannot|without)\b|n't\b", re.IGNORECASE)


_CLAUSE = re.compile(r"[.,;:!?\n]")


_NOUN = (
    r"(?P<noun>answer|prediction|response|choice|rating|score|selection|estimate|option|letter"
    r"|final)"
)


_ASIDE = r"(?:\s*\([^()\n]{0,60}\)|\s*\[[^\[\]\n]{0,60}\])?"


_LINK = r"(?P<link>[\"']?\s*(?:(?:is|would be|will be|should be)\b\s*:?|:|=|\u2014|\u2013\s|-\s))"


_MARK = re.compile(rf"(?P<before>[\w']{{1,20}}\s)?\b{_NOUN}{_ASIDE}{_LINK}\s*", re.IGNORECASE)


_MARK_AFTER = re.compile(
    r"\b(?P<value>\w{1,10})\)?\s+is\s+(?:the|my)\s+(?:\w{1,20}\s+){0,2}?"
    r"(?:answer|prediction|choice|rating|option)\b",
    re.IGNORECASE,
)


_LEAD_IN = re.compile(
    r"[\s\-\u2022{\"']*(?:(?:so|thus|therefore|hence|and|then|overall|in conclusion),?\s+)?"
    r"(?:(?:my|the|final|correct|best|predicted|selected|chosen|likely|most|overall)\s+){0,3}",
    re.IGNORECASE,
)


# "Her previous answer is 8" is evidence, not an answer.
_OTHERS = frozenset(
    [
        "her",
        "his",
        "their",
        "its",
        "your",
        "whose",
        "previous",
        "earlier",
        "prior",
        "first",
        "second",
        "last",
        "original",
        "initial",
        "baseline",
        "old",
        "actual",
        "given",
        "stated",
        "wrong",
        "incorrect",
        "another",
        "every",
        "each",
        "no",
    ]
)


_OWN = frozenset(
    [
        "my",
        "the",
        "final",
        "correct",
        "best",
        "predicted",
        "selected",
        "chosen",
        "overall",
        "likely",
    ]
)


@dataclass(frozen=True)
class Mark:
    """A mark in a text.

    start       where the answer should begin
    opens_line  whether the mark begins a line
    """

    start: int
    opens_line: bool


class Reading(NamedTuple, Generic[Value]):
    """An answer found at the start of a text: its value, None when unclear, and where it ends."""

    value: Value | None
    end: int


def find_marks(text: str) -> Iterator[Mark]:
    """All marks in `text`, by position.

    "Answer: …", "answer is …", "my rating would be …", "… is the correct answer". The word "answer"
    marks anywhere, unless it is someone else's; "rating", "choice" and so on only at the start of a
    line or after "my", "the", "final" and the like. A mark followed by another one yields to it.
    """
    found = [*_marks_before(text), *_marks_after(text)]
    found.sort(key=lambda pair: pair[1].start)
    openings = {opening for opening, _ in found}
    for opening, mark in found:
        if mark.start == opening or mark.start not in openings:
            yield mark


def retracted(text: str) -> bool:
    """Whether `text`, which follows an answer, takes it back."""
    return _RETRACTION.search(text) is not None


def negated(text: str, position: int) -> bool:
    """Whether one of the four words before `position`, in the same clause, is a negation."""
    clause = _CLAUSE.split(text[max(0, position - 60) : position])[-1]
    return _NEGATION.search(" ".join(clause.split()[-4:])) is not None


def _marks_before(text: str) -> Iterator[tuple[int, Mark]]:
    for match in _MARK.finditer(text):
        before = (match["before"] or "").strip().lower()
        line = text.rfind("\n", 0, match.start("noun")) + 1
        lead_in = _LEAD_IN.match(text, line)
        opens_line = lead_in is not None and lead_in.end() == match.start("noun")
        if before in _OTHERS or before.endswith("'s"):
            continue
        if not opens_line and match["noun"].lower() != "answer" and before not in _OWN:
            continue
        yield line if opens_line else match.start("noun"), Mark(match.end(), opens_line)


def _marks_after(text: str) -> Iterator[tuple[int, Mark]]:
    for match in _MARK_AFTER.finditer(text):
        opens_line = match.start() == 0 or text[match.start() - 1] == "\n"
        yield match.start(), Mark(match.start("value"), opens_line)
