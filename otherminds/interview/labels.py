"""Labels of concepts: which texts can be one, and when two are the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

from otherminds import control_tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES: Final = _words("a an the my our your their his her its this that these those")
_VOCABULARY: Final = _words(
    "effect influence impact strength support change stance opinion question answer topic level "
    "factor reason weight importance something anything everything nothing thing it he she they "
    "we i you who what which"
)
"""Words of the questionnaire itself, and those that name no concept."""
_QUALIFIERS: Final = _words(
    "positive negative strong weak big large small little no high low great overall general"
)
_NO_NOUN_PHRASE: Final = _words(
    "i you he she we they because if when that and or but so is are was were be been do does did "
    "can could will would should may might must have has had not don't doesn't please ignore "
    "raises lowers increases decreases reduces causes"
)
"""Words that a short noun phrase of a concept has nowhere as its first word."""
_CLAUSE: Final = _words("is are was were because i he she we they don't doesn't")
"""Words that make a phrase a clause wherever they stand."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_ODD: Final = re.compile(r"[<>{}\[\]|\\`=;:!?\"“”#*_/\n\r\t]|->|→")
_UNCHANGED: Final = ("ss", "us", "is", "news", "series", "species")
_LONGEST: Final = 80
_BUSES: Final = re.compile(r"(?!\w*(?:ab|exc|ref|acc)uses$|[fmr]?uses$)\w*[^aeo\W]uses")
"""Plurals of words in -us: buses and campuses, but not causes, houses and abuses."""


@lru_cache(maxsize=8192)
def normal_form(label: str) -> str:
    """Lower case, singular, without articles and possessives, words parted by one blank."""
    text = unicodedata.normalize("NFKC", label).casefold().replace("’", "'")
    words = [re.sub(r"'s?$", "", word) for word in re.findall(r"[^\W_]+(?:['\-][^\W_]+)*'?", text)]
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(_singular(word) for word in words)


def node_id(label: str) -> str:
    """The id of a new concept: it follows from the label alone, and holds nothing of it."""
    return "n" + hashlib.sha256(normal_form(label).encode()).hexdigest()[:10]


def bare(label: str) -> str:
    """A label as it is kept: without articles and possessives in front, and blanks around."""
    words = label.split()
    while len(words) > 1 and words[0].casefold() in _ARTICLES:
        words = words[1:]
    return " ".join(words)


@lru_cache(maxsize=8192)
def label_fault(label: str, *, stance_labels: tuple[str, ...], max_words: int) -> str | None:
    """Why a text cannot be the label of a new concept; None where it can.

    `long`: more than `max_words` words; `no noun phrase`: empty, a clause, or with signs that no noun
    phrase has (control tokens of chat templates among them); `vocabulary`: a word of the questionnaire
    itself; `stance`: the stance.
    """
    words = _WORD.findall(label.replace("’", "'").casefold())
    form = normal_form(label)
    if not words or not form or not any(sign.isalpha() for sign in form):
        return "no noun phrase"
    if len(words) > max_words or len(label) > _LONGEST:
        return "long"
    if _ODD.search(label) or control_tokens.neutral(label) != label or not label.isprintable():
        return "no noun phrase"
    if label.rstrip().endswith((".", ",")) or words[0] in _NO_NOUN_PHRASE or _CLAUSE & set(words):
        return "no noun phrase"
    if form in {normal_form(one) for one in stance_labels}:
        return "stance"
    core = [word for word in form.split() if word not in _QUALIFIERS]
    if not core or set(core) <= _VOCABULARY:
        return "vocabulary"
    return None


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(_UNCHANGED) or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")) or _BUSES.fullmatch(word):
        return word[:-2]
    return word[:-1]
