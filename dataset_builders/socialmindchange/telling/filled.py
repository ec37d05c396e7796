"""Lexicons that a grammar fills, from `content/deeds.yaml` and `content/phrases.yaml`.

Besides the keys that every lexicon has, `fill` makes two: `matter.M.stake.own`, the stake of the bearer,
and `word.none`, what the guide does who says nothing. In `deeds.yaml` the doer's aim is written once;
why, proof and the guide's word are made from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import numpy as np
from pydantic import BeforeValidator, Field, TypeAdapter

from otherminds.dataset_builders.content_files import read
from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.socialmindchange.codes.content import Lines
from otherminds.dataset_builders.socialmindchange.codes.text import parts, sentence_case
from otherminds.dataset_builders.socialmindchange.telling.lexicon import (
    Lexicon,
    LexiconError,
    Named,
)
from otherminds.dataset_builders.socialmindchange.world.conduct import Emotion, Intention, Manner
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    GUIDE,
    STAKES,
    VALUES,
    Ear,
    Face,
    Frame,
    Stake,
    Value,
)
from otherminds.strict import Strict

FOLDER: Final = Path(__file__).resolve().parent / "content"

_Key = TypeVar("_Key", bound=str)
_Line = TypeVar("_Line", str, tuple[str, str])


def _pairs(value: object) -> object:
    """The lines of a block of text, each cut in two at ` // `."""
    if isinstance(value, str):
        lines = (line.strip() for line in value.splitlines())
        return tuple(tuple(line.split(" // ")) for line in lines if line)
    return value


Pairs: TypeAlias = Annotated[
    tuple[tuple[str, str], ...], BeforeValidator(_pairs), Field(min_length=1)
]


class Deed(Strict):
    """A kind of deed.

    `good` and `ill` pair an aim with what others say of it, `proof` a thing with how it is told.
    """

    topic: str
    deed: str
    by: str
    good: Pairs
    ill: Pairs
    proof: Pairs

    def aims(self, value: Value) -> Pairs:
        """Why it may have been done."""
        return self.good if value == "good" else self.ill


class Deeds(Strict):
    """All kinds of deeds, and what people may have at stake in one."""

    deeds: dict[str, Deed]
    stakes: dict[Stake | Literal["own"], Lines]


class WordParts(Strict):
    """What the guide's word is put together from; `content` pairs what is said of good and of ill."""

    fitting: Lines
    aside: Lines
    open: Lines
    gentle: Pairs
    plain: Pairs
    content: Pairs
    none: Lines


class Courses(Strict):
    """Short forms of the guide's word: put as its hearer takes it best, by setting and tone; and of
    silence."""

    fitting: Lines
    aside: dict[Ear, Lines]
    open: dict[Ear, Lines]
    none: Lines

    def of(self, setting: Face, tone: Ear) -> Lines:
        """The wordings of a word in a setting and a tone."""
        return self.aside[tone] if setting == "aside" else self.open[tone]


class Phrases(Strict):
    """Wordings of states and actions, of the guide's words, and of questions."""

    took: Pairs
    emotion: dict[Emotion, Lines]
    intention: dict[Intention, Lines]
    manner: dict[Manner, Lines]
    backed: dict[str, Lines]
    reception: dict[str, Lines]
    word: WordParts
    heard: Pairs
    course: Courses
    questions: dict[str, Lines]


@cache
def deeds() -> Deeds:
    """The content of `deeds.yaml`."""
    return read(FOLDER / "deeds.yaml", TypeAdapter(Deeds))


@cache
def phrases() -> Phrases:
    """The content of `phrases.yaml`."""
    return read(FOLDER / "phrases.yaml", TypeAdapter(Phrases))


_KEPT: Final = {slot: f"{{{slot}}}" for slot in ("who", "he", "him", "his", "himself")}
"""Slots that a lexicon keeps: they are filled for whom a phrase is said of."""

_YOU: Final = Named("you", "woman")

_QUARRELS: Final = ("the quarrels", "the grudges", "the bad blood", "the whispering", "the tempers")
"""What the guide who says nothing could have spoken of."""

_TRIES: Final = 50
"""Draws until a phrase is one that the stage does not have yet. One in two is a repetition at worst."""


def fill(
    rng: np.random.Generator,
    frame: Frame,
    people: tuple[Named, ...],
    things: Sequence[str],
    project: str,
    corners: Sequence[str],
) -> Lexicon:
    """The lexicon of a stage with these people (by place), things, project and corners of the room.

    Raises LexiconError where there are fewer things or kinds of deeds than matters, or where a name
    begins with another.
    """
    names = sorted(one.name for one in people)
    if any(after.startswith(name) for name, after in pairwise(names)):
        raise LexiconError(f"One of the names {', '.join(names)} begins with another.")
    known = deeds().deeds
    if len(frame.matters) > min(len(things), len(known)):
        raise LexiconError(f"There are too few things or deeds for {len(frame.matters)} matters.")
    writer = _Writer(rng, frame, people, project, corners)
    kinds = shuffled(rng, list(known.values()))
    for number, (kind, thing) in enumerate(zip(kinds, things, strict=False)):
        if number < len(frame.matters):
            writer.matter(number, kind, thing)
    writer.silence()
    return Lexicon(people, writer.found)


class _Writer:
    """Draws the phrases of one stage. `found` has them by key."""

    def __init__(
        self,
        rng: np.random.Generator,
        frame: Frame,
        people: tuple[Named, ...],
        project: str,
        corners: Sequence[str],
    ) -> None:
        self._rng = rng
        self._frame = frame
        self._people = people
        self._project = project
        self._corners = corners
        self._texts = phrases()
        self._taken: set[str] = set()
        self.found: dict[str, str] = {}

    def matter(self, number: int, kind: Deed, thing: str) -> None:
        """The phrases of a matter."""
        matter, rng = self._frame.matters[number], self._rng
        slots = {
            **_KEPT,
            **_forms(self._people[matter.doer], "d"),
            **_forms(self._people[matter.bearer], "b"),
            "thing": thing,
            "ithing": _bare(thing),
            "project": self._project,
            "lead": self._people[self._frame.lead].name,
        }
        at = f"matter.{number}"
        slots["topic"] = self.found[f"{at}.topic"] = write(rng, kind.topic, slots)
        self.found[f"{at}.deed"] = write(rng, kind.deed, slots)
        slots["by"] = write(rng, kind.by, slots)
        aims = self._near({value: kind.aims(value) for value in VALUES})
        for value, (aim, _) in aims.items():
            self._put(f"{at}.{value}", [f"{{d}} wanted to {aim}", f"{{d}} meant to {aim}"], slots)
        took = pick(rng, self._texts.took)
        opening = pick(rng, self._texts.heard)
        for value, clause, lead in zip(VALUES, took, opening, strict=True):
            self._put(f"{at}.took.{value}", [clause], slots)
            said = write(rng, f"{lead}: {aims[value][1]}.", slots)
            self.found[f"{at}.heard.{value}"] = sentence_case(said)
        proof, shown = pick(rng, kind.proof)
        self.found[f"{at}.proof"] = write(rng, proof, slots)
        aim = aims[matter.meant][0]
        self.found[f"{at}.shown"] = write(rng, f"{shown} {{dhe}} wanted to {aim}", slots)
        self._stakes(at, slots)
        self._states(number, slots)
        self._words(number, slots, aim)

    def silence(self) -> None:
        """What the guide does who says nothing."""
        slots = {
            **_forms(self._people[GUIDE], "g"),
            "topic": f"{pick(self._rng, _QUARRELS)} over {self._project}",
            "corner": pick(self._rng, self._corners),
        }
        said = write(self._rng, pick(self._rng, self._texts.word.none), slots)
        self.found["word.none"] = f"{said}."

    def _stakes(self, at: str, slots: Mapping[str, str]) -> None:
        """Stakes of one bearer can have the same words twice, so a pair is drawn until it is new."""
        known = deeds().stakes
        for _ in range(_TRIES):
            drawn = self._near({stake: known[stake] for stake in STAKES})
            said = {stake: write(self._rng, line, slots) for stake, line in drawn.items()}
            if self._taken.isdisjoint(said.values()):
                self._taken.update(said.values())
                self.found |= {f"{at}.stake.{one}": text for one, text in said.items()}
                self._put(f"{at}.stake.own", known["own"], slots)
                return
        raise LexiconError(f"Every wording of the stakes in '{at}' is taken.")

    def _states(self, number: int, slots: Mapping[str, str]) -> None:
        for emotion, line in self._near(self._texts.emotion).items():
            self._put(f"emotion.{emotion}.{number}", [line], slots)
        for intention, line in self._near(self._texts.intention).items():
            verbs = write(self._rng, line, slots)
            self.found[f"intention.{intention}.{number}"] = f"to {verbs.replace('~', '')}"
            self.found[f"action.{intention}.{number}"] = _VERB.sub(_third_person, verbs)
        self._manners(number, slots)

    def _manners(self, number: int, slots: Mapping[str, str]) -> None:
        """Manners of two matters can have the same names, so that a set is drawn until it is new."""
        for _ in range(_TRIES):
            drawn = self._near(self._texts.manner)
            said = {manner: write(self._rng, line, slots) for manner, line in drawn.items()}
            if self._taken.isdisjoint(said.values()):
                self._taken.update(said.values())
                self.found |= {f"manner.{one}.{number}": text for one, text in said.items()}
                return
        raise LexiconError(f"Every wording of the manners of matter {number} is taken.")

    def _words(self, number: int, slots: Mapping[str, str], aim: str) -> None:
        """The guide's words to everybody. To one person, what two words share is worded alike."""
        rng, matter, texts = self._rng, self._frame.matters[number], self._texts.word
        saying = pick(rng, texts.content)[VALUES.index(matter.meant)].replace("{aim}", aim)
        choice = _through(rng, saying)
        for to, person in enumerate(self._people):
            if to == GUIDE:
                continue
            called = {
                **slots,
                **_forms(self._people[GUIDE], "g"),
                **_forms(person, "to"),
                **(_forms(_YOU, "d") if to == matter.doer else {}),
                **(_forms(_YOU, "b") if to == matter.bearer else {}),
                "corner": pick(rng, self._corners),
            }
            said = _yours(choice.format_map(called))
            opening = write(rng, pick(rng, texts.fitting), called)
            self.found[f"word.{number}.{to}.fitting"] = sentence_case(f'{opening}: "{said}"')
            settings = self._near({"aside": texts.aside, "open": texts.open})
            tones = self._near({"gentle": texts.gentle, "plain": texts.plain})
            for setting in FACES:
                opening = write(rng, settings[setting], called)
                for tone in EARS:
                    how, first = (write(rng, part, called) for part in tones[tone])
                    word = sentence_case(f'{opening} {how}: "{first} {said}"')
                    self.found[f"word.{number}.{to}.{setting}.{tone}"] = word

    def _near(self, kinds: Mapping[_Key, Sequence[_Line]]) -> dict[_Key, _Line]:
        """A line for each kind, all about as long as one that is drawn first: length tells nothing."""
        rng = self._rng
        length = line_length(pick(rng, kinds[pick(rng, tuple(kinds))]))
        found = {}
        for kind, lines in kinds.items():
            by_length = sorted(lines, key=lambda line: abs(line_length(line) - length))
            near = [one for one in by_length if abs(line_length(one) - length) <= _NEAR * length]
            found[kind] = pick(rng, near or by_length[:1])
        return found

    def _put(self, key: str, lines: Sequence[str], slots: Mapping[str, str]) -> None:
        """A wording of one of the lines that no other key has yet."""
        for _ in range(_TRIES):
            phrase = write(self._rng, pick(self._rng, lines), slots)
            if phrase not in self._taken:
                self._taken.add(phrase)
                self.found[key] = phrase
                return
        raise LexiconError(f"Every wording of '{key}' is taken.")


_NEAR: Final = 0.12
"""By how much lines of a kind may differ in length from the first; two of them by about a quarter."""

_NOMINAL: Final = {"topic": 33, "by": 33, "thing": 15, "ithing": 11, "project": 18, "corner": 14}
"""Usual lengths of what fills the slots; names and pronouns have 5 characters."""

_SLOT: Final = re.compile(r"\{(\w+)\}")

_VERB: Final = re.compile(r"~(\w+)")

_YOURS: Final = re.compile(
    r"\byou's(?= \w)(?! (?:and|as|at|but|by|for|from|had|has|in|is|of|on|or|should|that|to|was|were"
    r"|with|would)\b(?!-))"
)
"""A possessive before what is had; without that it is `yours`."""


@lru_cache(maxsize=2**12)
def line_length(line: str | tuple[str, str]) -> float:
    """The usual length of a line when it is filled; of a pair, of its first part."""
    if isinstance(line, tuple):
        line = line[0]
    usual = _SLOT.sub(lambda slot: "x" * _NOMINAL.get(slot[1], 5), line)
    return sum(sum(map(len, part)) / len(part) for part in parts(usual))


def write(rng: np.random.Generator, line: str, slots: Mapping[str, str]) -> str:
    """One wording of the line with its slots filled; not every phrase begins a sentence."""
    return _through(rng, line).format_map(slots)


def _through(rng: np.random.Generator, line: str) -> str:
    return "".join(part[0] if len(part) == 1 else pick(rng, part) for part in parts(line))


def _forms(person: Named, prefix: str) -> dict[str, str]:
    """The slots of a person under a prefix. `you` has the same form everywhere, and `your`."""
    if person is _YOU:
        own = {"he": "you", "him": "you", "his": "your", "himself": "yourself"}
    else:
        own = {name: form for name, form in person.slots().items() if name != "who"}
    return {prefix: person.name, **{f"{prefix}{name}": form for name, form in own.items()}}


def _yours(text: str) -> str:
    """The text with `your` for the possessive of `you`, and `yours` where nothing follows it."""
    return _YOURS.sub("your", text).replace("you's", "yours")


def _bare(thing: str) -> str:
    """A thing without its article."""
    return thing.removeprefix("the ")


def _third_person(verb: re.Match[str]) -> str:
    base = verb[1]
    if base == "have":
        return "has"
    if re.search(r"(s|sh|ch|x|z|o)$", base):
        return f"{base}es"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}s"
