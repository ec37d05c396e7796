"""The normal form of labels: two labels with the same one name the same concept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_APART = re.compile(r"[\W_]+")
_OWNED = re.compile(r"['’]s\b")
_ARTICLES = frozenset({"a", "an", "the"})
_NO_PLURAL = ("ss", "us", "is")
_ES = ("sses", "xes", "zes", "ches", "shes")
_SHORTEST = 4


@lru_cache(maxsize=1 << 16)
def normal_form(label: str) -> str:
    """Lower case, singular, without articles and punctuation, words apart by one space.

    "The Housing-costs" and "housing cost" have the same. Singular is by ending (-ies, -es after a hiss,
    -s), in words of four letters or more; no dictionary is asked, so "news" becomes "new" in both
    labels alike. A label of articles or punctuation alone keeps these.
    """
    text = _OWNED.sub("", unicodedata.normalize("NFKC", label).casefold())
    words = [word for word in _APART.split(text) if word]
    kept = [one for one in map(_singular, words) if one not in _ARTICLES]
    return " ".join(kept) or " ".join(words) or text.strip()


def _singular(word: str) -> str:
    if len(word) < _SHORTEST or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > _SHORTEST else word[:-1]
    if word.endswith(_ES):
        return word[:-2]
    return word.removesuffix("s")
