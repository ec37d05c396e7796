"""Sentences with choices: `[this|that [or|and] more]`, `{slots}`, numbers, and whom they fit.

`{nb}` is filled from slots or, where there is none of the name, by a line of the rule of that name.
`{3-9}` is a number in words, `{#200-900/50}` one in digits and steps, `{#1920-1960}` a year.
`a(n)` becomes `a` or `an`. A line that begins `<kids !car> ` fits whom the tag `kids` fits and `car`
does not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final, TypeAlias

import numpy as np
from pydantic import BeforeValidator, Field, InstanceOf

from otherminds.dataset_builders.draws import pick

Part: TypeAlias = "str | Slot | Choice"
Parts: TypeAlias = "tuple[Part, ...]"


class GrammarError(ValueError):
    """A line cannot be read, or asks for a slot that nothing fills."""


@dataclass(frozen=True)
class Slot:
    """A place to be filled."""

    name: str


@dataclass(frozen=True)
class Choice:
    """Alternatives, each equally likely."""

    options: tuple[Parts, ...]


@dataclass(frozen=True)
class Line:
    """One line: what it is made of, and the tags that a person needs or must not have."""

    text: str
    parts: Parts
    needs: frozenset[str]
    bars: frozenset[str]

    def fits(self, tags: Collection[str]) -> bool:
        """Whether the line is for a person with these tags."""
        return self.needs.issubset(tags) and self.bars.isdisjoint(tags)


Rules: TypeAlias = Mapping[str, Sequence[Line]]


def _lines(value: object) -> object:
    """The lines of a block of text, each parsed."""
    if isinstance(value, str):
        return tuple(parse(line.strip()) for line in value.splitlines() if line.strip())
    return value


Lines: TypeAlias = Annotated[
    tuple[InstanceOf[Line], ...], BeforeValidator(_lines), Field(min_length=1)
]
"""As pydantic reads them from a block of text, one on each line."""

_TAGS: Final = re.compile(r"<([^>]*)>\s*")
_TOKEN: Final = re.compile(r"[\[\]|]|\{[^{}]*\}|[^\[\]|{}]+")
_NUMBER: Final = re.compile(r"(#?)(\d+)-(\d+)(?:/(\d+))?$")
_ARTICLE: Final = re.compile(r"\b([Aa])\(n\) (?=(\w))")
_SPACES: Final = re.compile(r"\s+")
_BEFORE_MARK: Final = re.compile(r"\s+([,.;:?!])")

_ONES: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS: Final = (
    *("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)


@lru_cache(maxsize=2**16)
def parse(text: str) -> Line:
    """The line that a text means; raises GrammarError where brackets or braces do not match."""
    needs: set[str] = set()
    bars: set[str] = set()
    body = text
    if match := _TAGS.match(text):
        for tag in match[1].split():
            (bars if tag.startswith("!") else needs).add(tag.removeprefix("!"))
        body = text[match.end() :]
    tokens = _TOKEN.findall(body)
    if "".join(tokens) != body:
        raise GrammarError(f"A brace is left open in '{text}'.")
    parts, left = _sequence(tokens, 0, text, nested=False)
    if left != len(tokens):
        raise GrammarError(f"A bracket is closed twice in '{text}'.")
    return Line(text, parts, frozenset(needs), frozenset(bars))


def _sequence(marks: list[str], at: int, text: str, *, nested: bool) -> tuple[Parts, int]:
    parts: list[Part] = []
    while at < len(marks):
        mark = marks[at]
        if mark == "[":
            options: list[Parts] = []
            while True:
                option, at = _sequence(marks, at + 1, text, nested=True)
                options.append(option)
                if at >= len(marks):
                    raise GrammarError(f"A bracket is left open in '{text}'.")
                if marks[at] == "]":
                    break
            parts.append(Choice(tuple(options)))
        elif mark in "]|":
            if not nested and mark == "|":
                raise GrammarError(f"A bar stands outside of brackets in '{text}'.")
            return tuple(parts), at
        elif mark.startswith("{"):
            parts.append(Slot(mark[1:-1]))
        else:
            parts.append(mark)
        at += 1
    return tuple(parts), at


def write(
    rng: np.random.Generator,
    line: Line,
    slots: Mapping[str, str],
    rules: Rules,
    tags: Collection[str] = (),
) -> str:
    """One wording of the line, with its slots filled and its spaces and articles put right."""
    text = _fill(rng, line.parts, slots, rules, tags)
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip()
    return _ARTICLE.sub(lambda found: f"{found[1]}{_n(found[2])} ", text)


def _fill(
    rng: np.random.Generator,
    parts: Parts,
    slots: Mapping[str, str],
    rules: Rules,
    tags: Collection[str],
) -> str:
    found: list[str] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Choice):
            found.append(_fill(rng, pick(rng, part.options), slots, rules, tags))
        else:
            found.append(_slot(rng, part.name, slots, rules, tags))
    return "".join(found)


def _slot(
    rng: np.random.Generator,
    name: str,
    slots: Mapping[str, str],
    rules: Rules,
    tags: Collection[str],
) -> str:
    if name in slots:
        return slots[name]
    if name in rules:
        fitting = [line for line in rules[name] if line.fits(tags)]
        if not fitting:
            raise GrammarError(f"No line of the rule '{name}' fits {sorted(tags)}.")
        return _fill(rng, pick(rng, fitting).parts, slots, rules, tags)
    if number := _NUMBER.match(name):
        step = int(number[4] or 1)
        low, high = int(number[2]), int(number[3])
        drawn = low + step * int(rng.integers((high - low) // step + 1))
        if not number[1]:
            return in_words(drawn)
        # Years and house numbers, which have no step, take no comma.
        return f"{drawn:,}" if number[4] else str(drawn)
    raise GrammarError(f"Nothing fills the slot '{name}'.")


def names(parts: Parts) -> set[str]:
    """The names of all slots in the parts."""
    found: set[str] = set()
    for part in parts:
        if isinstance(part, Slot):
            found.add(part.name)
        elif isinstance(part, Choice):
            for option in part.options:
                found |= names(option)
    return found


def is_number(name: str) -> bool:
    """Whether a slot of this name is a number to be drawn."""
    return _NUMBER.match(name) is not None


def in_words(number: int) -> str:
    """A number as people say it, up to ninety-nine in words."""
    if number < 20:
        return _ONES[number]
    if number >= 100:
        return f"{number:,}"
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")


def _n(letter: str) -> str:
    return "n" if letter.lower() in "aeiou" else ""
