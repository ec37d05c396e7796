"""Words, names and sentences of what was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.socialmindchange.codes import content

RUN: Final = 6
"""A run of so many words is nobody's chance [O]."""

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_QUOTED: Final = re.compile(r'"[^"]*"?|“[^”]*”?')
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"”’)]*\s+|\n+")
_CAPITAL: Final = re.compile(r"(?<![\w'’-])[A-Z][\w-]*")
_BEGINS: Final = re.compile(r"(?:^|[.!?…:;—–(\n\"“‘'-])[\s\"“”‘’'()]*$")
_USUAL: Final = frozenset(
    re.findall(
        r"\w+",
        "I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May "
        "June July August September October November December Christmas Easter Halloween "
        "Thanksgiving Mr Mrs Ms Dr OK TV",
    )
)


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.casefold())


def count(text: str) -> int:
    """How many words a text has."""
    return len(words(text))


def processed(text: str) -> int:
    """How many words a word processor counts in a text."""
    return len(text.split())


def has_name(text: str, name: str) -> bool:
    """Whether somebody is named."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def without(text: str, names: Sequence[str], people: Iterable[int]) -> list[str]:
    """The names of those people that a text does not name."""
    return [names[one] for one in people if not has_name(text, names[one])]


def narrated(text: str) -> str:
    """A narrator's text without what is quoted in it."""
    return _QUOTED.sub(" … ", text)


def sentences(text: str) -> list[str]:
    """The sentences of a text, as they stand there."""
    return [one.strip() for one in _SENTENCE.split(text) if one.strip()]


def long_sentences(text: str) -> frozenset[str]:
    """The sentences of a text that have so many words that two units cannot both have them."""
    found = (words(one) for one in sentences(text))
    return frozenset(" ".join(one) for one in found if len(one) >= RUN)


def sentence_with(text: str, place: int) -> str:
    """The sentence around a place of a text."""
    end = 0
    for one in sentences(text):
        end = text.index(one, end) + len(one)
        if place < end:
            return one
    return text


def runs(text: str) -> frozenset[str]:
    """The runs of six words of a text."""
    found = words(text)
    return frozenset(" ".join(found[i : i + RUN]) for i in range(len(found) - RUN + 1))


def strangers(
    texts: Iterable[tuple[str, str]], names: Sequence[str], allowed: Sequence[str]
) -> Iterator[Fault]:
    """Names that are not of the unit: given names of others, and what has a capital for no reason.

    allowed  phrases with capitals that the unit has
    """
    known = _USUAL | set(names) | {one for phrase in allowed for one in _CAPITAL.findall(phrase)}
    for where, text in texts:
        for found in _CAPITAL.finditer(text):
            word = found[0].removesuffix("-")
            if known & {word, word.partition("-")[0]} or word.removesuffix("s") in _USUAL:
                continue
            if word in _given() or not _BEGINS.search(text[: found.start()]):
                yield Fault(
                    where,
                    f"“{sentence_with(text, found.start())}” names “{word}”, who or which is not of "
                    "this unit. Nobody else is in the story; names of places and things stand in "
                    "`capitals` of the context.",
                )


def is_person(phrase: str) -> bool:
    """Whether a given name stands in a phrase."""
    return not _given().isdisjoint(_CAPITAL.findall(phrase))


@cache
def _given() -> frozenset[str]:
    groups = content.load().people.groups
    return frozenset(name for one in groups for name in (*one.women, *one.men))
