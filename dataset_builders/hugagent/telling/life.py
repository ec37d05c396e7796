"""A person's life in details: kin and neighbors with names, a town with streets, work, pastimes.

The same person has the same life in every interview: it is drawn from who the person is alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import numpy as np
from pydantic import BeforeValidator, Field, TypeAdapter

from otherminds.dataset_builders.content_files import read
from otherminds.dataset_builders.draws import chance, pick, shuffled, stream
from otherminds.dataset_builders.hugagent.telling.grammar import Line, Lines, in_words, parse, write
from otherminds.strict import Strict

FOLDER: Final = Path(__file__).resolve().parent / "content"

_OLD: Final = 58
"""From this age on, parents and their brothers and sisters are not spoken of as living."""

_SCHOOL_PARENT: Final = 27
_GRANDPARENT: Final = 62


def _words(value: object) -> object:
    return tuple(value.split()) if isinstance(value, str) else value


Words: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_words), Field(min_length=1)]


class Work(Strict):
    """A kind of work: what one is, where, what one does all day, and things that happened."""

    title: tuple[str, ...]
    place: tuple[str, ...]
    task: tuple[str, ...]
    event: Lines


class Lives(Strict):
    """What lives are drawn from."""

    women: Words
    men: Words
    surnames: Words
    town_starts: Words
    town_ends: Words
    town_seconds: Words
    streets: Words
    street_kinds: Words
    stores: Lines
    diners: Lines
    parks: Lines
    schools: Lines
    churches: Lines
    regions: dict[str, tuple[str, ...]]
    hobbies: Annotated[str, Field(min_length=1)]
    pets: Lines
    petnames: Words
    cars: Lines
    work: dict[str, Work]
    tags: dict[str, dict[str, str]]


@cache
def lives() -> Lives:
    """The content of `life.yaml`."""
    return read(FOLDER / "life.yaml", TypeAdapter(Lives))


@dataclass(frozen=True)
class Known:
    """Somebody whom the person knows: how they are related, the name, and whether a woman."""

    relation: str
    name: str
    woman: bool

    @property
    def full(self) -> str:
        """`my sister Dana`; a relation may have a place for the name: `{} from next door`."""
        if "{}" in self.relation:
            return self.relation.format(self.name)
        return f"{self.relation} {self.name}"

    def slots(self, key: str, called: str | None = None) -> dict[str, str]:
        """The slots under a key: the full name, the bare one and the pronouns."""
        he, him, his = ("she", "her", "her") if self.woman else ("he", "him", "his")
        return {
            key: called or self.full,
            f"{key}.n": self.name,
            f"{key}.he": he,
            f"{key}.him": him,
            f"{key}.his": his,
        }


@dataclass(frozen=True)
class Life:
    """One life.

    `seed` is whose life it is; `people` by role, `others` the roles whom a story may be about,
    `slots` that never change, `tags` of what fits; `pastime` is a bit of the hobby, `events` are
    what happened at work.
    """

    seed: int
    people: Mapping[str, Known]
    others: tuple[str, ...]
    slots: Mapping[str, str]
    tags: frozenset[str]
    pastime: Line
    events: tuple[Line, ...]


def draw_life(person: int, demographics: Mapping[str, str]) -> Life:
    """The life of a person with these demographics."""
    who = "\x00".join((str(person), *(f"{k}={v}" for k, v in sorted(demographics.items()))))
    digest = hashlib.sha256(who.encode()).digest()
    seed = int.from_bytes(digest[:8], "big")
    return _Drawn(stream([seed], ()), demographics).life(seed)


class _Drawn:
    """Draws one life."""

    def __init__(self, rng: np.random.Generator, demographics: Mapping[str, str]) -> None:
        self._rng = rng
        self._who = demographics
        self._age = int(demographics["age"])
        self._lives = lives()
        self._women = shuffled(rng, self._lives.women)
        self._men = shuffled(rng, self._lives.men)
        self.tags = self._tags()

    def life(self, seed: int) -> Life:
        """The life; `seed` is what else is drawn from, about the same person."""
        people = self._people()
        slots = self._places()
        for key in people:
            slots |= people[key].slots(key)
        slots |= self._numbers(people)
        work = self._lives.work.get(self._who["occupation"])
        if work is not None:
            said = {**slots, **self._chance_names()}
            slots["title"] = pick(self._rng, work.title)
            slots["workplace"] = write(self._rng, parse(pick(self._rng, work.place)), said, {})
            tasks = shuffled(self._rng, work.task)
            slots |= {"task": tasks[0], "task2": tasks[1], "task3": tasks[2]}
        hobbies = [line.strip() for line in self._lives.hobbies.splitlines() if line.strip()]
        doing, bit = pick(self._rng, hobbies).split(" // ")
        others = [
            key
            for key in ("sib", "cousin", "neighbor", "nb2", "fr", "fr2", "coworker", "par", "kin")
            if key in people and (key != "coworker" or "hired" in self.tags)
        ]
        # Drawn once, so that it is the same pastime whenever it comes up.
        slots["hobby"] = write(self._rng, parse(doing), {}, {})
        events = work.event if work is not None else ()
        return Life(seed, people, tuple(others), slots, frozenset(self.tags), parse(bit), events)

    def _tags(self) -> set[str]:
        tags: set[str] = set()
        for attribute, by_value in self._lives.tags.items():
            tags.update(by_value.get(self._who[attribute], "").split())
        household = self._who["household"]
        if household in ("lives with a partner and children", "single parent with children"):
            tags.add("kids" if self._age >= _SCHOOL_PARENT else "tots")
        if self._who["occupation"] not in ("none", "none yet"):
            tags.add("trade")
        tags.add("par" if self._age < _OLD else "nopar")
        if self._age >= _GRANDPARENT:
            tags.add("grand")
        return tags

    def _name(self, *, woman: bool) -> str:
        return (self._women if woman else self._men).pop()

    def _someone(self, woman_relation: str, man_relation: str | None = None) -> Known:
        woman = chance(self._rng, 0.5)
        relation = woman_relation if woman or man_relation is None else man_relation
        return Known(relation, self._name(woman=woman), woman)

    def _people(self) -> dict[str, Known]:
        rng, age = self._rng, self._age
        works = "works" in self.tags
        people = {
            "brother": Known("my brother", self._name(woman=False), woman=False),
            "sister": Known("my sister", self._name(woman=True), woman=True),
            "uncle": Known("my uncle", self._name(woman=False), woman=False),
            "aunt": Known("my aunt", self._name(woman=True), woman=True),
            "cousin": self._someone("my cousin"),
            "neighbor": self._someone("my neighbor"),
            "nb2": self._someone(
                pick(rng, ("{} across the way", "{} down the street", "{} two doors down"))
            ),
            "old friend": self._someone("my old friend"),
            "fr2": self._someone(pick(rng, ("my friend", "my buddy", "my pal"))),
            "coworker": self._someone(
                pick(rng, ("{} from work", "my coworker {}"))
                if works
                else pick(rng, ("{} from my old job", "my old coworker {}"))
            ),
            "boss": self._someone("my boss" if "hired" in self.tags else "my old boss"),
            "landlord": self._someone("my landlord" if "rents" in self.tags else "my old landlord"),
        }
        people["sib"] = people[pick(rng, ("brother", "sister"))]
        people["fr"] = people["old friend"]
        if age < _OLD:
            people["par"] = pick(
                rng,
                (
                    Known("my mother", self._name(woman=True), woman=True),
                    Known("my father", self._name(woman=False), woman=False),
                ),
            )
            people["kin"] = people[pick(rng, ("uncle", "aunt"))]
        if "partner" in self.tags:
            people["partner"] = self._partner()
        if self.tags & {"kids", "tots"}:
            people["kid"] = self._someone("my daughter", "my son")
            people["kid2"] = self._someone("my daughter", "my son")
        if age >= 52:
            people["grown"] = self._someone("my daughter", "my son")
        if age >= _GRANDPARENT:
            people["grand"] = self._someone("my granddaughter", "my grandson")
        return people

    def _partner(self) -> Known:
        gender = self._who.get("gender", "")
        woman = chance(self._rng, 0.93 if gender == "man" else 0.07 if gender == "woman" else 0.5)
        relation = pick(
            self._rng, ("my wife", "my girlfriend") if woman else ("my husband", "my boyfriend")
        )
        if self._age >= 50 or chance(self._rng, 0.2):
            relation = "my wife" if woman else "my husband"
        return Known(relation, self._name(woman=woman), woman)

    def _places(self) -> dict[str, str]:
        rng, bank = self._rng, self._lives
        towns = [self._town() for _ in range(4)]
        streets = [
            f"{name} {pick(rng, bank.street_kinds)}" for name in shuffled(rng, bank.streets)[:3]
        ]
        slots = dict(zip(("town", "town2", "town3", "hometown"), towns, strict=True))
        slots |= dict(zip(("street", "street2", "street3"), streets, strict=True))
        for name, lines in (
            ("store", bank.stores),
            ("diner", bank.diners),
            ("park", bank.parks),
            ("school", bank.schools),
            ("churchname", bank.churches),
        ):
            slots[name] = write(rng, pick(rng, lines), {**slots, **self._chance_names()}, {})
        slots["petname"] = pick(rng, bank.petnames)
        slots["pet"] = f"{write(rng, pick(rng, bank.pets), {}, {})} {slots['petname']}"
        model = write(rng, pick(rng, bank.cars), {}, {})
        slots["mycar"] = f"{pick(rng, ('a', 'an old', 'a beat-up', 'a paid-off'))} {model}"
        slots["acar"] = model.partition(" ")[2] if "drives" in self.tags else "family car"
        hospitals = shuffled(rng, bank.surnames)[:2]
        kinds = ("Memorial", "General", "Regional", "Community", "County")
        slots["hospital"] = f"{hospitals[0]} {pick(rng, kinds)}"
        slots["hospital2"] = f"{hospitals[1]} {pick(rng, kinds)}"
        slots["river"] = pick(rng, ("river", "creek", "tracks", "highway", "canal"))
        region = bank.regions.get(self._who["region"], ("out of state",))
        elsewhere = [place for places in bank.regions.values() for place in places]
        slots |= {"region": pick(rng, region), "birthplace": pick(rng, elsewhere)}
        slots["sur"] = pick(rng, bank.surnames)
        return slots

    def _town(self) -> str:
        bank, rng = self._lives, self._rng
        start, end = pick(rng, bank.town_starts), pick(rng, bank.town_ends)
        while end[0] == start[-1].lower():
            end = pick(rng, bank.town_ends)
        if chance(rng, 0.3):
            return f"{start}{end} {pick(rng, bank.town_seconds)}"
        return f"{start}{end}"

    def _chance_names(self) -> dict[str, str]:
        return chance_names(self._rng)

    def _numbers(self, people: Mapping[str, Known]) -> dict[str, str]:
        rng, age = self._rng, self._age
        slots = {"age": str(age), "since": str(max(NOW + 18 - age, NOW - 24))}
        low, high = _YEARS.get(self._who["years in the area"], (3, 9))
        years = int(rng.integers(low, max(low, min(high, age - 1)) + 1))
        slots["years"] = f"{in_words(years)} years" if years > 1 else "about a year"
        slots["housenumber"] = str(int(rng.integers(11, 1480)))
        slots["jobyears"] = in_words(int(rng.integers(2, max(3, min(35, age - 18)))))
        if "kid" in people:
            oldest = min(16, max(1, age - 21))
            youngest = min(6, oldest) if "kids" in self.tags else 1
            slots["kidage"] = str(int(rng.integers(youngest, max(youngest, oldest) + 1)))
        return slots


NOW: Final = 2025
"""The year of the interviews."""

_YEARS: Final = {
    "less than 2 years": (1, 1),
    "2 to 5 years": (2, 5),
    "6 to 10 years": (6, 10),
    "11 to 20 years": (11, 20),
    "more than 20 years": (21, 55),
}


def chance_names(rng: np.random.Generator) -> dict[str, str]:
    """Names of strangers, drawn anew for each sentence."""
    bank = lives()
    return {
        "any.f": pick(rng, bank.women),
        "any.m": pick(rng, bank.men),
        "any.sur": pick(rng, bank.surnames),
        "any.sur2": pick(rng, bank.surnames),
    }
