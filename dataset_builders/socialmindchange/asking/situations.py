"""What can be asked of a stage: who, after which words, in which scene; and what holds there.

A situation is a word of the guide that differs from the story's, perhaps after another such word in an
earlier scene, somebody whose mind is asked about, and a later scene. What can be claimed is kept by
its value, and by whether that value hangs on what others say: on whom they set right and what they speak
up for, which they may do otherwise after other words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.elsewhere import Elsewhere
from otherminds.dataset_builders.socialmindchange.asking.question import Exchanged, exchanged
from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Frame, Word
from otherminds.dataset_builders.socialmindchange.world.minds import RECEPTIONS, fits
from otherminds.dataset_builders.socialmindchange.world.roll import Moment, Roll, spoken
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Changed,
    Emotion,
    Intention,
    Manner,
    ReceptionOf,
    Thing,
    Variable,
    View,
    World,
    look,
)

if TYPE_CHECKING:
    from otherminds.dataset_builders.socialmindchange.asking.lines import Line, Offered

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

Key: TypeAlias = tuple[type, str, int, str, bool]
Lead: TypeAlias = type[Emotion] | type[Intention] | type[Manner]
Stirring: TypeAlias = Sequence[tuple[int, Word]]
"""Words after which others say something else, with their scenes."""

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


@dataclass(frozen=True, eq=False)
class Spot:
    """What a question is about, whatever follows from the guide's word.

    first, second    as of the situation
    matter, to       the matter of the word, and whom it is said to
    focus            whom it is mostly about
    factors          what can be asked, by the name of a part of options
    """

    frame: Frame
    first: int
    second: int
    matter: int
    to: int
    focus: int
    factors: dict[object, Factors] = field(default_factory=dict, repr=False)

    @cached_property
    def others(self) -> list[int]:
        """The others whose mind about the matter is open."""
        return [one for one in concerned(self.frame, self.matter) if one != self.focus]


@dataclass(frozen=True, eq=False)
class Factors:
    """Factors of one part of options; where all are about views, each with the bit of its chain."""

    all: tuple[Factor, ...]
    views: tuple[int, ...]

    @classmethod
    def of(cls, frame: Frame, found: Iterable[Factor]) -> Factors:
        """These factors."""
        every = tuple(found)
        place = chains.of_group(frame.size).place
        views = [1 << place[one.of.what.chain] for one in every if isinstance(one.of.what, View)]
        return cls(every, tuple(views) if len(views) == len(every) else ())


@dataclass(frozen=True, eq=False)
class Seen:
    """What is thought at a spot: all that values hang on, save how the word is put.

    Situations that come to the same share one, and what is looked up in it.

    before, now      the moment before the word, and the state of the scene that is asked about
    ..._as_told      the same if others said what they say in the story
    pools            what can be asked, by the name of a part of options
    """

    spot: Spot
    before: Moment
    now: Moment
    before_as_told: Moment
    now_as_told: Moment
    pools: dict[object, Pool] = field(default_factory=dict, repr=False)

    @cached_property
    def leads(self) -> tuple[tuple[type, str], ...]:
        """The state of the one in focus by what is asked, and what they do if they are there."""
        spot = self.spot
        view = self.now.minds.view((spot.focus,), spot.matter)
        found = ((kind, _looked(self.now, own(kind, spot).what)) for kind in SET_SIZES)
        return ((View, view), *((kind, value) for kind, value in found if value is not None))

    def pool(self, factors: Factors) -> Pool:
        """Those that are offered with their true value, by it and whether it hangs on others."""
        found: defaultdict[tuple[str, bool], list[Factor]] = defaultdict(list)
        if factors.views:
            # Most of what can be asked are views: all are compared at once, as bits.
            changed = isinstance(factors.all[0].of, Changed)
            names = ("no", "yes") if changed else ("ill", "good")
            true = self._views(self.before, self.now, changed=changed)
            swayed = true ^ self._views(self.before_as_told, self.now_as_told, changed=changed)
            for one, bit in zip(factors.all, factors.views, strict=True):
                found[names[true & bit != 0], swayed & bit != 0].append(one)
            return dict(found)
        for one in factors.all:
            value = _valued(one.of, self.before, self.now)
            if value is not None and value in one.offered:
                as_told = _valued(one.of, self.before_as_told, self.now_as_told)
                found[value, value != as_told].append(one)
        return dict(found)

    def _views(self, before: Moment, now: Moment, *, changed: bool) -> int:
        """The chains whose view of the matter is `good`, or that changed theirs."""
        good = now.minds.good[self.spot.matter]
        return good ^ before.minds.good[self.spot.matter] if changed else good


def _valued(asked: Asked, before: Moment, now: Moment) -> str | None:
    found = _looked(now, asked.what)
    if isinstance(asked, Changed):
        return "no" if _looked(before, asked.what) == found else "yes"
    return found


def _looked(moment: Moment, what: Thing) -> str | None:
    try:
        return look(moment, what)
    except ValueError:
        return None


@dataclass(frozen=True, eq=False)
class Situation:
    """Who is asked about, after which words, in which scene.

    first     the scene at whose end the guide's word is exchanged last
    second    the scene that is asked about
    word      that last word; all is asked about its matter
    fits      whether it is put as its hearer takes it best
    focus     whom it is mostly about
    words     all words that are exchanged
    world     what follows from them
    stirs     whether anybody takes the matter otherwise because others say something else
    seen      what is seen of it
    """

    first: int
    second: int
    word: Word
    fits: bool
    focus: int
    words: Exchanged
    world: World
    stirs: bool
    seen: Seen

    @property
    def matter(self) -> int:
        """The matter of the word, which all is asked about."""
        return self.word.matter

    @cached_property
    def taken(self) -> Pool:
        """How the one in focus takes the word, if it is said to them; as a pool."""
        if self.focus != self.word.to:
            return {}
        told = spoken(self.world.roll.frame, self.word)
        found = self.seen.before.minds.reception(told, self.focus)
        as_told = self.seen.before_as_told.minds.reception(told, self.focus)
        factor = Factor(Variable(ReceptionOf(self.focus), self.first), RECEPTIONS)
        return {(found, found != as_told): [factor]}


@dataclass
class Asking:
    """What is asked of one stage so far, and what can be.

    sets     the feelings, intentions and manners that occur in the stage often enough, in sets: an
             option's value is offered with the others of its set and no others, in every question on the
             stage
    by_lead  the numbers of the situations by what is asked of the one in focus, its value, span,
             setting, and whether it is asked that others say something else
    lines    the situations in line, by their keys in `by_lead`
    parts    the parts of options, by what they depend on
    used     what is asked already
    owed     how many questions are yet to hang on what others say, by order of belief
    """

    roll: Roll
    elsewhere: Elsewhere
    situations: tuple[Situation, ...]
    sets: dict[Lead, tuple[tuple[str, ...], ...]]
    by_lead: dict[Key, list[int]]
    lines: dict[tuple[Key, ...], Line | None] = field(default_factory=dict)
    parts: dict[object, Sequence[Offered]] = field(default_factory=dict)
    used: set[object] = field(default_factory=set)
    owed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, rng: np.random.Generator, roll: Roll, stirring: Stirring) -> Asking:
        """Everything that can be asked of a stage. Raises NoQuestionError where too little occurs."""
        found = _Situations(rng, roll, shuffled(rng, stirring))
        situations = (*found.single(), *found.double())
        counts: dict[Lead, Counter[str]] = {kind: Counter() for kind in SET_SIZES}
        by_lead: defaultdict[Key, list[int]] = defaultdict(list)
        for number, one in enumerate(situations):
            taken = [(ReceptionOf, value) for value, _ in one.taken]
            leads = one.seen.leads if one.fits else ()
            for kind, true in (*leads, *taken):
                if kind in counts:
                    counts[kind][true] += len(one.words) == 1
                for stirs in (False, True) if one.stirs else (False,):
                    span, setting = one.second - one.first, one.word.setting
                    by_lead[kind, true, span, setting, stirs].append(number)
        sets = {kind: tuple(_sets(rng, counts[kind], size)) for kind, size in SET_SIZES.items()}
        for kind, some in sets.items():
            if not some:
                raise NoQuestionError(f"{kind.__name__}: too few values")
        if len({key[1] for key in by_lead if key[0] is ReceptionOf}) < len(RECEPTIONS):
            raise NoQuestionError("reception: too few values")
        return cls(roll, Elsewhere(roll), situations, sets, dict(by_lead))


def concerned(frame: Frame, matter: int) -> list[int]:
    """Those whose mind about a matter is open: not the doer and not the guide."""
    doer = frame.matters[matter].doer
    return [one for one in range(frame.size) if one not in (GUIDE, doer)]


def own(kind: Lead, there: Spot) -> Variable:
    """What the one in focus feels, means or does in the scene that is asked about."""
    return Variable(kind(there.focus, there.matter), there.second)


def _sets(rng: np.random.Generator, found: Counter[str], size: int) -> Iterator[tuple[str, ...]]:
    """What occurs often enough, dealt into sets."""
    drawn = shuffled(rng, sorted(one for one, count in found.items() if count >= _LEAST))
    for start in range(0, len(drawn) - size + 1, size):
        yield tuple(sorted(drawn[start : start + size]))


def stirring(roll: Roll) -> Stirring:
    """The words after which others say something else, with their scenes; each is put as its hearer
    takes it best.

    Raises NoQuestionError where there are too few, as in most frames that are drawn: so this is looked
    at first.
    """
    found = []
    scenes = len(roll.frame.scenes)
    for scene in range(scenes - 2):
        # What comes of a word hangs on the minds that it leaves.
        known: dict[tuple[int, int], bool] = {}
        for word in _fitting(roll, scene):
            told = exchanged(roll, {scene: word})
            key = (id(roll.close(scene, told)), word.matter)
            if key not in known:
                world, as_told = World(roll, told), World(roll.as_told, told)
                known[key] = any(
                    stirs(world, as_told, later, word.matter) for later in range(scene + 2, scenes)
                )
            if known[key]:
                found.append((scene, word))
    if len(found) < FEWEST_STIRRING + _more(roll.frame):
        raise NoQuestionError("too few words after which others say something else")
    return found


def stirs(world: World, as_told: World, scene: int, matter: int) -> bool:
    """Whether anybody takes the matter otherwise because others say something else."""
    one, other = (each.minds(scene).good[matter] for each in (world, as_told))
    frame = world.roll.frame
    return one != other and (one ^ other) & _open(frame.size, frame.matters[matter].doer) != 0


@cache
def _open(size: int, doer: int) -> int:
    """The chains whose views of a matter can be asked for, by who did it."""
    return chains.bits(
        place
        for place, chain in enumerate(chains.of_group(size).all)
        if chain[0] != GUIDE and chain[-1] not in (GUIDE, doer)
    )


def _more(frame: Frame) -> int:
    larger = frame.size - SMALLEST + len(frame.scenes) - SHORTEST
    return MORE_STIRRING * larger


def _others(roll: Roll, scene: int) -> Iterator[Word]:
    """The words that the guide could say otherwise."""
    told = roll.told[scene]
    return (word for word in draw.words(roll.frame, scene) if word != told)


def _fitting(roll: Roll, scene: int) -> Iterator[Word]:
    """Those of them that are put as their hearer takes them best."""
    return (word for word in _others(roll, scene) if fits(roll.frame, word, word.to))


class _Situations:
    """All situations of a stage; `stirring` are the words that stir, as they are tried."""

    def __init__(self, rng: np.random.Generator, roll: Roll, stirring: Stirring) -> None:
        self._rng, self._roll = rng, roll
        self._scenes = len(roll.frame.scenes)
        self._tried = stirring[: STIRRING + _more(roll.frame)]
        self._seen: dict[tuple[int, ...], Seen] = {}
        self._spots: dict[tuple[int, ...], Spot] = {}

    def single(self) -> Iterator[Situation]:
        """After one word that differs from the story's."""
        for first in range(self._scenes - 1):
            for word in _others(self._roll, first):
                yield from self._after({first: word}, first, stirring=False)

    def double(self) -> Iterator[Situation]:
        """After two words about the same matter: some where somebody says something else because of
        them, and some after an earlier word that is as likely as not to come to nothing. The earlier one
        is put as its hearer takes it best."""
        for scene, word in self._tried:
            for first in range(scene + 1, self._scenes - 1):
                for second in _others(self._roll, first):
                    if second.matter == word.matter:
                        yield from self._after({scene: word, first: second}, first, stirring=True)
        for scene, word in self._idle():
            first = int(self._rng.integers(scene + 1, self._scenes - 1))
            then = [one for one in _others(self._roll, first) if one.matter == word.matter]
            for second in shuffled(self._rng, then)[:_THEN]:
                yield from self._after({scene: word, first: second}, first, stirring=False)

    def _idle(self) -> Iterator[tuple[int, Word]]:
        """For each word that stirs, two others of its scene."""
        for scene, _ in self._tried:
            others = list(_fitting(self._roll, scene))
            for _ in range(_IDLE):
                if others:
                    yield scene, pick(self._rng, others)

    def _after(self, words: Exchanged, first: int, *, stirring: bool) -> Iterator[Situation]:
        roll, word = self._roll, words[first]
        assert word is not None
        said = exchanged(roll, words)
        world, as_told = World(roll, said), World(roll.as_told, said)
        suits = fits(roll.frame, word, word.to)
        # Of a word that is put otherwise just one thing is asked: how its hearer takes it, and why.
        people = concerned(roll.frame, word.matter) if suits else [word.to]
        for second in range(first + 1, self._scenes):
            stirred = stirs(world, as_told, second, word.matter)
            if stirring and not stirred:
                continue
            # Where nothing stirs, nothing that is asked can hang on others.
            told = as_told if stirred else world
            moments = (
                *(world.scene(first).last, world.scene(second).state),
                *(told.scene(first).last, told.scene(second).state),
            )
            for focus in people:
                spot = self._spot(first, second, word.matter, word.to, focus)
                key = (id(spot), *map(id, moments))
                seen = self._seen.get(key)
                if seen is None:
                    seen = self._seen[key] = Seen(spot, *moments)
                yield Situation(first, second, word, suits, focus, words, world, stirred, seen)

    def _spot(self, first: int, second: int, matter: int, to: int, focus: int) -> Spot:
        at = (first, second, matter, to, focus)
        found = self._spots.get(at)
        if found is None:
            found = self._spots[at] = Spot(self._roll.frame, first, second, matter, to, focus)
        return found
