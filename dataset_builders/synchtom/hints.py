"""What is left of the truth in what is told, by rules that are not those of the masks (`told`).

Words count whole here, nothing depends on where they stand, and criteria are read, which no mask does:
so a fault in how masks choose words shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

LONG: Final = 4
"""Letters of the words that are looked for: those of fewer seldom say anything by themselves."""

_EMPTY: Final = frozenset(
    (
        *("from", "have", "into", "rather", "than", "that", "their", "they"),
        *("this", "when", "where", "which", "with"),
    )
)
_WORD: Final = re.compile(r"\w+")


def phrases(text: str, truth: str, known: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Two words in a row of the truth that `text` has in a row as well, but no text of `known`.

    Both have LONG letters or more, and neither is one such as "that".
    """
    secret = _pairs(truth).difference(*map(_pairs, known))
    return frozenset(pair for pair in secret & _pairs(text) if all(map(_says_something, pair)))


def criterion_words(
    text: str, truth: str, known: Iterable[str], criteria: Sequence[str]
) -> frozenset[str]:
    """Words of `text` that the truth and one of the `criteria` name, but no text of `known`.

    All have LONG letters or more, and none is one such as "that".
    """
    secret = _words(truth).difference(*map(_words, known))
    asked = frozenset[str]().union(*map(_words, criteria))
    return frozenset(filter(_says_something, secret & asked & _words(text)))


def _says_something(word: str) -> bool:
    return len(word) >= LONG and word not in _EMPTY


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(_WORD.findall(text.casefold())))
