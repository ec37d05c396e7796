"""Which course of words reaches an aim: transition_plan.

A few sets of eight courses are drawn for a stage. In one scene they differ in how the guide's word is
put, in another in whether the guide speaks at all, in the others they are the same. Every question
offers one of the sets, and its aim is what just one of the eight leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question, exchanged
from otherminds.dataset_builders.socialmindchange.asking.situations import NoQuestionError
from otherminds.dataset_builders.socialmindchange.cells import STATES, MentalState
from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.frame import EARS, FACES, GUIDE, Frame, Word
from otherminds.dataset_builders.socialmindchange.world.minds import fits
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Claim,
    Emotion,
    Intention,
    Manner,
    Thing,
    Variable,
    View,
    look,
    value,
)

PLANS: Final = 8
MOST_AIMS: Final = 4
_SETS: Final = 5
_TRIED: Final = 50
_HOPELESS: Final = 12
_LOOKS: Final = 4
_SILENT: Final = 0.4
_SPEAKS: Final = 0.65
"""How often a course is wanted in which the guide speaks where that is open: so it is right in every
other question or so."""


@dataclass(frozen=True)
class Courses:
    """Eight courses, and the values at the end that they differ in: by variable, one for each course."""

    courses: tuple[Words, ...]
    first: int
    values: tuple[tuple[Variable, tuple[str, ...]], ...]

    @cached_property
    def speaks(self) -> tuple[bool, ...]:
        """Of each course, whether the guide speaks where others are silent."""
        open_scenes = [any(words) for words in zip(*self.courses, strict=True)]
        return tuple(
            all(
                word is not None
                for word, is_open in zip(course, open_scenes, strict=True)
                if is_open
            )
            for course in self.courses
        )


def courses(rng: np.random.Generator, roll: Roll) -> list[Courses]:
    """Sets of courses for a stage, enough of them for each state if there are."""
    lasting = list(_lasting(roll))
    found: list[Courses] = []
    serving = dict.fromkeys(STATES, 0)
    for tried in range(_TRIED):
        one = _courses(rng, roll, lasting)
        if one is None or (tried == _HOPELESS and not found):
            break
        served = [state for state in STATES if _decides(roll, one, state)]
        if any(serving[state] < _SETS for state in served):
            found.append(one)
            for state in served:
                serving[state] += 1
        if min(serving.values()) >= _SETS:
            break
    return found


def question(
    rng: np.random.Generator,
    roll: Roll,
    sets: list[Courses],
    state: MentalState,
    used: set[object],
) -> Question:
    """A question about a state. Raises NoQuestionError.

    Which course is to be right is drawn first: evenly, but for whether the guide is to be silent where
    that is open, for which more aims are found.
    """
    speaks = chance(rng, _SPEAKS)
    turns = [(wanted, one) for wanted in shuffled(rng, range(PLANS)) for one in shuffled(rng, sets)]
    for wanted, one in sorted(turns, key=lambda turn: turn[1].speaks[turn[0]] != speaks):
        aims = (_aim(rng, roll, one, state, wanted) for _ in range(_LOOKS))
        new = (aim for aim in aims if aim and ("transition_plan", one.courses, aim) not in used)
        aim = next(new, ())
        if not aim:
            continue
        used.add(("transition_plan", one.courses, aim))
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


def _decides(roll: Roll, found: Courses, state: MentalState) -> bool:
    """Whether what can be asked about a state tells one of the courses from all others."""
    there = roll.frame.present_at_end(len(roll.frame.scenes) - 1)
    asked = [values for variable, values in found.values if _suits(variable.what, state, there)]
    together = list(zip(*asked, strict=True))
    return any(together.count(one) == 1 for one in together)


def _courses(
    rng: np.random.Generator, roll: Roll, lasting: Sequence[tuple[int, Word]]
) -> Courses | None:
    """Two scenes to decide in, in one on tone and setting, in the other between silence and a word that
    is put as its hearer takes it best; and the same words or silence in the others."""
    if not lasting:
        return None
    scene, word = pick(rng, lasting)
    scenes = [one for one in range(len(roll.frame.scenes)) if draw.words(roll.frame, one)]
    if len(scenes) < len(roll.frame.scenes):
        return None
    other = pick(rng, [one for one in scenes if one != scene])
    beside = [one for one in draw.words(roll.frame, other) if fits(roll.frame, one, one.to)]
    second = pick(rng, [one for at, one in lasting if at == other and one in beside] or beside)
    decided: dict[int, tuple[Word | None, ...]] = {
        scene: tuple(
            replace(word, tone=tone, setting=setting) for tone in EARS for setting in FACES
        ),
        other: (second, None),
    }
    choices: list[tuple[Word | None, ...]] = []
    for scene in range(len(roll.frame.scenes)):
        possible = draw.words(roll.frame, scene)
        silent = not possible or chance(rng, _SILENT)
        choices.append(decided.get(scene, (None if silent else pick(rng, possible),)))
    found = tuple(product(*choices))
    return Courses(found, min(decided), tuple(_differing(roll, found)))


def _lasting(roll: Roll) -> Iterator[tuple[int, Word]]:
    """The words that still make a difference to what somebody thinks when people part after the last
    scene, by scene."""
    last = len(roll.frame.scenes) - 1
    people = chains.bits(one for one in range(roll.frame.size) if one != GUIDE)
    for scene in range(last + 1):
        silent = roll.close(last, exchanged(roll, {scene: None}))
        for word in draw.words(roll.frame, scene):
            said = roll.close(last, exchanged(roll, {scene: word}))
            one, other = (each.minds.good[word.matter] for each in (said, silent))
            if (one ^ other) & people:
                yield scene, word


def _differing(roll: Roll, found: tuple[Words, ...]) -> Iterator[tuple[Variable, tuple[str, ...]]]:
    last = len(roll.frame.scenes) - 1
    ends = [roll.close(last, words) for words in found]
    # Courses that leave the same minds have one moment in common.
    different = {id(end): end for end in ends}
    for variable in _ends(roll.frame):
        values = {name: look(end, variable.what) for name, end in different.items()}
        if len(set(values.values())) > 1:
            yield variable, tuple(values[id(end)] for end in ends)


def _ends(frame: Frame) -> Iterator[Variable]:
    """What may be aimed at: the minds of those who are neither doer nor guide, when people part."""
    last = len(frame.scenes) - 1
    for matter, deed in enumerate(frame.matters):
        people = [one for one in range(frame.size) if one not in (GUIDE, deed.doer)]
        things: list[Thing] = []
        for one in people:
            things += [Emotion(one, matter), Intention(one, matter)]
        things += [
            View(chain, matter)
            for chain in chains.of_group(frame.size).all
            if chain[0] != GUIDE
            and chain[-1] in people
            and (len(chain) < 3 or chain[0] == chain[2])
        ]
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
