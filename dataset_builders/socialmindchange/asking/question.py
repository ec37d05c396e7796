"""A question with its options as symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.cells import MentalState, QuestionType
from otherminds.dataset_builders.socialmindchange.world.frame import Word
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Backed,
    Claim,
    Emotion,
    Intention,
    ReceptionOf,
    View,
    claim_json,
    variable_json,
)

Exchanged: TypeAlias = Mapping[int, Word | None]
"""The words that a question puts in place of the story's, by scene from 0."""


@dataclass(frozen=True)
class Option:
    """One answer: claims about a world, a word for one scene, or a course of words for all.

    against  why it is wrong, a code for each thing that is wrong about it; none for the right one
    """

    claims: tuple[Claim, ...] = ()
    word: Word | None = None
    course: Words = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question on a stage.

    first    the scene (from 0) at whose end the guide's word is exchanged, or the first of a course
    second   the scene that is asked about
    focus    whom it is mostly about
    matter   which matter; None where that is for the reader to find
    words    the words that are exchanged for the story's own
    aim      what must hold after an option that is a word or a course
    guard    what must be as if the guide had said nothing
    options  the right one first, in the order of their values
    """

    type: QuestionType
    state: MentalState
    first: int
    second: int
    focus: int
    options: tuple[Option, ...]
    matter: int | None = None
    words: Exchanged
    aim: tuple[Claim, ...] = ()
    guard: tuple[Asked, ...] = ()

    @property
    def fitting(self) -> frozenset[int]:
        """The scenes whose word is told as one that is put as its hearer takes it best, and not in which
        tone and setting.

        Such words are always put so. Were tone and setting told, the questions on a stage together would
        tell how everybody is to be spoken to, and with it what to say.
        """
        if self.type == "transition_plan":
            ways = enumerate(zip(*(one.course for one in self.options), strict=True))
            return frozenset(scene for scene, some in ways if len({*some} - {None}) < len({*some}))
        spoken = sorted(scene for scene, word in self.words.items() if word is not None)
        if self.type == "transition_reason":
            # How the last one is taken is what is asked.
            spoken = spoken[:-1]
        return frozenset(() if self.type == "guidance_action" else spoken)

    @property
    def order(self) -> int:
        """The highest order of belief that a claim, aim or guard is about."""
        claimed = [*self.aim, *(claim for one in self.options for claim in one.claims)]
        return max(belief_order(one) for one in [*self.guard, *(one.of for one in claimed)])

    @property
    def steps(self) -> int:
        """How many conclusions the right answer takes: one for each scene that is rolled on, and for
        each thing that it claims or aims at its order of belief."""
        things = [one.of for one in (*self.options[0].claims, *self.aim)] + list(self.guard)
        return max(self.second - self.first, 1) + sum(map(belief_order, things))

    def asked_json(self) -> dict[str, Any]:
        """As the column `asked` has it: scenes from 1."""
        found: dict[str, Any] = {"type": self.type, "state": self.state}
        if self.type == "guidance_action":
            found["scene"] = self.first + 1
        if self.words:
            found["words"] = words_json(self.words)
        if self.aim:
            found["aim"] = [claim_json(one) for one in self.aim]
        if self.guard:
            found["guard"] = [variable_json(one) for one in self.guard]
        return found

    def claims_json(self, option: Option) -> Any:
        """As the column `claims` has an option of this question."""
        if self.type == "guidance_action":
            return {"word": word_json(option.word)}
        if self.type == "transition_plan":
            return {"words": words_json(dict(enumerate(option.course)))}
        return [claim_json(one) for one in option.claims]


_DEPTHS: Final[Mapping[type, int]] = {Emotion: 1, ReceptionOf: 1, Intention: 2, Backed: 2}


def belief_order(asked: Asked) -> int:
    """How deep somebody must look into minds: a view of a chain as long as it is, a feeling one, an
    intention two (what one thinks the lead thinks), what everybody can see none."""
    what = asked.what
    if isinstance(what, View):
        return len(what.chain)
    return _DEPTHS.get(type(what), 0)


def word_json(word: Word | None) -> dict[str, Any] | None:
    """A word as columns have it."""
    return None if word is None else asdict(word)


def words_json(words: Exchanged) -> dict[str, Any]:
    """Words by scene from 1."""
    return {str(scene + 1): word_json(word) for scene, word in sorted(words.items())}


def exchanged(roll: Roll, words: Exchanged) -> Words:
    """The words of the story with some exchanged."""
    return tuple(words.get(scene, word) for scene, word in enumerate(roll.told))
