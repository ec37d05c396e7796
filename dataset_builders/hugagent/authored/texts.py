"""Words, sentences and names of what was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

RUN: Final = 6
"""A run of so many words is nobody's chance [O]."""

NAMED: Final = "…"
"""Stands for a name of a thing."""

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"”’)]*\s+|\n+")


def plain(text: str) -> str:
    """A text in small letters, with straight apostrophes and single blanks."""
    return " ".join(text.replace("’", "'").replace("‘", "'").split()).casefold()


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(plain(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, as they stand there."""
    return [one.strip() for one in _SENTENCE.split(text) if one.strip()]


_ARTICLE: Final = re.compile(r"^(?:the|a|an) (?=\S+ \S)")
_TAKES_UP: Final = re.compile(
    r"(?:and )?(?:so|therefore|thus|hence|then|which|that's why|that is why|because of|as a result|"
    r"that way|"
    r"that (?:made|makes|brought|brings|meant|means|did|does)|from that)\b"
)


def statements(text: str) -> list[str]:
    """The sentences of a text; what takes up the one before (so …, that is why …) is one with it."""
    found: list[str] = []
    for one in sentences(text):
        if found and _TAKES_UP.match(plain(one)):
            found[-1] += f" {one}"
        else:
            found.append(one)
    return found


def runs(text: str, size: int = RUN) -> frozenset[str]:
    """The runs of so many words of a text."""
    found = words(text)
    return frozenset(" ".join(found[i : i + size]) for i in range(len(found) - size + 1))


def long_sentences(text: str) -> frozenset[str]:
    """The sentences of a text that have so many words that two units cannot both have them."""
    found = (words(one) for one in sentences(text))
    return frozenset(" ".join(one) for one in found if len(one) >= RUN)


def around(text: str, quote: str) -> str:
    """The sentences of a text in which a quote stands, or the quote where it runs over several."""
    wanted = plain(quote)
    return next((one for one in sentences(text) if wanted in plain(one)), quote)


def named(text: str, phrases: Mapping[str, Sequence[str]]) -> list[str]:
    """The things that a text names, by the phrases of each."""
    shown = plain(text)
    return [thing for thing, own in phrases.items() if _pattern(tuple(own)).search(shown)]


def runs_beside(text: str, phrases: Mapping[str, Sequence[str]], size: int) -> frozenset[str]:
    """The runs of so many words of a text, none over a name of a thing."""
    return frozenset[str]().union(*(runs(part, size) for part in _between(text, phrases)))


def runs_through(text: str, phrases: Mapping[str, Sequence[str]], size: int) -> frozenset[str]:
    """The runs of so many words of a text that have a name of a thing, each name as one word, NAMED."""
    first, *others = map(words, _between(text, phrases))
    found = first + [word for part in others for word in (NAMED, *part)]
    parts = (found[place : place + size] for place in range(len(found) - size + 1))
    return frozenset(" ".join(one) for one in parts if NAMED in one)


def _between(text: str, phrases: Mapping[str, Sequence[str]]) -> list[str]:
    """What stands before, between and behind the names of things."""
    every = tuple(phrase for own in phrases.values() for phrase in own)
    return _pattern(every).split(plain(text))


@lru_cache(maxsize=10_000)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """A phrase stands where its words do, a plural or genitive of the last one as well.

    An article before several words may be another: “that public plan” is “the public plan”.
    """
    found = "|".join(re.escape(_ARTICLE.sub("", plain(one))) for one in phrases)
    return re.compile(rf"(?<!\w)(?:{found})(?:e?s|'s|s')?(?!\w)")


def one_of(pattern: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds each of these words or phrases, themselves patterns."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(pattern)})(?!\w)")
