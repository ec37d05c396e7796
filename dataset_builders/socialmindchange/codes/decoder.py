"""Finding out what a line of a scene was written from: the content files read backwards.

For audits only: it shows that each mind can be told from the text, and that no wording can be taken for
another. A language model is not expected to work like this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.text import parts

Meaning: TypeAlias = tuple[Any, ...]
"""What a line shows: its kind, then the values."""

_NAME: Final = r"[A-Z][a-z]+"
_FREE: Final = r".{1,80}?"
_ABOUT: Final = frozenset({"x", "y"})
_NAMES: Final = frozenset({"t", "z", "p", "agent", "gone", "other"})

_SHOWING: Final = ("belief", "intention", "guess", "gesture", "circumstance", "bridge", "act")
"""The banks whose lines are written to show something of a scene."""

_EXPANSIONS: Final = tuple(
    (re.compile(pattern), full)
    for pattern, full in (
        (r"\bwon't\b", "will not"),
        (r"\bcan't\b", "cannot"),
        (r"n't\b", " not"),
        (r"\bI'm\b", "I am"),
        (r"'ll\b", " will"),
        (r"\bI'd\b", "I would"),
        (r"\b(That|It|There|What|Who|that|it|there|what|who)'s\b", r"\1 is"),
        (r"'re\b", " are"),
        (r"\b([Ll])et's\b", r"\1et us"),
    )
)


@dataclass(frozen=True)
class Found:
    """What a text was read as: its meaning and the name it is about, if any."""

    meaning: Meaning
    about: str | None


class Decoder:
    """Reads lines of the banks that say something about minds."""

    def __init__(self, content: Content) -> None:
        self._content = content
        habits = [before for voice in content.voices.values() for before in voice.before]
        remarks = [after for voice in content.voices.values() for after in voice.after]
        self._habit = re.compile(f"(?:{'|'.join(map(re.escape, habits))}) ")
        self._remark = re.compile(f" (?:{'|'.join(map(re.escape, remarks))})$")
        self._banks = {
            name: [(pattern(line), meaning) for meaning, line in entries]
            for name, entries in _banks(content).items()
        }

    def spoken(self, text: str) -> list[Found]:
        """What somebody shows of a belief or an intention."""
        return self._read(("belief", "intention"), self._plain(text))

    def guessed(self, text: str) -> list[Found]:
        """What somebody takes another to believe."""
        return self._read(("guess",), self._plain(text))

    def narrated(self, text: str) -> list[Found]:
        """What is told of a feeling, a circumstance, or of what was done between scenes."""
        return self._read(("gesture", "circumstance", "bridge"), text)

    def within(self, bank: str, text: str) -> list[Found]:
        """What is found of a bank anywhere in a longer text."""
        return [
            Found(meaning, _name(found))
            for line, meaning in self._banks[bank]
            for found in line.finditer(text)
        ]

    def anywhere(self, text: str) -> frozenset[Found]:
        """All that a text shows of minds and of what was done, in whatever place, spoken or told."""
        return frozenset(
            found
            for wording in {text, self._plain(text)}
            for bank in _SHOWING
            for found in self.within(bank, wording)
        )

    def _read(self, banks: Iterable[str], text: str) -> list[Found]:
        return [
            Found(meaning, _name(found))
            for bank in banks
            for line, meaning in self._banks[bank]
            if (found := line.fullmatch(text))
        ]

    def _plain(self, text: str) -> str:
        """The text without habit, remark and contractions."""
        text = self._remark.sub("", self._habit.sub("", text, count=1))
        for short, full in _EXPANSIONS:
            text = short.sub(full, text)
        return text


def pattern(line: str) -> re.Pattern[str]:
    """What a line of a content file may have become."""
    numbers = count()
    pieces = [f"(?:{'|'.join(_piece(choice, numbers) for choice in part)})" for part in parts(line)]
    return re.compile("".join(pieces), re.IGNORECASE)


def _piece(text: str, numbers: Iterator[int]) -> str:
    cut = re.split(r"\{(\w+)\}", text)
    return "".join(
        _slot(piece, numbers) if place % 2 else re.escape(piece) for place, piece in enumerate(cut)
    )


def _slot(name: str, numbers: Iterator[int]) -> str:
    if name in _ABOUT:
        return f"(?P<about{next(numbers)}>(?-i:{_NAME}))"
    return f"(?-i:{_NAME})" if name in _NAMES else _FREE


def _name(found: re.Match[str]) -> str | None:
    """The first name found for whom a line is about."""
    return next((name for name in found.groupdict().values() if name), None)


def _banks(content: Content) -> dict[str, list[tuple[Meaning, str]]]:
    frame = content.frame
    return {
        "belief": [
            (("belief", level, matter), line)
            for level, matters in content.beliefs.items()
            for matter, lines in matters.items()
            for line in lines
        ],
        "intention": list(_by_kind("intention", content.intentions)),
        "gesture": list(_by_kind("gesture", content.gestures)),
        "circumstance": [
            (("circumstance", name), line)
            for name, way in content.ways.items()
            for line in way.seen
        ],
        "bridge": [
            (("bridge", name), line)
            for name, texts in frame.bridges.items()
            for line in (*texts.helped, *texts.kept, *texts.worse)
        ],
        "act": [
            (("act", level, matter, agency), line)
            for level, matters in content.acts.items()
            for matter, agencies in matters.items()
            for agency, act in agencies.items()
            for line in (*act.words, *act.deeds)
        ],
        "guess": [
            (("guess", matter), f"{lead} {line}.")
            for matter in content.beliefs["troubled"]
            for line in frame.guesses.on(matter)
            for lead in frame.guesses.leads
        ],
        "norm": [
            (("norm", norm), line)
            for norm, lines in content.background.norms.items()
            for line in lines
        ],
        "goal": [
            (("goal", goal), line.replace("{p}", "{x}"))
            for goal, lines in content.background.goals.items()
            for line in lines
        ],
        "face": [
            (("face", setting), line)
            for setting, lines in content.background.face.items()
            for line in lines
        ],
    }


def _by_kind(
    name: str, banks: Mapping[Any, Mapping[Any, Mapping[Any, Sequence[str]]]]
) -> Iterator[tuple[Meaning, str]]:
    for level, matters in banks.items():
        for matter, agencies in matters.items():
            for agency, lines in agencies.items():
                for line in lines:
                    yield (name, level, matter, agency), line
