"""What is given of a world: people, ties, matters, and the scenes with what happens in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
        there = set(self.scenes[scene].present)
        for one in self.scenes[scene].happenings:
            if isinstance(one, Leave):
                there.discard(one.who)
            elif isinstance(one, Enter):
                there.add(one.who)
        return frozenset(there)

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
        except (KeyError, TypeError) as error:
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


def _faults(frame: Frame) -> list[str]:
    size, found = frame.size, []
    if len({one.name for one in frame.people}) < size:
        found.append("Two people have the same name.")
    if frame.lead in (TARGET, RIVAL):
        found.append("The lead is the target or the rival.")
    for i in range(size):
        for j in range(size):
            if i != j and (frame.ties[i][j] != frame.ties[j][i] or frame.ties[i][j] not in TIES):
                found.append(f"The tie of {i} and {j} is not one of {TIES} in both directions.")
    if frame.ties[TARGET][FRIEND] != "warm":
        found.append("Target and friend are not warm to each other.")
    for number, matter in enumerate(frame.matters):
        if matter.doer == matter.bearer or {matter.doer, matter.bearer} & {GUIDE, frame.lead}:
            found.append(f"Matter {number} has an impossible doer or bearer.")
        if frame.stakes[matter.bearer][number] != "with":
            found.append(f"The bearer of matter {number} is against themselves.")
    if looped(frame.promises):
        found.append("Promises about one matter go round in a circle.")
    for number, scene in enumerate(frame.scenes, start=1):
        found += [f"Scene {number}: {fault}" for fault in _faults_of_scene(frame, scene)]
    return found


def looped(promises: tuple[Promise, ...]) -> bool:
    """Whether promises about a matter lead back to who gave one."""
    for matter in {one.matter for one in promises}:
        given = nx.DiGraph((one.by, one.to) for one in promises if one.matter == matter)
        if not nx.is_directed_acyclic_graph(given):
            return True
    return False


def _faults_of_scene(frame: Frame, scene: Scene) -> list[str]:
    there, found = set(scene.present), []
    if GUIDE not in there:
        found.append("the guide is not there.")
    for one in scene.happenings:
        if isinstance(one, Leave):
            if one.who not in there or one.who == GUIDE:
                found.append(f"{one.who} cannot go.")
            there.discard(one.who)
        elif isinstance(one, Enter):
            if one.who in there:
                found.append(f"{one.who} comes, but is there.")
            there.add(one.who)
        else:
            named = {one.speaker} | ({one.to} if one.to is not None else set())
            if not named <= there or one.speaker == one.to:
                found.append(f"{one} is between people who cannot speak to each other.")
            if isinstance(one, Tell) and one.to is None and one.setting == "aside":
                found.append("something is said aside to nobody.")
            if isinstance(one, Tell) and one.chance is not None:
                if one.setting == "open" or one.chance in (one.speaker, one.to):
                    found.append(f"{one.chance} cannot overhear what they hear.")
    if scene.word is not None and (scene.word.to not in there or scene.word.to == GUIDE):
        found.append("the guide speaks to somebody who is not there.")
    return found
