"""Where else in a stage an offered value is the truth.

A wrong value of a distractor must be the truth somewhere: after another word, about other people or
another matter, in another scene. So it is possible in this stage, and wrong for a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from otherminds.dataset_builders.socialmindchange.asking.question import Exchanged, exchanged
from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Word
from otherminds.dataset_builders.socialmindchange.world.roll import (
    Moment,
    Roll,
    Words,
    spoken,
)
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Changed,
    Claim,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    State,
    Thing,
    View,
    World,
    look,
)

Where: TypeAlias = Literal[
    "other_word", "other_people", "other_matter", "other_scene", "other_situation"
]

_Asked = TypeVar("_Asked")

WHERE: Final[tuple[Where, ...]] = get_args(Where)


@dataclass(frozen=True)
class Elsewhere:
    """Looks for the truth of values in one stage; what was found is kept."""

    roll: Roll
    _found: dict[tuple[object, ...], frozenset[str]] = field(default_factory=dict, repr=False)
    _worlds: dict[tuple[int, Words], Sequence[World]] = field(default_factory=dict, repr=False)

    def of(self, claim: Claim, first: int, words: Exchanged) -> Where | None:
        """Where the value is the truth, if anywhere; `words` is the world where it is not."""
        asked, wanted = claim.of, claim.value
        if isinstance(asked.what, ReceptionOf):
            return self._taken(asked.what, wanted, first, words)
        world = exchanged(self.roll, words)
        matter = None if isinstance(asked.what, Present) else asked.what.matter
        others = [one for one in range(len(self.roll.frame.matters)) if one != matter]
        if wanted in self._after_other_words(asked, first, world):
            return "other_word"
        if wanted in self._among(asked, (matter,), world):
            return "other_people"
        if matter is not None and wanted in self._among(asked, tuple(others), world):
            return "other_matter"
        every = (None,) if matter is None else tuple(range(len(self.roll.frame.matters)))
        for scene in range(len(self.roll.frame.scenes)):
            later = isinstance(asked, Changed) and scene <= asked.since
            if not later and wanted in self._among(
                replace(asked, scene=scene), every, self.roll.told
            ):
                return "other_scene"
        return "other_situation" if self._occurs(asked, wanted) else None

    def _occurs(self, asked: Asked, wanted: str) -> bool:
        """Whether it is the truth of anybody, about any matter, in any scene, after any one word."""
        kind = type(asked.what)
        if kind not in (Emotion, Intention) or isinstance(asked, Changed):
            return False
        key = ("anywhere", kind)
        if key not in self._found:
            frame = self.roll.frame
            likes = [
                like
                for matter in range(len(frame.matters))
                for like in _alike(self.roll, asked.what, matter)
            ]
            self._found[key] = frozenset(
                found
                for moment in self._moments
                for like in likes
                for found in _value(partial(look, moment), like)
            )
        return wanted in self._found[key]

    @cached_property
    def _moments(self) -> Sequence[Moment]:
        """The states of all scenes after any one word, of those with the same minds one."""
        scenes = range(len(self.roll.frame.scenes))
        found = (
            self.roll.scene(scene, exchanged(self.roll, {first: word})).state
            for first in scenes
            for word in draw.words(self.roll.frame, first)
            for scene in scenes[first:]
        )
        return list({id(one): one for one in found}.values())

    def _taken(self, what: ReceptionOf, wanted: str, first: int, words: Exchanged) -> Where | None:
        """How other words would be taken: by the same person then, by others, at other times."""
        then: list[Where] = []
        for scene, word, taken in self._all_taken:
            if taken == wanted and (scene, word) != (first, words[first]):
                if scene != first:
                    then.append("other_scene")
                elif word.to != what.person:
                    then.append("other_people")
                else:
                    then.append("other_word")
        return min(then, key=WHERE.index, default=None)

    @cached_property
    def _all_taken(self) -> list[tuple[int, Word, str]]:
        """How every word of the guide would be taken."""
        frame = self.roll.frame
        found: list[tuple[int, Word, str]] = []
        for scene in range(len(frame.scenes)):
            minds = self.roll.scene(scene, self.roll.told).last.minds
            for word in draw.words(frame, scene):
                found.append((scene, word, minds.reception(spoken(frame, word), word.to)))
        return found

    def _after_other_words(self, asked: Asked, first: int, words: Words) -> frozenset[str]:
        if isinstance(asked.what, StakeIn | Present | Manner):
            return frozenset()
        key = ("words", asked, first, words)
        if key not in self._found:
            self._found[key] = frozenset(
                found
                for world in self._others(first, words)
                for found in _value(world.value, asked)
            )
        return self._found[key]

    def _others(self, first: int, words: Words) -> Sequence[World]:
        """The worlds after other words in that scene; of those that come to the same, one."""
        key = (first, words)
        if key not in self._worlds:
            before, after = words[:first], words[first + 1 :]
            others = [None, *draw.words(self.roll.frame, first)]
            worlds = [
                World(self.roll, (*before, word, *after)) for word in others if word != words[first]
            ]
            self._worlds[key] = list({id(one.close(first)): one for one in worlds}.values())
        return self._worlds[key]

    def _among(self, asked: Asked, matters: tuple[int | None, ...], words: Words) -> frozenset[str]:
        """The values of the like for all people, about some matters."""
        since = asked.since if isinstance(asked, Changed) else None
        what = asked.what
        depth = len(what.chain) if isinstance(what, View) else 0
        key = (type(what), depth, asked.scene, asked.close, since, matters, words)
        if key not in self._found:
            world = World(self.roll, words)
            self._found[key] = frozenset(
                found
                for matter in matters
                for like in _alike(self.roll, what, matter)
                for found in _value(world.value, _with(asked, like))
            )
        return self._found[key]


def _value(look: Callable[[_Asked], str], asked: _Asked) -> Iterator[str]:
    try:
        yield look(asked)
    except ValueError:
        # Nobody feels so about their own deed, or acts where they are not.
        return


def _alike(roll: Roll, what: Thing, matter: int | None) -> Iterator[Thing]:
    """The same of everybody whose mind is open."""
    size = roll.frame.size
    if isinstance(what, View):
        assert matter is not None
        closed = {GUIDE, roll.frame.matters[matter].doer}
        for chain in chains.of_group(size).all:
            if len(chain) == len(what.chain) and chain[-1] not in closed and chain[0] != GUIDE:
                yield View(chain, matter)
        return
    for person in range(size):
        if person != GUIDE:
            one = replace(what, person=person)
            if isinstance(one, Present | ReceptionOf):
                yield one
            else:
                assert matter is not None
                yield replace(one, matter=matter)


def _with(asked: Asked, what: Thing) -> Asked:
    if isinstance(asked, Changed):
        assert isinstance(what, View | Emotion | Intention)
        state: State = what
        return replace(asked, what=state)
    return replace(asked, what=what)
