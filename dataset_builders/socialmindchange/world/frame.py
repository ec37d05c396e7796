"""What is given of a world: people, ties, matters, and the scenes with what happens in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, get_args

import networkx as nx

Ear: TypeAlias = Literal["gentle", "plain"]
"""A tone, and what reaches somebody."""

Face: TypeAlias = Literal["aside", "open"]
"""A setting, and where somebody can take what is said to them."""

Tie: TypeAlias = Literal["warm", "plain", "cold"]

Value: TypeAlias = Literal["good", "ill"]
"""How a deed is meant, or taken."""

Stake: TypeAlias = Literal["with", "against"]

EARS: Final[tuple[Ear, ...]] = get_args(Ear)
FACES: Final[tuple[Face, ...]] = get_args(Face)
TIES: Final[tuple[Tie, ...]] = get_args(Tie)
VALUES: Final[tuple[Value, ...]] = get_args(Value)
STAKES: Final[tuple[Stake, ...]] = get_args(Stake)

ROLES: Final = ("target", "guide", "rival", "friend", "bystander", "bystander")
TARGET, GUIDE, RIVAL, FRIEND = range(4)
"""Places in the cast; bystanders follow."""

_NEEDED: Final = ROLES[: FRIEND + 1]
_RIVALS: Final = 2
"""So many matters, the first, are the rival's."""


@dataclass(frozen=True)
class Person:
    """Somebody on stage; `ear` and `face` say how a word reaches them."""

    name: str
    role: str
    ear: Ear
    face: Face


@dataclass(frozen=True)
class Matter:
    """A deed that everybody knows of, and what few know: how it was meant."""

    doer: int
    bearer: int
    meant: Value


@dataclass(frozen=True)
class Promise:
    """`by` does not speak of the matter before `to`."""

    by: int
    to: int
    matter: int


@dataclass(frozen=True)
class Word:
    """The guide tells what was really meant. A wish what to say is the same, and `None` is silence."""

    matter: int
    to: int
    setting: Face
    tone: Ear


@dataclass(frozen=True)
class Leave:
    """Somebody goes."""

    who: int


@dataclass(frozen=True)
class Enter:
    """Somebody comes."""

    who: int


@dataclass(frozen=True)
class Tell:
    """Somebody says how a deed was meant. `chance` overhears it unseen."""

    speaker: int
    matter: int
    value: Value
    to: int | None
    setting: Face
    tone: Ear
    chance: int | None = None


@dataclass(frozen=True)
class Show:
    """Somebody shows the proof of how a deed was meant."""

    speaker: int
    matter: int
    to: int
    setting: Face


Happening: TypeAlias = Leave | Enter | Tell | Show

_KINDS: Final[dict[str, type[Leave | Enter | Tell | Show]]] = {
    "leave": Leave,
    "enter": Enter,
    "tell": Tell,
    "show": Show,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True)
class Scene:
    """Who is there at first, the matter on everybody's mind, what happens, and the guide's word."""

    present: tuple[int, ...]
    topic: int
    happenings: tuple[Happening, ...]
    word: Word | None

    @cached_property
    def present_at_end(self) -> frozenset[int]:
        """Who is there when the guide speaks."""
        there = set(self.present)
        for one in self.happenings:
            if isinstance(one, Leave):
                there.discard(one.who)
            elif isinstance(one, Enter):
                there.add(one.who)
        return frozenset(there)


class FrameError(ValueError):
    """A frame that contradicts itself."""


@dataclass(frozen=True)
class Frame:
    """Everything that golds follow from."""

    people: tuple[Person, ...]
    lead: int
    ties: tuple[tuple[str, ...], ...]
    matters: tuple[Matter, ...]
    stakes: tuple[tuple[Stake, ...], ...]
    promises: tuple[Promise, ...]
    scenes: tuple[Scene, ...]

    @property
    def size(self) -> int:
        """How many people there are."""
        return len(self.people)

    def present_at_end(self, scene: int) -> frozenset[int]:
        """Who is there when the guide speaks, by the number of the scene from 0."""
        return self.scenes[scene].present_at_end

    def as_json(self) -> dict[str, Any]:
        """As the column `frame` has it."""
        return {
            "people": [asdict(one) for one in self.people],
            "lead": self.lead,
            "ties": [list(row) for row in self.ties],
            "matters": [asdict(one) for one in self.matters],
            "stakes": [list(row) for row in self.stakes],
            "promises": [asdict(one) for one in self.promises],
            "scenes": [
                {
                    "present": list(scene.present),
                    "topic": scene.topic,
                    "happenings": [
                        {"kind": _NAMES[type(one)], **asdict(one)} for one in scene.happenings
                    ],
                    "word": None if scene.word is None else asdict(scene.word),
                }
                for scene in self.scenes
            ],
        }

    @classmethod
    def of_json(cls, found: Mapping[str, Any]) -> Frame:
        """The frame of the column's content. Raises FrameError where it contradicts itself."""
        try:
            frame = cls(
                tuple(Person(**one) for one in found["people"]),
                found["lead"],
                tuple(map(tuple, found["ties"])),
                tuple(Matter(**one) for one in found["matters"]),
                tuple(map(tuple, found["stakes"])),
                tuple(Promise(**one) for one in found["promises"]),
                tuple(map(_scene, found["scenes"])),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FrameError(f"A frame lacks a part, or has one too many: {error}.") from error
        check(frame)
        return frame


def _scene(found: Mapping[str, Any]) -> Scene:
    happenings = []
    for one in found["happenings"]:
        parts = dict(one)
        happenings.append(_KINDS[parts.pop("kind")](**parts))
    word = None if found["word"] is None else Word(**found["word"])
    return Scene(tuple(found["present"]), found["topic"], tuple(happenings), word)


def check(frame: Frame) -> None:
    """Raise FrameError where the page of the world would not allow the frame."""
    for fault in _faults(frame):
        raise FrameError(fault)


def _faults(frame: Frame) -> Iterator[str]:
    """What is wrong; each part is looked at after all that it needs was found right."""
    yield from _faults_of_people(frame)
    yield from _faults_of_ties(frame)
    yield from _faults_of_matters(frame)
    yield from _faults_of_stakes(frame)
    yield from _faults_of_promises(frame)
    for number, scene in enumerate(frame.scenes, start=1):
        for fault in _faults_of_scene(frame, scene):
            yield f"Scene {number}: {fault}"


def _missing(
    frame: Frame, people: Iterable[object] = (), matters: Iterable[object] = ()
) -> Iterator[str]:
    """Which of these numbers are no place of a person, or no matter."""
    for what, numbers, end in (
        ("person", people, frame.size),
        ("matter", matters, len(frame.matters)),
    ):
        for one in numbers:
            if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one < end:
                yield f"there is no {what} {one!r}."


def _unknown(what: str, value: object, allowed: tuple[str, ...]) -> Iterator[str]:
    if value not in allowed:
        yield f"{what} is {value!r}, and not one of {allowed}."


def _faults_of_people(frame: Frame) -> Iterator[str]:
    if frame.size < len(_NEEDED):
        yield f"There are {frame.size} people, and four are needed: {', '.join(_NEEDED)}."
    for place, one in enumerate(frame.people):
        if not isinstance(one.name, str) or not one.name:
            yield f"Person {place} has no name."
        role = _NEEDED[place] if place < len(_NEEDED) else "bystander"
        if one.role != role:
            yield f"Person {place} is called the {one.role!r}, and is the {role!r}."
        yield from _unknown(f"The ear of person {place}", one.ear, EARS)
        yield from _unknown(f"The face of person {place}", one.face, FACES)
    if len({one.name for one in frame.people}) < frame.size:
        yield "Two people have the same name."
    for fault in _missing(frame, people=[frame.lead]):
        yield f"Lead: {fault}"
    if frame.lead in (TARGET, RIVAL):
        yield "The lead is the target or the rival."


def _faults_of_ties(frame: Frame) -> Iterator[str]:
    size, ties = frame.size, frame.ties
    if len(ties) != size or any(len(row) != size for row in ties):
        yield f"The ties are not a table of {size} rows, each for {size} people."
    for i in range(size):
        for j in range(i + 1, size):
            if ties[i][j] != ties[j][i] or ties[i][j] not in TIES:
                yield f"The tie of {i} and {j} is not one of {TIES} in both directions."
    if ties[TARGET][FRIEND] != "warm":
        yield "Target and friend are not warm to each other."


def _faults_of_matters(frame: Frame) -> Iterator[str]:
    matters = frame.matters
    if len(matters) < _RIVALS:
        yield f"There are {len(matters)} matters, and the rival's two are needed."
    for number, matter in enumerate(matters):
        for fault in _missing(frame, people=(matter.doer, matter.bearer)):
            yield f"Matter {number}: {fault}"
        yield from _unknown(f"What was meant in matter {number}", matter.meant, VALUES)
        if matter.doer == matter.bearer or {matter.doer, matter.bearer} & {GUIDE, frame.lead}:
            yield f"Matter {number} has an impossible doer or bearer."
        if number < _RIVALS and matter.doer != RIVAL:
            yield f"Matter {number} is not the rival's, and the first two are."
        if number >= _RIVALS and matter.doer == RIVAL:
            yield f"Matter {number} is the rival's, and only the first two are."
    if matters[0].meant == matters[1].meant:
        yield "Matters 0 and 1 are meant alike."


def _faults_of_stakes(frame: Frame) -> Iterator[str]:
    size, count = frame.size, len(frame.matters)
    if len(frame.stakes) != size or any(len(row) != count for row in frame.stakes):
        yield f"The stakes are not a table of {size} rows, each for {count} matters."
    for person, row in enumerate(frame.stakes):
        for number, stake in enumerate(row):
            if stake not in STAKES:
                yield from _unknown(f"The stake of {person} in matter {number}", stake, STAKES)
    for number, matter in enumerate(frame.matters):
        if frame.stakes[matter.bearer][number] != "with":
            yield f"The bearer of matter {number} is against themselves."


def _faults_of_promises(frame: Frame) -> Iterator[str]:
    for number, one in enumerate(frame.promises, start=1):
        for fault in _missing(frame, (one.by, one.to), (one.matter,)):
            yield f"Promise {number}: {fault}"
        if GUIDE in (one.by, one.to):
            yield f"Promise {number} is given by the guide or to the guide."
    if looped(frame.promises):
        yield "Promises about one matter go round in a circle."


def looped(promises: tuple[Promise, ...]) -> bool:
    """Whether promises about a matter lead back to who gave one."""
    for matter in {one.matter for one in promises}:
        given = nx.DiGraph((one.by, one.to) for one in promises if one.matter == matter)
        if not nx.is_directed_acyclic_graph(given):
            return True
    return False


def _faults_of_scene(frame: Frame, scene: Scene) -> Iterator[str]:
    yield from _missing(frame, scene.present, (scene.topic,))
    there = set(scene.present)
    if len(there) < len(scene.present):
        yield "somebody is listed twice among those who are present."
    if GUIDE not in there:
        yield "the guide is not there."
    for one in scene.happenings:
        if isinstance(one, Leave | Enter):
            yield from _missing(frame, people=(one.who,))
        if isinstance(one, Leave):
            if one.who not in there or one.who == GUIDE:
                yield f"{one.who} cannot go."
            there.discard(one.who)
        elif isinstance(one, Enter):
            if one.who in there:
                yield f"{one.who} comes, but is there."
            there.add(one.who)
        else:
            yield from _faults_of_speech(frame, one, there)
    if scene.word is not None:
        yield from _faults_of_word(frame, scene.word, there)


def _faults_of_speech(frame: Frame, one: Tell | Show, there: set[int]) -> Iterator[str]:
    """What is wrong with a telling or a showing among those who are there."""
    chance = one.chance if isinstance(one, Tell) else None
    named = [who for who in (one.speaker, one.to, chance) if who is not None]
    yield from _missing(frame, named, (one.matter,))
    yield from _unknown("a setting", one.setting, FACES)
    if isinstance(one, Tell):
        yield from _unknown("what is told", one.value, VALUES)
        yield from _unknown("a tone", one.tone, EARS)
        if one.to is None and one.setting == "aside":
            yield "something is said aside to nobody."
    elif one.to is None:
        yield "something is shown to nobody."
    if one.speaker not in there or one.to not in there | {None} or one.speaker == one.to:
        yield f"{one} is between people who cannot speak to each other."
    if chance is not None and (one.setting == "open" or chance in (one.speaker, one.to)):
        yield f"{chance} cannot overhear what they hear."


def _faults_of_word(frame: Frame, word: Word, there: set[int]) -> Iterator[str]:
    """What is wrong with the guide's word among those who are there at the end."""
    yield from _missing(frame, (word.to,), (word.matter,))
    yield from _unknown("the setting of the guide's word", word.setting, FACES)
    yield from _unknown("the tone of the guide's word", word.tone, EARS)
    if word.to not in there or word.to == GUIDE:
        yield "the guide speaks to somebody who is not there."
