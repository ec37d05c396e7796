"""What may be told of a user: cause and profile without the words that name the truth.

The source explains many beliefs by contrast ("…, ignoring that it is X"), so that its cause, and at
times its profile, names what a model is to find out. Of such texts, words that are the truth's own are
masked: all of them where a text has a third of them, else those in a contrast and those that stand
together. A single own word elsewhere stays, and so does a hint in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple

MASK: Final = "[…]"
"""What stands in place of what is masked."""

NAMED: Final = 1 / 3
"""A text names the truth when it has this share of the truth's own words. Chosen by reading: of the 34
texts of the source that reach it, at most four do not name the truth."""

# A word counts by its beginning, without a plural's s: "clock" and "clocks" are one, and so are "season"
# and "seasonal".
_STEM = 6
_WORD: Final = re.compile(r"[^\W_]{3,}")
# Words that say nothing by themselves.
_COMMON: Final = frozenset(
    _WORD.findall(
        "about above after again against all also although among and another any are because "
        "been before being below between both but can cannot could did does doing down due "
        "during each either every few for from further had has have having hence her here "
        "hers him his how however into its itself just less like may might more most must "
        "neither nor not now off once one only onto other others our out over own per rather "
        "same shall she should since some such than that the their theirs them themselves "
        "then there these they this those though through thus too toward towards two under "
        "unless until upon user users very was were what when where whether which while who "
        "whom whose why will with within without would yet you your"
    )
)

# What a user did not see is the truth: in brackets, or after words that set it against the belief.
_CONTRAST: Final = re.compile(
    r"\([^()]*\)|\b(?:rather than|instead of|over|ignor\w*|overlook\w*|disregard\w*|dismiss\w*|"
    r"neglect\w*|actually|unaware|fail(?:ed|ing|s)? to|miss(?:ed|es|ing)?|despite|without)\b[^.,;:()]*",
    re.IGNORECASE,
)

# Labels of the source's own formula of a misconception, which a few causes carry.
_TRUTH_LABEL: Final = re.compile(r"[^,.;]*\(True State\)")
_LABEL: Final = re.compile(r"\s*\((?:Belief(?: b)?|Evidence X)\)")


class Truth(NamedTuple):
    """What names a truth.

    own    its own words, by their beginnings
    pairs  two of its words that follow each other, by their beginnings
    """

    own: frozenset[str]
    pairs: frozenset[tuple[str, str]]


def truth_of(text: str, known: Iterable[str]) -> Truth:
    """What names the truth `text`: its own words are those that no text of `known` has.

    known  what is not secret: what the user saw and asks for, and what the user believes
    """
    own = _beginnings(text).difference(*map(_beginnings, known))
    words = [_beginning(word) for word in _WORD.findall(text)]
    return Truth(own, frozenset(pair for pair in pairwise(words) if all(pair)))


def share_named(text: str, truth: Truth) -> float:
    """The share of the truth's own words that stand in `text`; 0 for a truth without any."""
    return len(truth.own & _beginnings(text)) / len(truth.own) if truth.own else 0.0


def names(text: str, truth: Truth) -> bool:
    """Whether `masked` would mask anything: this is its own rule, and no check of it."""
    return bool(_naming(text, truth)) or _TRUTH_LABEL.search(text) is not None


def masked(text: str, truth: Truth) -> str:
    """`text` without the source's labels and without the words that name the truth.

    A clause that is labelled as the true state is masked whole. Else these are masked of the truth's own
    words: all, where `text` has a share of NAMED of them; those in brackets or after words of contrast
    ("rather than", "ignored"), to the end of the clause; those beside another one; and those beside the
    word that they stand beside in the truth.
    """
    unlabelled = _LABEL.sub("", _TRUTH_LABEL.sub(f" {MASK}", text))
    hidden = _naming(unlabelled, truth)
    return _WORD.sub(lambda word: MASK if word.start() in hidden else word[0], unlabelled)


def _naming(text: str, truth: Truth) -> frozenset[int]:
    """Where the words start that name the truth."""
    words = [(found.start(), _beginning(found[0])) for found in _WORD.finditer(text)]
    own = {start for start, word in words if word in truth.own}
    if share_named(text, truth) >= NAMED:
        return frozenset(own)
    contrasts = [found.span() for found in _CONTRAST.finditer(text)]
    naming = {start for start in own if any(low <= start < high for low, high in contrasts)}
    for (first, one), (second, other) in pairwise(words):
        if {first, second} <= own or (one, other) in truth.pairs:
            naming |= {first, second} & own
    return frozenset(naming)


def _beginnings(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(_beginning(word) for word in words if word not in _COMMON)


def _beginning(word: str) -> str:
    folded = word.casefold()
    return "" if folded in _COMMON else folded.removesuffix("s")[:_STEM]
