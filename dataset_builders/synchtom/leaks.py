"""What texts of the source give away: traces, quotations, words of the truth, wrongly rewarded requests.

Words of the truth are looked for by rules that are not those of the masks (`told`): words count whole
here, nothing depends on where they stand, and criteria are read, which no mask does. So a fault in how
masks choose words shows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

# One trajectory repeats, in every observation, the instruction that its generator was given, with the
# whole true state in it.
_INSTRUCTION = re.compile(
    r"\ASimulate the environment feedback\. MUST reflect True State '.*?' \. -> ", re.DOTALL
)


# Written into some actions, as others carry it in a key of its own.
_LABEL = re.compile(r"[ \t]*\(Red Herring\)", re.IGNORECASE)


_ASIDE = re.compile(r"\btrue state\b", re.IGNORECASE)


SPAN: Final = 8
"""A run of this many words in two texts is a quotation; seven words meet by chance, as in "on the right
side of the cabin"."""


LONG: Final = 4
"""Letters of the words that are looked for: those of fewer seldom say anything by themselves."""


_EMPTY: Final = frozenset(
    (
        *("from", "have", "into", "rather", "than", "that", "their", "they"),
        *("this", "when", "where", "which", "with"),
    )
)


_WORD = re.compile(r"\w+")


# Read against all 126 criteria on the solution that speak of a request or an instruction: the others
# refute it, or ask that it be acknowledged.
_REWARDED: Final = re.compile(r"\bas requested\b", re.IGNORECASE)


Run = tuple[str, ...]


def without_traces(text: str) -> str:
    """`text` without instructions to its generator and without labels of misleading steps."""
    return _LABEL.sub("", _INSTRUCTION.sub("", text))


def names_true_state(text: str) -> bool:
    """Whether a narrator's aside speaks of the "true state", a term that no user would use."""
    return _ASIDE.search(text) is not None


def runs(texts: Iterable[str], length: int = SPAN) -> set[Run]:
    """All runs of `length` words within the texts, whatever their case and punctuation."""
    found: set[Run] = set()
    for text in texts:
        words: Sequence[str] = _WORD.findall(text.casefold())
        found.update(tuple(words[i : i + length]) for i in range(len(words) - length + 1))
    return found


def quoted(gold: str, shown: set[Run], length: int = SPAN) -> bool:
    """Whether `gold`, or `length` words of it in a row, are among the runs `shown`.

    A gold text of fewer words is never quoted: whole phrases such as "false causality" are common.
    """
    return not runs([gold], length).isdisjoint(shown)


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


def misdirected(criteria: Sequence[str]) -> list[int]:
    """The places, from 0, of criteria that are met by doing the wrong thing "as requested"."""
    return [place for place, text in enumerate(criteria) if _REWARDED.search(text)]


def digest(criterion: str) -> str:
    """The first 12 digits of the SHA-256 of a criterion, by which the manifest names it."""
    return hashlib.sha256(criterion.encode()).hexdigest()[:12]


def _says_something(word: str) -> bool:
    return len(word) >= LONG and word not in _EMPTY


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(_WORD.findall(text.casefold())))
