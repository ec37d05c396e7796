"""Sentences that stand in more units than chance would put them: stock lines of a generator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from otherminds.manifest import Repeats
from otherminds.students.view import Edition

SENTENCE_WORDS: Final = 6
"""A sentence of so many words is nobody's chance."""

MOST_UNITS: Final = 0.005
"""The share of the units of a scale edition that one sentence may stand in [O]; of an authored one, one
unit."""

_SENTENCE = re.compile(r"[.!?…]+[\s\"'”’)]*|\n+")
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_DIGITS = 4


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=100_000)
def sentences(text: str, least: int = SENTENCE_WORDS) -> frozenset[str]:
    """The sentences of a text that have so many words, as their words."""
    parts = (" ".join(words(part)) for part in _SENTENCE.split(text))
    return frozenset(part for part in parts if part.count(" ") >= least - 1)


def repeats(texts: Mapping[str, Iterable[str]], edition: Edition) -> Repeats:
    """How many sentences stand in more units than may be, and the commonest of all.

    texts  by unit, what was written or generated for it
    """
    counts: Counter[str] = Counter()
    own = {name: frozenset().union(*map(sentences, told)) for name, told in texts.items()}
    for found in own.values():
        counts.update(found)
    units = len(own)
    allowed = MOST_UNITS if edition == "scale" else 0.0
    many = {one for one, n in counts.items() if n > 1 and n > allowed * units}
    # Of sentences that are equally common, the first by its letters.
    most = min(counts, key=lambda one: (-counts[one], one), default="")
    return Repeats(
        units=units,
        sentences=len(counts),
        repeated=len(many),
        affected=round(sum(bool(found & many) for found in own.values()) / max(units, 1), _DIGITS),
        commonest=most,
        share=round(counts[most] / max(units, 1), _DIGITS),
        allowed=allowed,
    )
