"""Random worlds of SocialMindChange 2: frames as stages have them, shaken up, and what can be asked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    FRIEND,
    GUIDE,
    STAKES,
    TARGET,
    TIES,
    VALUES,
    Enter,
    Frame,
    Happening,
    Leave,
    Promise,
    Show,
    Tell,
    Word,
    looped,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Words
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Backed,
    Changed,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    State,
    Variable,
    View,
)

NAMES = ("Tom", "Gus", "Rita", "Ada", "Lena", "Vera")


def drawn(seed: int, *, size: int | None = None, scenes: int | None = None) -> Frame:
    """A frame as stages have it, of five or six people and two to five scenes."""
    rng = random.Random(seed)
    size, scenes = size or rng.randint(5, 6), scenes or rng.randint(2, 5)
    return draw.frame(np.random.default_rng(seed), NAMES[:size], scenes)


def shaken(seed: int, *, size: int | None = None, scenes: int | None = None) -> Frame:
    """A drawn frame in which people, the guide too, say anything to anybody or to nobody.

    So that every rule is met, also where stages are drawn without: lies, the guide's too, words to
    nobody, more that is said, shown and overheard, other ties and stakes, and more promises of the
    friends.
    """
    frame = drawn(seed, size=size, scenes=scenes)
    rng = random.Random(f"shaken {seed}")
    ties = [list(row) for row in frame.ties]
    for place in range(frame.size):
        for other in range(place):
            if {place, other} != {TARGET, FRIEND} and rng.random() < 0.4:
                ties[place][other] = ties[other][place] = rng.choice(TIES)
    stakes = tuple(
        tuple("with" if matter.bearer == one else rng.choice(STAKES) for matter in frame.matters)
        for one in range(frame.size)
    )
    promises = frame.promises
    for by in (TARGET, FRIEND):
        to = rng.choice([one for one in range(frame.size) if one not in (GUIDE, by)])
        more = (*promises, Promise(by, to, rng.randrange(len(frame.matters))))
        if rng.random() < 0.6 and not looped(more):
            promises = more
    shaken_scenes = []
    for scene in frame.scenes:
        there, happenings = set(scene.present), []
        for one in scene.happenings:
            happenings.append(_shaken(rng, frame, one, there))
            if isinstance(one, Leave):
                there.discard(one.who)
            elif isinstance(one, Enter):
                there.add(one.who)
            happenings += _more(rng, frame, there)
        shaken_scenes.append(replace(scene, happenings=tuple(happenings)))
    return replace(
        frame,
        ties=tuple(map(tuple, ties)),
        stakes=stakes,
        promises=promises,
        scenes=tuple(shaken_scenes),
    )


def _shaken(rng: random.Random, frame: Frame, one: Happening, there: set[int]) -> Happening:
    if not isinstance(one, Tell) or rng.random() < 0.2:
        return one
    speaker, size = one.speaker, frame.size
    other = rng.choice((GUIDE, frame.matters[one.matter].doer))
    if rng.random() < 0.4 and other in there - {one.to}:
        speaker = other
    to, setting, value = one.to, one.setting, rng.choice(VALUES)
    if rng.random() < 0.25:
        return Tell(speaker, one.matter, value, None, "open", rng.choice(EARS))
    chance = None
    if setting == "aside" and rng.random() < 0.5:
        chance = rng.choice([who for who in range(size) if who not in (speaker, to)])
    return Tell(speaker, one.matter, value, to, setting, rng.choice(EARS), chance)


def _more(rng: random.Random, frame: Frame, there: set[int]) -> list[Happening]:
    """Now and then one more happening, between any two of those who are there."""
    if len(there) < 2 or rng.random() < 0.6:
        return []
    speaker, to = rng.sample(sorted(there), 2)
    matter = rng.randrange(len(frame.matters))
    if rng.random() < 0.25:
        return [Show(speaker, matter, to, rng.choice(FACES))]
    one = frame.people[to]
    return [Tell(speaker, matter, rng.choice(VALUES), to, one.face, one.ear)]


def any_words(frame: Frame, seed: int) -> Words:
    """Words of the guide in place of the story's: its own, others, also to doers, or none."""
    rng = random.Random(f"words {seed}")
    found: list[Word | None] = []
    for number, scene in enumerate(frame.scenes):
        there = sorted(frame.present_at_end(number) - {GUIDE})
        kind = rng.random()
        if kind < 0.25:
            found.append(scene.word)
        elif kind < 0.4 or not there:
            found.append(None)
        else:
            matter = rng.randrange(len(frame.matters))
            found.append(Word(matter, rng.choice(there), rng.choice(FACES), rng.choice(EARS)))
    return tuple(found)


def everything(frame: Frame, words: Words) -> Iterator[Asked]:
    """All that can be asked of a world, but of changes: of those, every state since one word."""
    numbers = range(len(frame.matters))
    for scene in range(len(frame.scenes)):
        there = frame.present_at_end(scene)
        for person in range(frame.size):
            yield Variable(Present(person), scene)
        word = words[scene]
        if word is not None:
            yield Variable(ReceptionOf(word.to), scene)
        for close in (False, True):
            for matter in numbers:
                doer = frame.matters[matter].doer
                for person in range(frame.size):
                    yield Variable(Backed(person, matter), scene, close)
                    if person != doer:
                        yield Variable(Emotion(person, matter), scene, close)
                        yield Variable(Intention(person, matter), scene, close)
                        if person in there:
                            yield Variable(Manner(person, matter), scene, close)
                for chain in chains.of_group(frame.size).all:
                    yield Variable(View(chain, matter), scene, close)
    for matter in numbers:
        for person in range(frame.size):
            if person != frame.matters[matter].doer:
                yield Variable(StakeIn(person, matter), 0)
    yield from _changes(frame)


def _changes(frame: Frame) -> Iterator[Changed]:
    for since in range(len(frame.scenes)):
        for scene, close in ((since, True), (since + 1, False)):
            if scene < len(frame.scenes):
                for state in _states(frame):
                    yield Changed(state, scene, since, close)


def _states(frame: Frame) -> Iterator[State]:
    for number, matter in enumerate(frame.matters):
        for person in range(frame.size):
            if person != matter.doer:
                yield Emotion(person, number)
                yield Intention(person, number)
        for chain in chains.of_group(frame.size).all[:: frame.size]:
            yield View(chain, number)
