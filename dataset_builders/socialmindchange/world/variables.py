"""What can be asked of a rolled-forward world, and claims about it.

A variable has one value in a world (`value`). Variables and claims are what the columns `asked` and
`claims` of a question hold, as JSON; see `docs/explanation/socialmindchange_world.md`, "The questions".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.world import conduct
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE
from otherminds.dataset_builders.socialmindchange.world.minds import Minds
from otherminds.dataset_builders.socialmindchange.world.roll import (
    Moment,
    Played,
    Roll,
    Words,
    spoken,
)


@dataclass(frozen=True)
class View:
    """What a chain takes a matter to be."""

    chain: tuple[int, ...]
    matter: int


@dataclass(frozen=True)
class Emotion:
    """What somebody feels about a matter."""

    person: int
    matter: int


@dataclass(frozen=True)
class Intention:
    """What somebody means to do about a matter."""

    person: int
    matter: int


@dataclass(frozen=True)
class Manner:
    """How somebody who is there acts on a matter."""

    person: int
    matter: int


@dataclass(frozen=True)
class Backed:
    """Whether somebody thinks that the one who counts takes a matter as they do."""

    person: int
    matter: int


@dataclass(frozen=True)
class Present:
    """Whether somebody is there."""

    person: int


@dataclass(frozen=True)
class StakeIn:
    """Whether somebody gains if the bearer of a matter fares well."""

    person: int
    matter: int


@dataclass(frozen=True)
class ReceptionOf:
    """How somebody takes the guide's word that is said to them at the end of the scene."""

    person: int


State: TypeAlias = View | Emotion | Intention
Thing: TypeAlias = State | Manner | Backed | Present | StakeIn | ReceptionOf


@dataclass(frozen=True)
class Variable:
    """A thing in a scene (numbers from 0), or when people part after it."""

    what: Thing
    scene: int
    close: bool = False


@dataclass(frozen=True)
class Changed:
    """Whether a state has another value than just before the guide's word of scene `since`."""

    what: State
    scene: int
    since: int
    close: bool = False


Asked: TypeAlias = Variable | Changed


@dataclass(frozen=True)
class Claim:
    """That a variable has a value; with `holds` false, that it has another."""

    of: Asked
    value: str
    holds: bool = True


class World:
    """A roll under certain words, to look many things up in."""

    def __init__(self, roll: Roll, words: Words) -> None:
        self.roll = roll
        self.words = words
        self._scenes: dict[int, Played] = {}
        self._closes: dict[int, Moment] = {}

    def value(self, asked: Asked) -> str:
        """The value of a variable.

        Raises ValueError for what nobody does or feels: the manner of somebody who is not there, the
        feeling of a doer, the reception of a word that is not said to that person.
        """
        if isinstance(asked, Changed):
            before = self.scene(asked.since).last
            same = look(before, asked.what) == look(self._at(asked), asked.what)
            return "no" if same else "yes"
        if isinstance(asked.what, ReceptionOf):
            return self._reception(asked.scene, asked.what.person)
        return look(self._at(asked), asked.what)

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is true."""
        return (self.value(claim.of) == claim.value) == claim.holds

    def scene(self, number: int) -> Played:
        """A scene."""
        found = self._scenes.get(number)
        if found is None:
            found = self._scenes[number] = self.roll.scene(number, self.words)
        return found

    def close(self, number: int) -> Moment:
        """When people part after a scene."""
        found = self._closes.get(number)
        if found is None:
            found = self._closes[number] = self.roll.close(number, self.words)
        return found

    def minds(self, scene: int) -> Minds:
        """The minds at the state of a scene. They are not to be changed."""
        return self.scene(scene).state.minds

    def _at(self, asked: Asked) -> Moment:
        return self.close(asked.scene) if asked.close else self.scene(asked.scene).state

    def _reception(self, scene: int, person: int) -> str:
        word = self.words[scene]
        if word is None or word.to != person or person == GUIDE:
            raise ValueError(f"Nothing is said to {person} at the end of scene {scene + 1}.")
        minds = self.scene(scene).last.minds
        return minds.reception(spoken(self.roll.frame, word), person)


def value(roll: Roll, words: Words, asked: Asked) -> str:
    """The value of a variable in the world of these words; see `World.value`."""
    return World(roll, words).value(asked)


def holds(roll: Roll, words: Words, claim: Claim) -> bool:
    """Whether a claim is true in the world of these words."""
    return World(roll, words).holds(claim)


def look(moment: Moment, what: Thing) -> str:
    """The value of a thing at a moment.

    Raises ValueError for the feeling of a doer, for the manner of somebody who is not there, and for how
    a word is taken, which no moment tells.
    """
    return _LOOKS[type(what)](moment, what)


def _manner(moment: Moment, what: Manner) -> str:
    if what.person not in moment.there:
        raise ValueError(f"{what.person} is not there.")
    return conduct.manner(moment.minds.frame, what.person, what.matter, moment.there)


def _reception(moment: Moment, what: ReceptionOf) -> str:
    raise ValueError(f"How {what.person} takes a word hangs on the word.")


_LOOKS: Final[Mapping[type, Callable[[Moment, Any], str]]] = {
    View: lambda moment, what: moment.minds.view(what.chain, what.matter),
    Emotion: lambda moment, what: conduct.emotion(moment.minds, what.person, what.matter),
    Intention: lambda moment, what: conduct.intention(moment.minds, what.person, what.matter),
    Manner: _manner,
    Backed: lambda moment, what: (
        "yes" if conduct.backed(moment.minds, what.person, what.matter) else "no"
    ),
    Present: lambda moment, what: "yes" if what.person in moment.there else "no",
    StakeIn: lambda moment, what: moment.minds.frame.stakes[what.person][what.matter],
    ReceptionOf: _reception,
}

_KINDS: dict[type, str] = {
    View: "view", Emotion: "emotion", Intention: "intention", Manner: "manner", Backed: "backed",
    Present: "present", StakeIn: "stake", ReceptionOf: "reception",
}  # fmt: skip


def thing_json(what: Thing) -> dict[str, Any]:
    """A thing as columns have it."""
    found: dict[str, Any] = {"kind": _KINDS[type(what)]}
    if isinstance(what, View):
        return {**found, "chain": list(what.chain), "matter": what.matter}
    found["person"] = what.person
    if not isinstance(what, Present | ReceptionOf):
        found["matter"] = what.matter
    return found


def variable_json(asked: Asked) -> dict[str, Any]:
    """A variable as columns have it: scenes from 1."""
    if isinstance(asked, Changed):
        inner = {**thing_json(asked.what), **_when(asked.scene, asked.close)}
        return {"kind": "changed", "what": inner, "since": asked.since + 1}
    if isinstance(asked.what, StakeIn):
        return thing_json(asked.what)
    return {**thing_json(asked.what), **_when(asked.scene, asked.close)}


def claim_json(claim: Claim) -> dict[str, Any]:
    """A claim as columns have it."""
    return {"of": variable_json(claim.of), "is" if claim.holds else "is_not": claim.value}


def _when(scene: int, close: bool) -> dict[str, Any]:
    return {"scene": scene + 1, **({"close": True} if close else {})}
