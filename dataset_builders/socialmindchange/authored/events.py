"""What a scene has to tell: every event of the frame, in order, and whom it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.codes.text import listed
from otherminds.dataset_builders.socialmindchange.world.frame import (
    GUIDE,
    Enter,
    Happening,
    Leave,
    Show,
    Tell,
)
from otherminds.dataset_builders.socialmindchange.world.roll import spoken

TONES: Final = {"gentle": "gently", "plain": "plainly"}
SETTINGS: Final = {"aside": "aside", "open": "before all"}
MEANT: Final = {"good": "well", "ill": "badly"}
"""How lines of events, and outlines, put it."""


@dataclass(frozen=True)
class Event:
    """Something that a scene tells.

    name     as in `telling.story.Story.tells`: `opening`, `passed:N`, `happening:N`, `topic`,
             `act:PLACE`, `word`, `parting`
    line     what it is, for the author
    people   who has to be named where it is told, by place
    wording  words that an outline must tell it with
    there    who is there after it
    moves    who comes, goes or overhears, and so may do something without being there all along
    """

    name: str
    line: str
    people: tuple[int, ...]
    there: frozenset[int]
    wording: tuple[str, ...] = ()
    moves: tuple[int, ...] = ()


def of_scene(given: Given, number: int, topics: Sequence[str]) -> list[Event]:
    """The events of a scene, by its number from 0; `topics` are the names of the matters.

    What friends pass on, and what people say of the topic, follows from the world by its rules (R4, R8):
    it happens in this story, so it is told.
    """
    scene = given.frame.scenes[number]
    played = given.roll.scene(number, given.roll.told)
    names = given.names
    there = frozenset(scene.present)
    present = tuple(sorted(there))
    opening = f"At the beginning {listed([names[one] for one in present])} are there"
    found = [Event("opening", f"{opening}.", present, there)]
    for count, told in enumerate(played.passed):
        found.append(_told(given, f"passed:{count}", told, topics, there))
    for count, one in enumerate(scene.happenings):
        found.append(_happening(given, f"happening:{count}", one, topics, there))
        there = found[-1].there
    topic = topics[scene.topic]
    found.append(Event("topic", f"{topic} comes up before all who are there.", (), there, (topic,)))
    for act in played.acts:
        if act.says is not None:
            found.append(_told(given, f"act:{act.person}", act.says, topics, there))
    if scene.word is None:
        line = f"{names[GUIDE]} says nothing about any of the matters."
        found.append(Event("word", line, (GUIDE,), there))
    else:
        found.append(_told(given, "word", spoken(given.frame, scene.word), topics, there))
    found.append(Event("parting", "They part.", (), there))
    return found


def _happening(
    given: Given, name: str, one: Happening, topics: Sequence[str], there: frozenset[int]
) -> Event:
    names = given.names
    if isinstance(one, Leave):
        after = there - {one.who}
        return Event(name, f"{names[one.who]} goes.", (one.who,), after, moves=(one.who,))
    if isinstance(one, Enter):
        after = there | {one.who}
        return Event(name, f"{names[one.who]} comes.", (one.who,), after, moves=(one.who,))
    if isinstance(one, Show):
        meant = MEANT[given.frame.matters[one.matter].meant]
        topic, setting = topics[one.matter], SETTINGS[one.setting]
        line = (
            f"{names[one.speaker]} shows {names[one.to]}, {setting}, the proof about {topic}: it was "
            f"meant {meant}."
        )
        return Event(name, line, (one.speaker, one.to), there, (topic, setting, meant))
    return _told(given, name, one, topics, there)


def _told(
    given: Given, name: str, told: Tell, topics: Sequence[str], there: frozenset[int]
) -> Event:
    names = given.names
    topic, meant = topics[told.matter], MEANT[told.value]
    setting, tone = SETTINGS[told.setting], TONES[told.tone]
    doer = names[given.frame.matters[told.matter].doer]
    if told.to is None:
        line = (
            f"{names[told.speaker]} takes a stand, {setting} and {tone}: {doer} meant it {meant} "
            f"({topic})"
        )
    else:
        line = (
            f"{names[told.speaker]} tells {names[told.to]}, {setting} and {tone}, that {doer} meant "
            f"it {meant} ({topic})"
        )
    people = (told.speaker,) if told.to is None else (told.speaker, told.to)
    moves: tuple[int, ...] = ()
    if told.chance is not None:
        line += f"; {names[told.chance]} overhears it, unseen by them"
        people, moves = (*people, told.chance), (told.chance,)
    return Event(name, f"{line}.", people, there, (topic, setting, tone, meant), moves)
