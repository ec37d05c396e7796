"""A stage rolled forward from its happenings, under the guide's own words or others (R4, R8, R9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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
    Leave,
    Show,
    Tell,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Minds

Words: TypeAlias = tuple[Word | None, ...]
"""What the guide says at the end of each scene, from the first."""


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


@dataclass(frozen=True)
class Roll:
    """Worlds of a frame under different words. Each is rolled once, as far as it is asked for."""

    frame: Frame
    _story: Roll | None = field(default=None, repr=False)
    _played: dict[Words, Played] = field(default_factory=dict, repr=False)
    _closed: dict[Words, Moment] = field(default_factory=dict, repr=False)
    _alike: dict[object, Played] = field(default_factory=dict, repr=False)

    @cached_property
    def told(self) -> Words:
        """The words of the story as it is told."""
        return tuple(scene.word for scene in self.frame.scenes)

    @cached_property
    def as_told(self) -> Roll:
        """Worlds in which people pass on and speak up on just what they do in the story as it is told,
        whatever the guide says: what is true in a world and not in its like here hangs on what others
        say after other words."""
        return Roll(self.frame, self)

    def scene(self, number: int, words: Words) -> Played:
        """A scene, by its number from 0, after these words at the ends of the scenes before it."""
        before = words[:number]
        if before not in self._played:
            minds = self.close(number - 1, before).minds if number else Minds.at_first(self.frame)
            # Most words change nothing: what follows after the same minds is rolled once.
            key = (number, minds.key)
            if key not in self._alike:
                self._alike[key] = self._play(number, minds.copy())
            self._played[before] = self._alike[key]
        return self._played[before]

    def close(self, number: int, words: Words) -> Moment:
        """The minds when people part after a scene."""
        upto = words[: number + 1]
        if upto not in self._closed:
            last = self.scene(number, words).last
            minds = last.minds
            if (word := upto[number]) is not None:
                minds = minds.copy()
                minds.hear(spoken(self.frame, word), last.there)
            self._closed[upto] = Moment(minds, last.there)
        return self._closed[upto]

    def _play(self, number: int, minds: Minds) -> Played:
        scene = self.frame.scenes[number]
        there = frozenset(scene.present)
        story = None if self._story is None else self._story.scene(number, self.told)
        passed = []
        for told in _passed_on(minds, there) if story is None else story.passed:
            minds.hear(told, there)
            passed.append(told)
        for one in scene.happenings:
            if isinstance(one, Leave):
                there -= {one.who}
            elif isinstance(one, Enter):
                there |= {one.who}
            elif isinstance(one, Show):
                minds.see(one, there)
            else:
                minds.hear(one, there)
        state = Moment(minds, there)
        acts = tuple(_acts(minds, scene.topic, there)) if story is None else story.acts
        said = [act.says for act in acts if act.says is not None]
        if said:
            minds = minds.copy()
            minds.hear_round(said, there)
        return Played(tuple(passed), state, acts, Moment(minds, there))


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
                and minds.learned(teller, number)
                and minds.view((teller, other), number) != held
                and not minds.is_firm((teller, other), number)
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
