"""An option that is named by what sets it apart from the others, in other words than its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NEGATION = re.compile(r"\b(?:not|no|never|nor|neither|without|cannot)\b|n't\b", re.IGNORECASE)
# "embarrassed rather than outraged", "Lydia and not Ian"
_CONTRAST = re.compile(
    r"\b(?:rather\s+than|instead\s+of|as\s+opposed\s+to|and\s+not|not)\s+[^\W\d_]+(?=\s*(?:[,.;:]|$))"
    r"|\b(?:rather\s+than|instead\s+of|as\s+opposed\s+to)\s+[^\W\d_]+",
    re.IGNORECASE,
)
# Words that a sentence may have for its own grammar.
_COMMON = re.compile(
    r"(?:that|this|with|from|does|have|what|which|when|then|than|rather|first|later|after|before"
    r"|into|towards?|about|being|their|there|they|them|will|would|could|should|scene|because|since"
    r"|between|while|where|these|those|both|only|just|also|more|most|some|same|such)$",
    re.IGNORECASE,
)
_STEM, _SHORTEST, _FEWEST, _LONGEST = 6, 4, 3, 500
_COVERED = 0.6


class Descriptions:
    """What sets each of several options apart: the words that some of them have and others lack."""

    def __init__(self, options: Sequence[str]) -> None:
        self._options = tuple(options)

    @cached_property
    def _words(self) -> list[set[str]]:
        words = [_stems(option) for option in self._options]
        shared = set.intersection(*words) if words else set()
        return [own - shared for own in words]

    def named(self, text: str, *, whole: bool) -> int | None:
        """The position of the only option with all the words in `text` that set options apart.

        None unless it has three of them and most of that option's own (all, if `whole`), and as many
        negations as it: none or some. A text that also names what belongs to other options has none.
        """
        if len(text) > _LONGEST:
            return None
        text = _CONTRAST.sub(" ", text)
        stems = _stems(text)
        if len(stems) < _FEWEST:
            return None
        said = stems & set().union(*self._words)
        share = 1.0 if whole else _COVERED
        negated = _NEGATION.search(text) is not None
        found = [
            place
            for place, own in enumerate(self._words)
            if said <= own and len(said) >= max(_FEWEST, share * len(own))
        ]
        if len(found) != 1:
            return None
        if (_NEGATION.search(self._options[found[0]]) is not None) is not negated:
            return None
        return found[0]


def _stems(text: str) -> set[str]:
    """Beginnings of the words that carry meaning, names among them, as sets compare them."""
    found = set()
    for number, match in enumerate(_WORD.finditer(text)):
        word = match[0].split("'")[0]
        name = word[0].isupper() and number > 0 and len(word) > 1
        if (len(word) >= _SHORTEST or name) and not _COMMON.match(word):
            found.add(word.lower()[:_STEM])
    return found
