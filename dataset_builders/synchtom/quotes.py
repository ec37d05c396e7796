"""Whether a gold text can be read in what a prompt shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

SPAN: Final = 8
"""A run of this many words in two texts is a quotation; seven words meet by chance, as in "on the right
side of the cabin"."""

_WORD = re.compile(r"\w+")

Run = tuple[str, ...]


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
