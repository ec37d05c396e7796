"""What people say of themselves against their demographics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from otherminds.dataset_builders.hugagent.authored.texts import plain, sentences
from otherminds.dataset_builders.hugagent.schema import AGE, LEANING
from otherminds.dataset_builders.proofs import Fault

_UNITS: Final = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS: Final = {
    **{word: 10 * place for place, word in enumerate(_TENS, start=2)},
    **{
        f"{tens}-{unit}": 10 * place + more
        for place, tens in enumerate(_TENS, start=2)
        for more, unit in enumerate(_UNITS, start=1)
    },
    "eighteen": 18,
    "nineteen": 19,
}
_NUMBER: Final = "|".join([r"\d{2}", *sorted(_NUMBERS, key=len, reverse=True)])
_IS: Final = r"\bi(?:'m| am)(?: just| only| already)?"
_AGED: Final = re.compile(
    rf"{_IS} ({_NUMBER})(?= years old\b|[.,;:!?]|$| and\b| now\b)|"
    rf"\bat ({_NUMBER}),? (?:i am|i'm|i still|my age)\b"
)


class _Said(NamedTuple):
    """Words about oneself, and the value of an attribute that they are of."""

    attribute: str
    words: str
    values: str


_TABLE: Final = (
    _Said(LEANING, rf"{_IS} an? (?:\w+ )?(?:liberal|progressive|democrat)\b", r"liberal"),
    _Said(LEANING, rf"{_IS} an? (?:\w+ )?(?:conservative|republican)\b", r"conservative"),
    _Said("gender", rf"{_IS} a(?:n? \w+)? (?:woman|mother|grandmother|widow)\b", r"woman"),
    _Said("gender", rf"{_IS} a(?:n? \w+)? (?:man|father|grandfather|widower)\b", r"^man"),
    _Said("employment", rf"{_IS} retired\b|\bsince i retired\b", r"retired"),
    _Said("employment", rf"{_IS} (?:out of work|unemployed|between jobs)\b", r"looking"),
    _Said("employment", rf"{_IS} (?:a student|in college)\b", r"student"),
    _Said("housing", r"\b(?:i rent|my rent is)\b", r"^rents"),
    _Said("housing", r"\bmy mortgage\b", r"mortgage"),
    _Said("household", r"\bi live (?:alone|by myself|on my own)\b", r"alone"),
    _Said("household", r"\bmy (?:roommates?|housemates?)\b", r"roommates"),
    _Said("health insurance", rf"{_IS} (?:uninsured|on medicare)\b|\bi have no insurance\b",
          r"uninsured|government"),
)  # fmt: skip


def contradictions(demographics: Mapping[str, str], where: str, text: str) -> Iterator[Fault]:
    """What somebody says of themselves that they are not, in plain words in the first person."""
    for sentence in sentences(text):
        shown = plain(sentence)
        for found in _AGED.finditer(shown):
            said = next(filter(None, found.groups()))
            age = _NUMBERS.get(said) or int(said)
            if age != int(demographics[AGE]):
                yield Fault(where, f"“{sentence}” says {said}: the person is {demographics[AGE]}.")
        for one in _TABLE:
            value = demographics[one.attribute]
            if (hit := re.search(one.words, shown)) and not re.search(one.values, value):
                yield Fault(
                    where,
                    f"“{sentence}” says “{hit[0]}”, and the person's {one.attribute} is “{value}”.",
                )
