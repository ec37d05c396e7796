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
from otherminds.dataset_builders.socialmindchange.asking.outcomes import NoQuestionError
from otherminds.dataset_builders.socialmindchange.asking.question import (
    MentalState,
    Option,
    Question,
)
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    FRIEND,
    RIVAL,
    TARGET,
    Frame,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words, spoken
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Claim,
    Emotion,
    Intention,
    Manner,
    State,
    Variable,
    View,
    holds,
    value,
)

LONGEST: Final = 3
"""How many scenes later an aim is to be reached at the most."""


@dataclass(frozen=True)
class Occasion:
    """A scene at whose end the guide could help.

    first, second  the scene, and the one in which the aim is to hold
    focus, other   whom it is about, and their friend
    matters        the two that they are to be right about
    """

    first: int
    second: int
    focus: int
    other: int
    matters: tuple[int, int]


@dataclass(frozen=True)
class Solved:
    """An occasion with its sixteen words, and the one that works."""

    occasion: Occasion
    right: Word
    against: tuple[tuple[Word, tuple[str, ...]], ...]


def solved(roll: Roll) -> Iterator[Solved]:
    """The occasions of a stage for which just one word works."""
    for occasion in _occasions(roll.frame):
        right, against = [], []
        if not _wrong_about_one(roll, occasion):
            continue
        for word in _words(occasion):
            faults = tuple(_faults(roll, occasion, word))
            against.append((word, faults))
            right += [] if faults else [word]
        if len(right) == 1:
            yield Solved(occasion, right[0], tuple(against))


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
        options = [Option(word=word, against=against) for word, against in one.against]
        return Question(
            type="guidance_action",
            state=state,
            first=occasion.first,
            second=occasion.second,
            focus=occasion.focus,
            words={},
            aim=aim,
            guard=_guard(occasion),
            options=tuple(sorted(options, key=lambda option: bool(option.against))),
        )
    raise NoQuestionError(f"guidance_action, {state}")


def _occasions(frame: Frame) -> Iterator[Occasion]:
    for first in range(len(frame.scenes) - 1):
        if not {TARGET, FRIEND} <= frame.present_at_end(first):
            continue
        for span in range(1, LONGEST + 1):
            if first + span < len(frame.scenes):
                for focus, other in ((TARGET, FRIEND), (FRIEND, TARGET)):
                    free = [
                        number
                        for number, matter in enumerate(frame.matters)
                        if matter.doer not in (focus, other)
                    ]
                    for pair in combinations(free, 2):
                        yield Occasion(first, first + span, focus, other, pair)


def _words(occasion: Occasion) -> Iterator[Word]:
    people = (occasion.focus, occasion.other)
    for matter, to, setting, tone in product(occasion.matters, people, FACES, EARS):
        yield Word(matter, to, setting, tone)


def _after(roll: Roll, first: int, word: Word | None) -> Words:
    return (*roll.told[:first], word, *roll.told[first + 1 :])


def _right(roll: Roll, occasion: Occasion, word: Word | None) -> list[bool]:
    """Whether the one concerned is right about each of the two matters."""
    words = _after(roll, occasion.first, word)
    return [
        holds(
            roll,
            words,
            Claim(
                Variable(View((occasion.focus,), matter), occasion.second),
                roll.frame.matters[matter].meant,
            ),
        )
        for matter in occasion.matters
    ]


def _wrong_about_one(roll: Roll, occasion: Occasion) -> bool:
    return sum(_right(roll, occasion, None)) == 1


def _guard(occasion: Occasion) -> tuple[Variable, ...]:
    """That the rival takes the one concerned to think as if the guide had said nothing."""
    return tuple(
        Variable(View((RIVAL, occasion.focus), matter), occasion.second)
        for matter in occasion.matters
    )


def _faults(roll: Roll, occasion: Occasion, word: Word) -> Iterator[str]:
    """What is wrong with a word: that the aim is missed, and how the word was taken; that the rival
    notices."""
    words = _after(roll, occasion.first, word)
    silent = _after(roll, occasion.first, None)
    if not all(_right(roll, occasion, word)):
        minds = roll.scene(occasion.first, words).last.minds
        yield f"aim_missed_{minds.reception(spoken(roll.frame, word), word.to)}"
    guard = _guard(occasion)
    if [value(roll, words, one) for one in guard] != [value(roll, silent, one) for one in guard]:
        yield "rival_notices"


def _aim(roll: Roll, state: MentalState, occasion: Occasion, word: Word) -> tuple[Claim, ...]:
    """What is wanted of both matters, as it is after the right word; empty where it cannot be asked."""
    focus, scene = occasion.focus, occasion.second
    words = _after(roll, occasion.first, word)
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
    return tuple(Claim(one, value(roll, words, one)) for one in found)
