"""How one person puts a line: contractions by register, a habit before it, a remark after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick
from otherminds.dataset_builders.socialmindchange.codes.cast import Person

_BEFORE: Final = 0.2
_AFTER: Final = 0.025

_CONTRACTIONS: Final = tuple(
    (re.compile(rf"\b{full}\b"), short)
    for full, short in (
        (r"(do|does|did|is|was|has|have|had|could|would|need|are)( not)", r"\1n't"),
        (r"will not", "won't"),
        (r"cannot", "can't"),
        (r"I am(?= \w)", "I'm"),
        (r"(I|You|you|They|they|we|We) will(?= \w)", r"\1'll"),
        (r"I would(?= \w)", "I'd"),
        (r"(That|It|There|What|Who) is(?= \w)", r"\1's"),
        (r"(You|They|We) are(?= \w)", r"\1're"),
        (r"Let us", "Let's"),
    )
)
_CONTRACTING: Final = {"formal": 0.0, "plain": 0.6, "casual": 1.0}

# A habit goes before a statement or a request, not before another opening or a quotation.
_OPENED = re.compile(
    r"(well|hm|and|so|right|okay|if you ask|mm|ah|yes|no|fine|good|sure|all right|understood|noted|"
    r"come|walk|talk|look|listen|hold on|one moment|you know|man|i hear you|i follow|i see)\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"[^\".?!]+\.")
_KEEPS_CAPITAL = re.compile(r"(I|I'\w+|[A-Z]\w+day|Christmas|Advent)\b")


def voiced(
    rng: np.random.Generator, person: Person, text: str, names: Sequence[str], after: Sequence[str]
) -> str:
    """The text as this person puts it.

    `names` keep their capital; `after` are the remarks of the voice, none where neither a remark nor a
    habit would fit.
    """
    if chance(rng, _CONTRACTING[person.register]):
        for full, short in _CONTRACTIONS:
            text = full.sub(short, text)
    if after and chance(rng, _BEFORE) and _STATED.match(text) and not _OPENED.match(text):
        text = f"{pick(rng, person.habits)} {lowered(text, names)}"
    if after and chance(rng, _AFTER) and text.endswith("."):
        text = f"{text} {pick(rng, after)}"
    return text


def lowered(text: str, names: Sequence[str]) -> str:
    """The text with a small first letter, unless its first word has a capital of its own."""
    if _KEEPS_CAPITAL.match(text) or text.startswith(tuple(names)):
        return text
    return text[0].lower() + text[1:]
