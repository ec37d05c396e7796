"""Planning how minds move over the scenes of a stage.

The person in focus starts troubled and ends sound. In each scene a new matter comes up, or a good
turn; between scenes the matter before is settled by a move that works, or, as a setback, made worse by
one that does not. The matters are drawn evenly and independently of each other: an even draw is what
keeps an option from being likelier than its neighbors before anything is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from otherminds.dataset_builders.draws import chance, pick
from otherminds.dataset_builders.socialmindchange.codes.moves import (
    GOALS,
    NORMS,
    SETTINGS,
    Disposition,
    Group,
    Inform,
    respond,
)
from otherminds.dataset_builders.socialmindchange.codes.states import (
    AGENCIES,
    CIRCUMSTANCES,
    MATTERS,
    Belief,
    Circumstance,
    Level,
    Matter,
)

Bridge: TypeAlias = Literal["told", "shown", "done", "owned"]
"""How a matter is dealt with between scenes."""

BRIDGES: Final[tuple[Bridge, ...]] = get_args(Bridge)

TARGET: Final = 0
GUIDE: Final = 1
"""Places in the cast; the others follow."""

_SETBACK: Final = 0.65
_GOOD_TURN: Final = 0.3
_GUESSES: Final = 2
_OTHER_TROUBLED: Final = 0.6


@dataclass(frozen=True)
class Guess:
    """What somebody (`by`) takes the person in focus to believe: a third-order belief."""

    by: int
    matter: Matter
    about: int


@dataclass(frozen=True)
class Transition:
    """What was done about the matter of the scene before: how, by whom, and whether it helped."""

    bridge: Bridge
    agent: int
    helped: bool


@dataclass(frozen=True)
class Moment:
    """The minds in one scene.

    belief        of the person in focus
    counterpart   somebody else who is seen closely, with their `other` belief
    circumstance  in which the person in focus acts at the end
    guess         what somebody says of the person in focus
    before        how the scene before led here; None in the first scene
    group         the state of the group at the end of the scene
    """

    belief: Belief
    counterpart: int
    other: Belief
    circumstance: Circumstance
    guess: Guess | None
    before: Transition | None
    group: Group


@dataclass(frozen=True)
class Trajectory:
    """All moments of a stage; what everybody is like, and what they believed before the first."""

    dispositions: tuple[Disposition, ...]
    initial: tuple[Belief, ...]
    moments: tuple[Moment, ...]

    @property
    def size(self) -> int:
        """How many people there are."""
        return len(self.dispositions)

    def held(self, person: int, scene: int) -> Belief:
        """What somebody believes in a scene: what they were last seen to believe."""
        for moment in reversed(self.moments[: scene + 1]):
            if person == TARGET:
                return moment.belief
            if person == moment.counterpart:
                return moment.other
        return self.initial[person]

    @property
    def focus(self) -> Disposition:
        """What the person in focus is like."""
        return self.dispositions[TARGET]


def plan(rng: np.random.Generator, size: int, scenes: int) -> Trajectory:
    """A trajectory of `size` people over `scenes` scenes."""
    dispositions = _dispositions(rng, size)
    initial = tuple(_belief(rng, person, "sound", size) for person in range(size))
    levels = _levels(rng, scenes)
    setback = _setback(rng, levels)
    guessed = _guessed(rng, levels)
    group = Group(pick(rng, NORMS))
    moments: list[Moment] = []
    for number, level in enumerate(levels):
        last = moments[-1] if moments else None
        before = None
        if last is not None:
            before, group = _transition(rng, last, dispositions, number != setback, size)
        belief = _belief(rng, TARGET, level, size)
        while last is not None and belief == last.belief:
            belief = _belief(rng, TARGET, level, size)
        counterpart = int(rng.integers(1, size))
        moments.append(
            Moment(
                belief,
                counterpart,
                _belief(rng, counterpart, _other_level(rng), size),
                pick(rng, CIRCUMSTANCES),
                _guess(rng, belief, size) if number in guessed else None,
                before,
                group,
            )
        )
    return Trajectory(dispositions, initial, tuple(moments))


def _dispositions(rng: np.random.Generator, size: int) -> tuple[Disposition, ...]:
    """Everybody's aim: the first four people have one of the four each, so that an aim has to be told
    from those of others."""
    order = [GOALS[int(place)] for place in rng.permutation(len(GOALS))]
    goals = order + [pick(rng, GOALS) for _ in range(size - len(order))]
    return tuple(Disposition(goal, pick(rng, SETTINGS)) for goal in goals)


def _levels(rng: np.random.Generator, scenes: int) -> tuple[Level, ...]:
    """Troubled at first, sound at last, and some good turns in between."""
    middle: list[Level] = [
        "sound" if chance(rng, _GOOD_TURN) else "troubled" for _ in range(scenes - 2)
    ]
    return ("troubled", *middle, "sound")


def _setback(rng: np.random.Generator, levels: tuple[Level, ...]) -> int | None:
    """The scene that a failing move leads to, if any: a troubled one after a troubled one."""
    places = [
        number
        for number in range(1, len(levels))
        if levels[number] == levels[number - 1] == "troubled"
    ]
    return pick(rng, places) if places and chance(rng, _SETBACK) else None


def _guessed(rng: np.random.Generator, levels: tuple[Level, ...]) -> frozenset[int]:
    places = [number for number, level in enumerate(levels) if number and level == "troubled"]
    chosen = rng.permutation(len(places))[:_GUESSES]
    return frozenset(places[int(place)] for place in chosen)


def _belief(rng: np.random.Generator, holder: int, level: Level, size: int) -> Belief:
    others = [place for place in range(size) if place != holder]
    return Belief(level, pick(rng, MATTERS), pick(rng, AGENCIES), pick(rng, others))


def _other_level(rng: np.random.Generator) -> Level:
    return "troubled" if chance(rng, _OTHER_TROUBLED) else "sound"


def _guess(rng: np.random.Generator, belief: Belief, size: int) -> Guess:
    """A guess by somebody whom neither it nor the truth is about; drawn without regard to the truth."""
    about = int(rng.integers(1, size))
    by = pick(rng, [place for place in range(1, size) if place not in (about, belief.about)])
    return Guess(by, pick(rng, MATTERS), about)


def _transition(
    rng: np.random.Generator,
    last: Moment,
    dispositions: tuple[Disposition, ...],
    helps: bool,
    size: int,
) -> tuple[Transition, Group]:
    """What is done about the last scene's matter, and the group after the guide's move.

    A good move meets belief, person and setting; in a setback it misses the setting and the matter.
    """
    belief, focus = last.belief, dispositions[TARGET]
    if helps:
        move = Inform(belief.matter, belief.about, focus.face)
    else:
        wrong = pick(rng, [matter for matter in MATTERS if matter != belief.matter])
        setting = next(setting for setting in SETTINGS if setting != focus.face)
        move = Inform(wrong, belief.about, setting)
    response = respond(move, belief, focus, last.group)
    bridge = pick(rng, BRIDGES)
    agent = GUIDE if belief.about != GUIDE and chance(rng, 0.6) else _mover(rng, belief, size)
    return Transition(bridge, agent, response.works), response.group


def _mover(rng: np.random.Generator, belief: Belief, size: int) -> int:
    return pick(rng, [place for place in range(1, size) if place != belief.about])
