"""Which word of the guide reaches an aim: guidance_action.

Of two matters somebody is right about one and wrong about the other. The guide can speak of either, to
them or to their friend, aside or openly, gently or plainly: sixteen words, one of which makes both right
without the rival noticing. The aim names what is wanted of both, so it does not say which is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question, exchanged
from otherminds.dataset_builders.socialmindchange.asking.situations import NoQuestionError
from otherminds.dataset_builders.socialmindchange.cells import MentalState
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    FRIEND,
    RIVAL,
    TARGET,
    Frame,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Roll
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Claim,
    Emotion,
    Intention,
    Manner,
    ReceptionOf,
    State,
    Variable,
    View,
    World,
)

ENOUGH: Final = 10
"""How many occasions are looked for."""

SUPPOSED: Final = 1
"""How many words in earlier scenes are tried as what was said instead."""

LONGEST: Final = 3
"""How many scenes later an aim is to be reached at the most."""


@dataclass(frozen=True)
class Occasion:
    """A scene at whose end the guide could help.

    first, second  the scene, and the one in which the aim is to hold
    focus, other   whom it is about, and their friend
    matters        the two that they are to be right about
    before         what the guide is supposed to have said at the end of earlier scenes instead, if
                   anything
    """

    first: int
    second: int
    focus: int
    other: int
    matters: tuple[int, int]
    before: tuple[tuple[int, Word | None], ...]


@dataclass(frozen=True)
class Solved:
    """An occasion, the one word that works, and what the guard is if the guide says nothing."""

    occasion: Occasion
    right: Word
    as_if: tuple[str, ...]


def solved(rng: np.random.Generator, roll: Roll) -> list[Solved]:
    """Occasions of a stage for which just one word works, as many as are needed."""
    found: list[Solved] = []
    worlds: dict[object, World] = {}
    for occasion in shuffled(rng, list(_occasions(rng, roll.frame))):
        # Occasions that differ in what is wanted alone share the worlds of their words.
        start = (occasion.first, occasion.before)
        if start not in worlds:
            worlds[start] = _after(roll, occasion, None)
        silent = worlds[start]
        if sum(_right(silent, occasion)) != 1:
            continue
        as_if = tuple(silent.value(one) for one in _guard(occasion))
        right: list[Word] = []
        for word in _words(occasion):
            said = (start, word)
            if said not in worlds:
                worlds[said] = _after(roll, occasion, word)
            if _works(worlds[said], occasion, as_if):
                right.append(word)
                if len(right) > 1:
                    break
        if len(right) == 1:
            found.append(Solved(occasion, right[0], as_if))
            if len(found) == ENOUGH:
                break
    return found


def question(
    rng: np.random.Generator,
    roll: Roll,
    found: list[Solved],
    state: MentalState,
    used: set[object],
) -> Question:
    """A question about a state on one of the occasions. Raises NoQuestionError."""
    for one in shuffled(rng, found):
        occasion = one.occasion
        key = ("guidance_action", state, occasion)
        aim = _aim(roll, state, occasion, one.right)
        if key in used or not aim:
            continue
        used.add(key)
        options = [
            Option(
                word=word,
                against=tuple(_faults(_after(roll, occasion, word), occasion, word, one.as_if)),
            )
            for word in _words(occasion)
        ]
        return Question(
            type="guidance_action",
            state=state,
            first=occasion.first,
            second=occasion.second,
            focus=occasion.focus,
            words=dict(occasion.before),
            aim=aim,
            guard=_guard(occasion),
            options=tuple(sorted(options, key=lambda option: bool(option.against))),
        )
    raise NoQuestionError(f"guidance_action, {state}")


def _befores(
    rng: np.random.Generator, frame: Frame, first: int
) -> list[tuple[tuple[int, Word | None], ...]]:
    """What may be supposed of earlier scenes: nothing else than is told, that the guide said nothing at
    all, or something else at one of them."""
    if first == 0:
        return [()]
    others = [(scene, word) for scene in range(first) for word in draw.words(frame, scene)]
    drawn = shuffled(rng, others)[:SUPPOSED]
    return [(), tuple((scene, None) for scene in range(first)), *((one,) for one in drawn)]


def _occasions(rng: np.random.Generator, frame: Frame) -> Iterator[Occasion]:
    for first in range(len(frame.scenes) - 1):
        if not {TARGET, FRIEND} <= frame.present_at_end(first):
            continue
        befores = _befores(rng, frame, first)
        for span in range(1, LONGEST + 1):
            if first + span < len(frame.scenes):
                for focus, other in ((TARGET, FRIEND), (FRIEND, TARGET)):
                    free = [
                        number
                        for number, matter in enumerate(frame.matters)
                        if matter.doer not in (focus, other)
                    ]
                    for pair in combinations(free, 2):
                        for before in befores:
                            yield Occasion(first, first + span, focus, other, pair, before)


def _words(occasion: Occasion) -> Iterator[Word]:
    people = (occasion.focus, occasion.other)
    for matter, to, setting, tone in product(occasion.matters, people, FACES, EARS):
        yield Word(matter, to, setting, tone)


def _after(roll: Roll, occasion: Occasion, word: Word | None) -> World:
    return World(roll, exchanged(roll, {**dict(occasion.before), occasion.first: word}))


def _right(world: World, occasion: Occasion) -> list[bool]:
    """Whether the one concerned is right about each of the two matters."""
    minds, focus = world.minds(occasion.second), (occasion.focus,)
    matters = world.roll.frame.matters
    return [minds.view(focus, matter) == matters[matter].meant for matter in occasion.matters]


def _works(world: World, occasion: Occasion, as_if: tuple[str, ...]) -> bool:
    """Whether the aim is reached, and the rival notices nothing."""
    return all(_right(world, occasion)) and not _noticed(world, occasion, as_if)


def _noticed(world: World, occasion: Occasion, as_if: tuple[str, ...]) -> bool:
    return tuple(world.value(one) for one in _guard(occasion)) != as_if


def _guard(occasion: Occasion) -> tuple[Variable, ...]:
    """That the rival, when people part, takes the one concerned and their friend to think as if the
    guide had said nothing."""
    return tuple(
        Variable(View((RIVAL, one), matter), occasion.first, close=True)
        for one in (occasion.focus, occasion.other)
        for matter in occasion.matters
    )


def _faults(world: World, occasion: Occasion, word: Word, as_if: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with a word: that the aim is missed, and how the word was taken; that the rival
    notices. `as_if` is what the guard would be if the guide had said nothing."""
    if not all(_right(world, occasion)):
        taken = world.value(Variable(ReceptionOf(word.to), occasion.first))
        yield f"aim_missed_{taken}"
    if _noticed(world, occasion, as_if):
        yield "rival_notices"


def _aim(roll: Roll, state: MentalState, occasion: Occasion, word: Word) -> tuple[Claim, ...]:
    """What is wanted of both matters, as it is after the right word; empty where it cannot be asked."""
    focus, scene = occasion.focus, occasion.second
    world = _after(roll, occasion, word)
    if state == "action" and focus not in roll.frame.present_at_end(scene):
        return ()
    found = []
    for matter in occasion.matters:
        what: State
        if state == "belief":
            what = View((focus,), matter)
        elif state == "emotion":
            what = Emotion(focus, matter)
        else:
            what = Intention(focus, matter)
        found.append(Variable(what, scene))
        if state == "action":
            found.append(Variable(Manner(focus, matter), scene))
    return tuple(Claim(one, world.value(one)) for one in found)
