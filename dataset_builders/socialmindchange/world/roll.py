"""A stage rolled forward from its happenings, under the guide's own words or others (R4, R8, R9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from otherminds.dataset_builders.socialmindchange.world.conduct import (
    SPOKEN,
    Intention,
    Manner,
    bound,
    intention,
    manner,
)
from otherminds.dataset_builders.socialmindchange.world.frame import (
    FRIEND,
    GUIDE,
    TARGET,
    Enter,
    Frame,
    Happening,
    Leave,
    Scene,
    Show,
    Tell,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Minds

Words: TypeAlias = tuple[Word | None, ...]
"""What the guide says at the end of each scene, from the first."""

_Minded: TypeAlias = tuple[int, tuple[int, ...]]
"""The number of a scene, and all that is held at its beginning or end."""


@dataclass(frozen=True)
class Act:
    """What somebody does about the topic of a scene; what it says, where it speaks."""

    person: int
    intention: Intention
    manner: Manner
    says: Tell | None


@dataclass(frozen=True)
class Moment:
    """The minds at one time, and who is there. They are not to be changed."""

    minds: Minds
    there: frozenset[int]


@dataclass(frozen=True)
class Played:
    """A scene up to the guide's word.

    passed  what friends tell each other at its beginning
    state   the state of the scene
    acts    what everybody does
    last    just before the guide's word
    """

    passed: tuple[Tell, ...]
    state: Moment
    acts: tuple[Act, ...]
    last: Moment
    # What was rolled on from here, by the guide's word.
    _closed: dict[Word | None, Moment] = field(default_factory=dict, repr=False, compare=False)
    _next: dict[Word | None, Played] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Roll:
    """Worlds of a frame under different words. Each is rolled once, as far as it is asked for.

    Most words change nothing: scenes that begin with the same minds are one object, and so are the
    moments of the same minds when people part.
    """

    frame: Frame
    _story: Roll | None = field(default=None, repr=False)
    _begun: dict[_Minded, Played] = field(default_factory=dict, repr=False)
    _parted: dict[_Minded, Moment] = field(default_factory=dict, repr=False)

    @cached_property
    def told(self) -> Words:
        """The words of the story as it is told."""
        return tuple(scene.word for scene in self.frame.scenes)

    @cached_property
    def as_told(self) -> Roll:
        """Worlds in which people pass on and speak up on just what they do in the story as it is told,
        whatever the guide says: what is true in a world and not in its like here hangs on what others
        say after other words."""
        return Roll(self.frame, self, _parted=self._parted)

    def scene(self, number: int, words: Words) -> Played:
        """A scene, by its number from 0, after these words at the ends of the scenes before it."""
        played = self._first
        for before, word in enumerate(words[:number]):
            found = played._next.get(word)
            if found is None:
                minds = self._close(before, played, word).minds
                found = played._next[word] = self._begin(before + 1, minds)
            played = found
        return played

    def close(self, number: int, words: Words) -> Moment:
        """The minds when people part after a scene."""
        return self._close(number, self.scene(number, words), words[number])

    @cached_property
    def _first(self) -> Played:
        return self._begin(0, Minds.at_first(self.frame))

    def _begin(self, number: int, minds: Minds) -> Played:
        key = (number, minds.key)
        found = self._begun.get(key)
        if found is None:
            found = self._begun[key] = self._play(number, minds)
        return found

    def _close(self, number: int, played: Played, word: Word | None) -> Moment:
        found = played._closed.get(word)
        if found is None:
            found = played.last
            if word is not None:
                minds = found.minds.copy()
                minds.hear(spoken(self.frame, word), found.there)
                found = self._parted.setdefault((number, minds.key), Moment(minds, found.there))
            played._closed[word] = found
        return found

    def _play(self, number: int, minds: Minds) -> Played:
        scene = self.frame.scenes[number]
        if self._story is None:
            return play(scene, minds)
        alike = self._story._begun.get((number, minds.key))
        told = self._story.scene(number, self.told)
        if alike is not None and (alike.passed, alike.acts) == (told.passed, told.acts):
            return replace(alike, _next={})
        return play(scene, minds, told)


def play(scene: Scene, minds: Minds, story: Played | None = None) -> Played:
    """A scene that begins with these minds; in it people say what they say in `story`, if given."""
    minds, there = minds.copy(), frozenset(scene.present)
    passed = pass_on(minds, there, None if story is None else story.passed)
    for one in scene.happenings:
        there = happens(minds, one, there)
    state, last = Moment(minds, there), minds.copy()
    acts = speak_up(last, scene.topic, there, None if story is None else story.acts)
    return Played(passed, state, acts, Moment(last, there))


def pass_on(
    minds: Minds, there: frozenset[int], said: Sequence[Tell] | None = None
) -> tuple[Tell, ...]:
    """What friends tell each other at the beginning of a scene, or else what they are `said` to tell.

    `minds` are changed by it.
    """
    found = []
    for told in _passed_on(minds, there) if said is None else said:
        minds.hear(told, there)
        found.append(told)
    return tuple(found)


def happens(minds: Minds, one: Happening, there: frozenset[int]) -> frozenset[int]:
    """Who is there after it; `minds` are changed by it."""
    if isinstance(one, Leave):
        return there - {one.who}
    if isinstance(one, Enter):
        return there | {one.who}
    if isinstance(one, Show):
        minds.see(one, there)
    else:
        minds.hear(one, there)
    return there


def speak_up(
    minds: Minds, topic: int, there: frozenset[int], done: tuple[Act, ...] | None = None
) -> tuple[Act, ...]:
    """What people do about a topic, or else what is `done`; `minds` are changed by what is said."""
    acts = tuple(_acts(minds, topic, there)) if done is None else done
    minds.hear_round([act.says for act in acts if act.says is not None], there)
    return acts


def spoken(frame: Frame, word: Word) -> Tell:
    """The guide's word as a telling of what was really meant."""
    meant = frame.matters[word.matter].meant
    return Tell(GUIDE, word.matter, meant, word.to, word.setting, word.tone)


def _passed_on(minds: Minds, there: frozenset[int]) -> Iterator[Tell]:
    """What target and friend set each other right about; each is heard before the next is looked for."""
    frame = minds.frame
    if not {TARGET, FRIEND} <= there:
        return
    for teller, other in ((FRIEND, TARGET), (TARGET, FRIEND)):
        for number, matter in enumerate(frame.matters):
            held = minds.view((teller,), number)
            if (
                matter.doer not in (teller, other)
                and minds.view((teller, other), number) != held
                and not minds.is_firm((teller, other), number)
                and minds.learned(teller, number)
                and not bound(frame, teller, number, there)
            ):
                one = frame.people[other]
                yield Tell(teller, number, held, other, one.face, one.ear)


def _acts(minds: Minds, topic: int, there: frozenset[int]) -> Iterator[Act]:
    frame = minds.frame
    for person in sorted(there - {GUIDE, frame.matters[topic].doer}):
        meant = intention(minds, person, topic)
        how = manner(frame, person, topic, there)
        says = None
        if meant in SPOKEN and how != "held":
            says = Tell(person, topic, SPOKEN[meant], None, "open", "plain")
        yield Act(person, meant, how, says)
