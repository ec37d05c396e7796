"""Which course of words reaches an aim: transition_plan.

A few sets of eight courses are drawn for a stage: three scenes have two words to choose from that differ
in one respect, the other scenes the same for all. Every question offers one of the sets, and its aim is
what just one of the eight leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.outcomes import NoQuestionError
from otherminds.dataset_builders.socialmindchange.asking.question import (
    MentalState,
    Option,
    Question,
)
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import EARS, FACES, GUIDE, Frame, Word
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Claim,
    Emotion,
    Intention,
    Manner,
    Thing,
    Variable,
    View,
    value,
)

DECISIONS: Final = 3
PLANS: Final = 2**DECISIONS
MOST_AIMS: Final = 3
_SETS: Final = 24
_SILENT: Final = 0.3


@dataclass(frozen=True)
class Courses:
    """Eight courses, and the values at the end that they differ in: by variable, one for each course."""

    courses: tuple[Words, ...]
    first: int
    values: tuple[tuple[Variable, tuple[str, ...]], ...]


def courses(rng: np.random.Generator, roll: Roll) -> Iterator[Courses]:
    """Sets of courses for a stage, as they are asked for."""
    for _ in range(_SETS):
        found = _courses(rng, roll)
        if found is not None:
            yield found


def question(
    rng: np.random.Generator,
    roll: Roll,
    sets: list[Courses],
    state: MentalState,
    used: set[object],
) -> Question:
    """A question about a state. Raises NoQuestionError.

    Which course is to be right is drawn first and evenly.
    """
    for wanted in shuffled(rng, range(PLANS)):
        for one in shuffled(rng, sets):
            aim = _aim(rng, roll, one, state, wanted)
            if not aim or ("transition_plan", aim) in used:
                continue
            used.add(("transition_plan", aim))
            options = [
                Option(course=course, against=() if place == wanted else _misses(one, aim, place))
                for place, course in enumerate(one.courses)
            ]
            return Question(
                type="transition_plan",
                state=state,
                first=one.first,
                second=len(roll.frame.scenes) - 1,
                focus=_person(aim[0]),
                words={},
                aim=aim,
                options=tuple(sorted(options, key=lambda option: bool(option.against))),
            )
    raise NoQuestionError(f"transition_plan, {state}")


def _courses(rng: np.random.Generator, roll: Roll) -> Courses | None:
    frame = roll.frame
    scenes = range(len(frame.scenes))
    choices: list[tuple[Word | None, ...]] = []
    decided = set(shuffled(rng, scenes)[:DECISIONS])
    for scene in scenes:
        possible = draw.words(frame, scene)
        if scene in decided:
            if not possible:
                return None
            word = pick(rng, possible)
            choices.append(tuple(_either(rng, word)))
        else:
            silent = not possible or chance(rng, _SILENT)
            choices.append((None if silent else pick(rng, possible),))
    found = tuple(product(*choices))
    values = tuple(_differing(roll, found))
    return Courses(found, min(decided), values)


def _either(rng: np.random.Generator, word: Word) -> list[Word]:
    """A word in both tones, or in both settings: the one that works is as often the one as the other."""
    if chance(rng, 0.5):
        return [replace(word, tone=tone) for tone in EARS]
    return [replace(word, setting=setting) for setting in FACES]


def _differing(roll: Roll, found: tuple[Words, ...]) -> Iterator[tuple[Variable, tuple[str, ...]]]:
    for variable in _ends(roll.frame):
        values = tuple(value(roll, words, variable) for words in found)
        if len(set(values)) > 1:
            yield variable, values


def _ends(frame: Frame) -> Iterator[Variable]:
    """What may be aimed at: the minds of those who are neither doer nor guide, when people part."""
    last = len(frame.scenes) - 1
    for matter, deed in enumerate(frame.matters):
        people = [one for one in range(frame.size) if one not in (GUIDE, deed.doer)]
        things: list[Thing] = []
        for one in people:
            things += [View((one,), matter), Emotion(one, matter), Intention(one, matter)]
            things += [View((one, other), matter) for other in people if other != one]
        yield from (Variable(thing, last, close=True) for thing in things)


def _aim(
    rng: np.random.Generator, roll: Roll, sets: Courses, state: MentalState, wanted: int
) -> tuple[Claim, ...]:
    """Up to three things that hold together after one course alone; empty where there are none."""
    last = len(roll.frame.scenes) - 1
    there = roll.frame.present_at_end(last)
    left = set(range(PLANS)) - {wanted}
    found: list[Claim] = []
    for variable, values in shuffled(rng, sets.values):
        if not _suits(variable.what, state, there):
            continue
        wrong = {place for place in left if values[place] != values[wanted]}
        if wrong and len(found) < MOST_AIMS:
            found.append(Claim(variable, values[wanted]))
            left -= wrong
        if not left:
            break
    if left:
        return ()
    if state == "action":
        # What somebody does is what they mean to do, in the manner that those who are there leave them.
        first = found[0].of
        assert isinstance(first, Variable)
        assert isinstance(first.what, Intention)
        manner = Variable(Manner(first.what.person, first.what.matter), last, close=True)
        found.insert(1, Claim(manner, value(roll, sets.courses[wanted], manner)))
    return tuple(found)


def _suits(what: Thing, state: MentalState, there: frozenset[int]) -> bool:
    if state == "belief":
        return isinstance(what, View)
    if state == "emotion":
        return isinstance(what, Emotion)
    if state == "intention":
        return isinstance(what, Intention)
    return isinstance(what, Intention) and what.person in there


def _misses(sets: Courses, aim: tuple[Claim, ...], place: int) -> tuple[str, ...]:
    values = dict(sets.values)
    return tuple(
        f"aim_missed_{number}"
        for number, claim in enumerate(aim, start=1)
        if isinstance(claim.of, Variable)
        and claim.of in values
        and values[claim.of][place] != claim.value
    )


def _person(claim: Claim) -> int:
    what = claim.of.what
    return what.chain[0] if isinstance(what, View) else what.person
