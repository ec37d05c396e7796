"""What texts have in common: beginnings of words, runs of words, sentences, and named secrets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

RUN: Final = 5
"""Words in a run by which texts are compared."""

SENTENCE: Final = 6
"""A sentence of so many words or more is nobody's chance."""

# A word counts by its beginning, as in `told`: "clock" and "clocks" are one.
_STEM: Final = 6
_SHORT: Final = 4
_JOINED: Final = 8
_WORD: Final = re.compile(r"[^\W_]+")
_ACCENT: Final = re.compile(r"[\u0300-\u036f]")
_SPELT: Final = re.compile(r"\b\w(?:[\W_]+\w\b)+")
_HYPHEN: Final = re.compile(r"(?<=\w)[-\u2010\u2011](?=\w)")
_END: Final = re.compile(r"(?<=[.!?])\s+")
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|nothing|neither|nor|cannot|without|rather than|instead of|wrong|"
    r"wrongly|mistaken|false|falsely|refutes?|rejects?|denies|contradicts?|rules? out|unrelated|"
    r"innocent|against)\b|n['’]t\b",
    re.IGNORECASE,
)
_COMMON: Final = frozenset(
    _WORD.findall(
        "about above after again against all also although among and another any are because been "
        "before being below between both but can cannot could did does doing done down due during each "
        "either else even ever every few for from further get gets give given gives goes going gone got "
        "had has have having her here hers herself him himself his how however into its itself just "
        "keep keeps know known less let like made make makes many may might more most much must "
        "neither never not nothing now off once one only onto other others our out over own per put "
        "rather said same say says see she should since some still such take taken takes than that "
        "the their theirs them themselves then there these they thing things this those though three "
        "through thus too toward towards two under unless until upon use used user users very was way "
        "well went were what when where whether which while who whom whose why will with within "
        "without would yet you your"
    )
)


def words(text: str) -> list[str]:
    """The words of a text, in small letters without accents, whatever forms of letters it has."""
    return _WORD.findall(_ACCENT.sub("", unicodedata.normalize("NFKD", text)).casefold())


def stem(word: str) -> str:
    """The beginning that a word counts by."""
    return word.removesuffix("s")[:_STEM] if len(word) > 3 else word


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words of three letters or more that say something."""
    return frozenset(stem(word) for word in words(text) if len(word) > 2 and word not in _COMMON)


def own_stems(text: str, known: Iterable[str]) -> frozenset[str]:
    """The beginnings in `text` that no text of `known` has."""
    return stems(text).difference(*map(stems, known))


def share(part: frozenset[str], text: str) -> float:
    """The share of `part` that stands in `text`; 0 where `part` is empty."""
    return len(part & stems(text)) / len(part) if part else 0.0


def common(part: frozenset[str], text: str) -> list[str]:
    """The words of `text` whose beginnings are in `part`, each once."""
    return list(dict.fromkeys(word for word in words(text) if stems(word) & part))


def named(text: str, phrases: Iterable[str]) -> list[str]:
    """The phrases whose words stand in a row in `text`, or as one word, whatever their endings.

    They are found with hyphens within words and where they are spelt letter by letter, too.
    """
    spelt = _SPELT.sub(lambda found: "".join(words(found[0])), text)
    read = [f" {' '.join(words(one))} " for one in (text, _HYPHEN.sub("", text), spelt)]
    return [one for one in phrases if any(map(_pattern(one).search, read))]


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    said = words(phrase)
    # "Lightseal" is a light seal; short words that meet are not.
    gap = " ?" if len("".join(said)) >= _JOINED else " "
    return re.compile(" " + gap.join(map(_with_ending, said)) + " ")


def _with_ending(word: str) -> str:
    if len(word) < _SHORT:
        return f"{word}s?"
    # "leak" finds "leaked" and "leakage", "rest" no "restaurant".
    return stem(word) + (r"\w*" if len(word) > _STEM else r"\w{0,3}")


def runs_of(texts: Iterable[str], length: int = RUN) -> list[tuple[str, ...]]:
    """All runs of `length` words within the texts, in order."""
    found = []
    for text in texts:
        said = words(text)
        found += [tuple(said[i : i + length]) for i in range(len(said) - length + 1)]
    return found


def grams(runs: Iterable[tuple[str, ...]]) -> frozenset[tuple[str, ...]]:
    """Runs as a set."""
    return frozenset(runs)


def overlap(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """The share of the smaller set's runs that the other has too; 0 where either is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [one for one in _END.split(text.strip()) if one]


def long_sentences(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """The sentences of SENTENCE words or more, as their words."""
    said = (tuple(words(one)) for text in texts for one in sentences(text))
    return frozenset(one for one in said if len(one) >= SENTENCE)


def negations(text: str) -> frozenset[str]:
    """The words by which a text denies something."""
    return frozenset(found.casefold() for found in _NEGATED.findall(text))


def shown(found: Sequence[str]) -> str:
    """Words or phrases as messages quote them."""
    return ", ".join(f"“{one}”" for one in found)
