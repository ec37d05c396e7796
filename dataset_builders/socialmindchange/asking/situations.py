"""What can be asked of a stage: who, after which words, in which scene; and what holds there.

A situation is a word of the guide that differs from the story's, perhaps after another such word in an
earlier scene, somebody whose mind is asked about, and a later scene. What can be claimed is kept by
its value, and by whether that value hangs on what others say: on whom they set right and what they speak
up for, which they may do otherwise after other words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.elsewhere import Elsewhere
from otherminds.dataset_builders.socialmindchange.asking.question import Exchanged, exchanged
from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Frame, Word
from otherminds.dataset_builders.socialmindchange.world.minds import RECEPTIONS, fits
from otherminds.dataset_builders.socialmindchange.world.roll import Moment, Roll
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Changed,
    Emotion,
    Intention,
    Manner,
    ReceptionOf,
    Variable,
    View,
    World,
    state,
)

_LEAST: Final = 4
"""In how many situations a feeling, intention or manner must occur to be offered."""

FEWEST_STIRRING: Final = 4
MORE_STIRRING: Final = 3
"""After how many words others must say something else: this many, and so many more for each person and
scene more than there are in the smallest stages."""

SMALLEST: Final = 4
SHORTEST: Final = 5

STIRRING: Final = 6
"""How many words are tried as what was said in an earlier scene, too; in larger stages as many more."""

_IDLE: Final = 2
_THEN: Final = 5
"""How many words are tried after an earlier one that need not stir."""

Key: TypeAlias = tuple[type, str, int, str]
Lead: TypeAlias = type[Emotion] | type[Intention] | type[Manner]
SET_SIZES: Final[Mapping[Lead, int]] = {Emotion: 4, Intention: 4, Manner: 2}
"""How many values are offered together."""


class NoQuestionError(ValueError):
    """A stage has no situation for a question: it is drawn anew."""


@dataclass(frozen=True)
class Factor:
    """A variable that options claim something about, and the values that are offered."""

    of: Asked
    offered: tuple[str, ...]


Pool: TypeAlias = Mapping[tuple[str, bool], Sequence[Factor]]
"""Factors by their true value, and by whether it hangs on what others say."""


@dataclass(frozen=True)
class Situation:
    """Who is asked about, after which words, in which scene.

    first     the scene at whose end the guide's word is exchanged last
    second    the scene that is asked about
    word      that last word; all is asked about its matter
    fits      whether it is put as its hearer takes it best
    focus     whom it is mostly about
    words     all words that are exchanged
    world     what follows from them
    as_told   the same if others said what they say in the story
    stirs     whether the two differ in what anybody takes the matter to be
    """

    first: int
    second: int
    word: Word
    fits: bool
    focus: int
    words: Exchanged
    world: World
    as_told: World
    stirs: bool

    @property
    def matter(self) -> int:
        """The matter of the word, which all is asked about."""
        return self.word.matter

    @property
    def others(self) -> list[int]:
        """The others whose mind about the matter is open."""
        return [one for one in concerned(self.world.roll.frame, self.matter) if one != self.focus]

    def true(self, asked: Asked) -> str | None:
        """The value that holds; None where somebody is not there to act."""
        return self._seen.value(asked)

    def hangs(self, asked: Asked) -> bool:
        """Whether its value hangs on what others say."""
        return self.stirs and self._seen.value(asked) != self._seen_as_told.value(asked)

    @property
    def now(self) -> Moment:
        """The state of the scene that is asked about."""
        return self._seen.now

    @cached_property
    def _seen(self) -> _Seen:
        return _Seen.of(self.world, self.first, self.second)

    @cached_property
    def _seen_as_told(self) -> _Seen:
        return _Seen.of(self.as_told, self.first, self.second)


@dataclass(frozen=True)
class _Seen:
    """A world at the two moments that most questions on a situation are about."""

    world: World
    before: Moment
    now: Moment
    second: int

    @classmethod
    def of(cls, world: World, first: int, second: int) -> _Seen:
        before, now = world.roll.scene(first, world.words), world.roll.scene(second, world.words)
        return cls(world, before.last, now.state, second)

    def value(self, asked: Asked) -> str | None:
        what = asked.what
        if asked.scene != self.second or not isinstance(what, View | Emotion | Intention):
            try:
                return self.world.value(asked)
            except ValueError:
                return None
        found = state(self.now, what)
        if isinstance(asked, Changed):
            return "no" if state(self.before, what) == found else "yes"
        return found


@dataclass
class Asking:
    """What is asked of one stage so far, and what can be.

    sets     the feelings, intentions and manners that occur in the stage often enough, in sets: an
             option's value is offered with the others of its set and no others, in every question on the
             stage
    by_lead  the numbers of the situations by what is asked of the one in focus, its value, span and
             setting
    used     what is asked already
    owed     how many questions are yet to hang on what others say, by order of belief
    """

    roll: Roll
    elsewhere: Elsewhere
    situations: tuple[Situation, ...]
    sets: dict[Lead, tuple[tuple[str, ...], ...]]
    by_lead: dict[Key, list[int]]
    used: set[object] = field(default_factory=set)
    owed: Counter[int] = field(default_factory=Counter)
    _pools: dict[object, Pool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rng: np.random.Generator, roll: Roll) -> Asking:
        """Everything that can be asked of a stage. Raises NoQuestionError where too little occurs."""
        found = _Situations(rng, roll)
        if len(found.stirring) < FEWEST_STIRRING + found.more:
            raise NoQuestionError("too few words after which others say something else")
        situations = (*found.single(), *found.double())
        counts: dict[Lead, Counter[str]] = {kind: Counter() for kind in SET_SIZES}
        by_lead: defaultdict[Key, list[int]] = defaultdict(list)
        for number, one in enumerate(situations):
            at = (one.second - one.first, one.word.setting)
            if one.focus == one.word.to:
                taken = one.world.value(Variable(ReceptionOf(one.focus), one.first))
                by_lead[ReceptionOf, taken, *at].append(number)
            if not one.fits:
                continue
            for kind, occurring in counts.items():
                true = one.true(own(kind, one))
                if true is not None:
                    occurring[true] += len(one.words) == 1
                    by_lead[kind, true, *at].append(number)
            by_lead[View, state(one.now, View((one.focus,), one.matter)), *at].append(number)
        sets = {kind: tuple(_sets(rng, counts[kind], size)) for kind, size in SET_SIZES.items()}
        for kind, some in sets.items():
            if not some:
                raise NoQuestionError(f"{kind.__name__}: too few values")
        if len({key[1] for key in by_lead if key[0] is ReceptionOf}) < len(RECEPTIONS):
            raise NoQuestionError("reception: too few values")
        return cls(roll, Elsewhere(roll), situations, sets, dict(by_lead))

    def pool(self, name: object, number: int, factors: Callable[[], Iterator[Factor]]) -> Pool:
        """The factors of one name in a situation; they are looked up once."""
        key = (name, number)
        if key not in self._pools:
            there = self.situations[number]
            found: defaultdict[tuple[str, bool], list[Factor]] = defaultdict(list)
            for one in factors():
                true = there.true(one.of)
                if true is not None and true in one.offered:
                    found[true, there.hangs(one.of)].append(one)
            self._pools[key] = dict(found)
        return self._pools[key]


def concerned(frame: Frame, matter: int) -> list[int]:
    """Those whose mind about a matter is open: not the doer and not the guide."""
    doer = frame.matters[matter].doer
    return [one for one in range(frame.size) if one not in (GUIDE, doer)]


def own(kind: Lead, there: Situation) -> Variable:
    """What the one in focus feels, means or does in the scene that is asked about."""
    return Variable(kind(there.focus, there.matter), there.second)


def _sets(rng: np.random.Generator, found: Counter[str], size: int) -> Iterator[tuple[str, ...]]:
    """What occurs often enough, dealt into sets."""
    drawn = shuffled(rng, sorted(one for one, count in found.items() if count >= _LEAST))
    for start in range(0, len(drawn) - size + 1, size):
        yield tuple(sorted(drawn[start : start + size]))


class _Situations:
    """All situations of a stage."""

    def __init__(self, rng: np.random.Generator, roll: Roll) -> None:
        self._rng, self._roll = rng, roll
        self._scenes = len(roll.frame.scenes)
        self._open: dict[int, int] = {}
        larger = roll.frame.size - SMALLEST + self._scenes - SHORTEST
        self.more = MORE_STIRRING * larger

    def single(self) -> Iterator[Situation]:
        """After one word that differs from the story's."""
        for first in range(self._scenes - 1):
            for word in self._others(first):
                yield from self._after({first: word}, first, stirring=False)

    def double(self) -> Iterator[Situation]:
        """After two words about the same matter: some where somebody says something else because of
        them, and some after an earlier word that is as likely as not to come to nothing. The earlier one
        is put as its hearer takes it best."""
        for scene, word in self._tried:
            for first in range(scene + 1, self._scenes - 1):
                for second in self._others(first):
                    if second.matter == word.matter:
                        yield from self._after({scene: word, first: second}, first, stirring=True)
        for scene, word in self._idle():
            first = int(self._rng.integers(scene + 1, self._scenes - 1))
            then = [one for one in self._others(first) if one.matter == word.matter]
            for second in shuffled(self._rng, then)[:_THEN]:
                yield from self._after({scene: word, first: second}, first, stirring=False)

    def _idle(self) -> Iterator[tuple[int, Word]]:
        """For each word that stirs, two others of its scene."""
        for scene, _ in self._tried:
            others = [one for one in self._others(scene) if self._fits(one)]
            for _ in range(_IDLE):
                if others:
                    yield scene, pick(self._rng, others)

    @property
    def _tried(self) -> Sequence[tuple[int, Word]]:
        """The words that stir and are tried as earlier ones."""
        return self.stirring[: STIRRING + self.more]

    def _others(self, scene: int) -> Iterator[Word]:
        told = self._roll.told[scene]
        return (word for word in draw.words(self._roll.frame, scene) if word != told)

    def _fits(self, word: Word) -> bool:
        return fits(self._roll.frame, word, word.to)

    def _after(self, words: Exchanged, first: int, *, stirring: bool) -> Iterator[Situation]:
        roll, word = self._roll, words[first]
        assert word is not None
        told = exchanged(roll, words)
        world, as_told = World(roll, told), World(roll.as_told, told)
        suits = self._fits(word)
        # Of a word that is put otherwise just one thing is asked: how its hearer takes it, and why.
        people = concerned(roll.frame, word.matter) if suits else [word.to]
        for second in range(first + 1, self._scenes):
            stirs = self._stirs(world, as_told, second, word.matter)
            if stirring and not stirs:
                continue
            for focus in people:
                yield Situation(first, second, word, suits, focus, words, world, as_told, stirs)

    def _stirs(self, world: World, as_told: World, scene: int, matter: int) -> bool:
        """Whether anybody takes the matter otherwise because others say something else."""
        one, other = (each.minds(scene).good[matter] for each in (world, as_told))
        return (one ^ other) & self._asked_of(matter) != 0

    def _asked_of(self, matter: int) -> int:
        """The chains whose views can be asked for."""
        if matter not in self._open:
            group = chains.of_group(self._roll.frame.size)
            closed = (GUIDE, self._roll.frame.matters[matter].doer)
            self._open[matter] = chains.bits(
                place
                for place, chain in enumerate(group.all)
                if chain[0] != GUIDE and chain[-1] not in closed
            )
        return self._open[matter]

    @cached_property
    def stirring(self) -> list[tuple[int, Word]]:
        """The words after which others say something else, with their scenes; each is put as its hearer
        takes it best."""
        found = []
        for scene in range(self._scenes - 2):
            for word in filter(self._fits, self._others(scene)):
                told = exchanged(self._roll, {scene: word})
                world, as_told = World(self._roll, told), World(self._roll.as_told, told)
                if any(
                    self._stirs(world, as_told, later, word.matter)
                    for later in range(scene + 2, self._scenes)
                ):
                    found.append((scene, word))
        return shuffled(self._rng, found)
