"""How often the same sentence is used: sentences with the names and nouns of their stage taken out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"”]?\s+|(?<=: )(?=\")")
_PRONOUN: Final = re.compile(r"\b(he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)


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
