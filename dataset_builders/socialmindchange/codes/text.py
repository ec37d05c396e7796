"""Turning a line of a content file into a sentence, and sentences back into skeletons.

A line has choices in brackets, `[a|b]`, and slots in braces, `{name}`. Every way through the choices
is a wording of its own. A skeleton is a sentence without the names and nouns of its stage: by skeletons
one counts how often the same sentence is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import pick

Line: TypeAlias = tuple[tuple[str, ...], ...]
"""The parts of a line in order, each with its alternatives."""


_CHOICE = re.compile(r"\[([^\[\]]*)\]")


_SLOT = re.compile(r"\{(\w*)\}")


_START = re.compile(r"(^\"?|[.!?]\s+\"?|\.\"\s+|: \")([a-z])")


_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"”]?\s+|(?<=: )(?=\")")


_PRONOUN: Final = re.compile(r"\b(he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)


@lru_cache(maxsize=2**14)
def parts(line: str) -> Line:
    """The line cut at its choices."""
    found: list[tuple[str, ...]] = []
    end = 0
    for choice in _CHOICE.finditer(line):
        found += [(line[end : choice.start()],), tuple(choice[1].split("|"))]
        end = choice.end()
    return tuple(part for part in [*found, (line[end:],)] if part != ("",))


def slots(line: str) -> frozenset[str]:
    """The names of a line's slots."""
    return frozenset(_SLOT.findall(line))


def wordings(line: str) -> int:
    """How many ways there are through the choices of a line."""
    count = 1
    for part in parts(line):
        count *= len(part)
    return count


def write(rng: np.random.Generator, line: str, values: Mapping[str, str]) -> str:
    """One wording of the line with its slots filled, sentences capitalized."""
    chosen = "".join(part[0] if len(part) == 1 else pick(rng, part) for part in parts(line))
    return sentence_case(fill(chosen, values))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its slots filled; no choices."""
    return text.format_map(values)


def sentence_case(text: str) -> str:
    """The text with a capital at the start of each sentence, and of speech after a colon."""
    return _START.sub(lambda found: found[1] + found[2].upper(), text)


def listed(names: Sequence[str]) -> str:
    """The names as one phrase: A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def shares(stages: Iterable[Mapping[str, Any]]) -> tuple[int, Counter[str]]:
    """How many scenes there are, and in how many of them each skeleton occurs.

    `stages` are rows of the table of stages.
    """
    scenes = 0
    found: Counter[str] = Counter()
    for row in stages:
        masks = _masks(row)
        for scene in row["scenes"]:
            scenes += 1
            found.update(
                {skeleton for turn in scene["turns"] for skeleton in skeletons(turn["text"], masks)}
            )
    return scenes, found


def skeletons(text: str, masks: re.Pattern[str]) -> Iterator[str]:
    """The sentences of a text without names, pieces of work, place, project and pronouns."""
    for sentence in _SENTENCE.split(text):
        if sentence:
            masked = masks.sub("_", sentence)
            yield _PRONOUN.sub("~", masked).strip().lower()


def _masks(row: Mapping[str, Any]) -> re.Pattern[str]:
    """Whatever varies from stage to stage in a line: longest first, so that parts do not hide wholes."""
    words = {one["given"] for one in row["characters"]}
    words |= {row["project"], row["place"], row["due"], *row["things"], *row["corners"]}
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(re.escape(word) for word in ordered), re.IGNORECASE)
