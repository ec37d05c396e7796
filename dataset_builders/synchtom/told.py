"""What may be told of a user: belief, cause and profile that do not name the truth.

The source explains many beliefs by contrast ("…, ignoring that it is X"), so that its cause, and at
times its profile, names what a model is to find out. Where a text names the truth, the words that are
the truth's own are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MASK: Final = "[…]"
"""What stands in place of what is masked."""

NAMED: Final = 1 / 3
"""A text names the truth when it has this share of the truth's own words. Chosen by reading: of the 34
texts of the source that reach it, at most four do not name the truth. Below it, some hint at the truth
in other words, which no count of words tells from those that do not."""

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

# Labels of the source's own formula of a misconception, which a few causes carry.
_TRUTH_LABEL: Final = re.compile(r"[^,.;]*\(True State\)")
_LABEL: Final = re.compile(r"\s*\((?:Belief(?: b)?|Evidence X)\)")


def own_words(truth: str, known: Iterable[str]) -> frozenset[str]:
    """The truth's own words, by their beginnings: those that no text of `known` has.

    known  what is no secret: what the user saw and asks for, and what the user believes
    """
    return _beginnings(truth).difference(*map(_beginnings, known))


def share_named(text: str, own: frozenset[str]) -> float:
    """The share of the truth's own words that stand in `text`; 0 for a truth without any."""
    return len(own & _beginnings(text)) / len(own) if own else 0.0


def names(text: str, own: frozenset[str]) -> bool:
    """Whether `text` names the truth, or labels a part of it as the true state."""
    return share_named(text, own) >= NAMED or _TRUTH_LABEL.search(text) is not None


def masked(text: str, own: frozenset[str]) -> str:
    """`text` without the source's labels and, where it names the truth, without what names it.

    A clause that is labelled as the true state is masked whole, else the truth's own words are.
    """
    unlabelled = _LABEL.sub("", _TRUTH_LABEL.sub(f" {MASK}", text))
    if share_named(unlabelled, own) < NAMED:
        return unlabelled
    return _WORD.sub(lambda word: MASK if _beginning(word[0]) in own else word[0], unlabelled)


def _beginnings(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(_beginning(word) for word in words if word not in _COMMON)


def _beginning(word: str) -> str:
    folded = word.casefold()
    return "" if folded in _COMMON else folded.removesuffix("s")[:_STEM]
