"""Who is on stage: names, ages, work, schooling, and how people are connected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.socialmindchange.codes.content import Content, NameGroup, People
from otherminds.dataset_builders.socialmindchange.codes.text import fill

Gender: TypeAlias = Literal["woman", "man"]

ROLES: Final = ("target", "guide", "rival", "friend", "bystander", "bystander")
"""By place in the cast: the person in focus, the guide, a competitive, a supportive peer, others."""

AGES: Final = (20, 71)
"""From, and below."""

_PRONOUNS: Final[dict[Gender, tuple[str, str, str, str]]] = {
    "woman": ("she", "her", "her", "hers"),
    "man": ("he", "him", "his", "his"),
}


@dataclass(frozen=True)
class Relation:
    """How somebody is connected with the person in focus."""

    label: str
    text: str
    youngest: int
    oldest: int

    def ages(self, focus_age: int) -> tuple[int, int] | None:
        """The ages (from, below) that somebody so connected can have; None where none is possible."""
        low = max(AGES[0], focus_age + self.youngest)
        high = min(AGES[1], focus_age + self.oldest + 1)
        return (low, high) if low < high else None


@dataclass(frozen=True)
class Person:
    """One of the cast."""

    given: str
    surname: str
    gender: Gender
    age: int
    schooling: str
    occupation: str
    mbti: str
    role: str
    relation: Relation | None
    register: str
    habits: tuple[str, ...]

    @property
    def name(self) -> str:
        """Given name and surname."""
        return f"{self.given} {self.surname}"

    def pronouns(self, prefix: str = "") -> dict[str, str]:
        """The slots he, him, his and hers (standing alone) of a line, with a prefix."""
        forms = zip(("he", "him", "his", "hers"), _PRONOUNS[self.gender], strict=True)
        return {f"{prefix}{name}": form for name, form in forms}


@dataclass(frozen=True)
class Setting:
    """Where the stage plays and what the group works on."""

    kind: str
    place: str
    corners: tuple[str, ...]
    seen: tuple[str, ...]
    project: str
    when: str
    things: tuple[str, ...]


def setting(rng: np.random.Generator, content: Content) -> Setting:
    """A place, and a project for it."""
    kind = pick(rng, tuple(content.places))
    where = content.places[kind]
    project, when, things = (part.strip() for part in pick(rng, content.projects[kind]).split("|"))
    return Setting(
        kind,
        pick(rng, where.places),
        tuple(shuffled(rng, where.corners)),
        tuple(shuffled(rng, where.seen)),
        project,
        when,
        tuple(shuffled(rng, things.split("; "))),
    )


def cast(rng: np.random.Generator, content: Content, kind: str, size: int) -> tuple[Person, ...]:
    """`size` people for a kind of place, the person in focus first, with different initials."""
    registers = shuffled(rng, [*content.voices, *content.voices, *content.voices])
    people: list[Person] = []
    for place in range(size):
        people.append(_person(rng, content, people, kind, ROLES[place], registers[place]))
    return tuple(people)


def _person(
    rng: np.random.Generator,
    content: Content,
    others: list[Person],
    kind: str,
    role: str,
    register: str,
) -> Person:
    pools = content.people
    taken = {person.given[0] for person in others} | {person.surname for person in others}
    group, gender, given = _given(rng, pools, taken)
    surname = pick(rng, [name for name in group.surnames if name not in taken])
    relation, ages = None, AGES
    if others:
        relation, ages = _relation(rng, content, kind, others)
    age = int(rng.integers(*ages))
    schooling, occupation = _work(rng, content, kind, age)
    habits = shuffled(rng, content.voices[register].before)[:2]
    types = tuple(pools.types)
    mbti = pick_weighted(rng, types, [pools.types[name] for name in types])
    return Person(
        given, surname, gender, age, schooling, occupation, mbti, role, relation, register,
        tuple(habits),
    )  # fmt: skip


def _relation(
    rng: np.random.Generator, content: Content, kind: str, others: list[Person]
) -> tuple[Relation, tuple[int, int]]:
    """A relation to the first of the others that nobody has yet, and the ages that it allows."""
    focus = others[0]
    used = {person.relation.label for person in others if person.relation}
    free = [one for one in relations(content, kind) if one.label not in used]
    possible = [one for one in free if one.ages(focus.age) is not None]
    chosen = pick(rng, possible)
    ages = chosen.ages(focus.age)
    assert ages is not None
    return replace(chosen, text=fill(chosen.text, {"t": focus.given, **focus.pronouns()})), ages


def _given(
    rng: np.random.Generator, pools: People, taken: set[str]
) -> tuple[NameGroup, Gender, str]:
    """A group, gender and given name whose initial is not taken yet."""
    while True:
        group = pick_weighted(rng, pools.groups, [one.share for one in pools.groups])
        gender: Gender = "woman" if chance(rng, 0.5) else "man"
        names = group.women if gender == "woman" else group.men
        free = [name for name in names if name[0] not in taken]
        if free:
            return group, gender, pick(rng, free)


def _work(rng: np.random.Generator, content: Content, kind: str, age: int) -> tuple[str, str]:
    """Schooling and occupation: one of the place's jobs where people work there, else any."""
    pools = content.people
    jobs = content.places[kind].jobs
    old_enough = [one for one in pools.schooling if age >= one.age]
    schooling = pick_weighted(rng, old_enough, [one.weight for one in old_enough]).value
    if jobs:
        return schooling, pick(rng, [job for job, asks in map(_job, jobs) if asks == schooling])
    names, weights = occupations(pools, schooling)
    job = pick_weighted(rng, names, weights)
    start, always = pools.retirement.start, pools.retirement.always
    retired = chance(rng, (age - start) / (always - start))
    return schooling, f"retired {job}" if retired else job


def _job(line: str) -> tuple[str, str]:
    job, _, schooling = line.partition(" / ")
    return job, schooling


def occupations(pools: People, schooling: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The occupations of people with some schooling, and their weights."""
    entries = [entry.rsplit(" ", 1) for entry in pools.occupations[schooling].strip().split("; ")]
    return tuple(name for name, _ in entries), tuple(float(weight) for _, weight in entries)


@cache
def _relations(lines: tuple[str, ...]) -> tuple[Relation, ...]:
    found = []
    for line in lines:
        label, text, youngest, oldest = (part.strip() for part in line.split("|"))
        found.append(Relation(label, text, int(youngest), int(oldest)))
    return tuple(found)


def relations(content: Content, kind: str) -> tuple[Relation, ...]:
    """The relations that a kind of place has."""
    return _relations(content.relations[kind])
