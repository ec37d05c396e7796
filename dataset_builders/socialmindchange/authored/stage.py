"""What a unit holds, as the world knows it: frame, rolled-forward story, people, questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from otherminds.dataset_builders import draws
from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.socialmindchange.asking.question import Question
from otherminds.dataset_builders.socialmindchange.authored.symbols import question
from otherminds.dataset_builders.socialmindchange.scale.wording import Item, items
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon, Named
from otherminds.dataset_builders.socialmindchange.world.frame import Frame
from otherminds.dataset_builders.socialmindchange.world.roll import Roll

_WORDING: Final = 10
_LETTERS: Final = 11
"""Purposes of streams; `units` has the others."""


@dataclass(frozen=True)
class Given:
    """The truth of a unit.

    roll    its world
    people  by place, as phrases speak of them
    """

    json: Mapping[str, Any]
    roll: Roll
    people: tuple[Named, ...]

    @classmethod
    def of(cls, unit: Unit) -> Given:
        """What is given of a unit. Raises FrameError for a world that contradicts itself."""
        frame = Frame.of_json(unit.frame["world"])
        genders = unit.frame["genders"]
        people = tuple(
            Named(one.name, gender) for one, gender in zip(frame.people, genders, strict=True)
        )
        return cls(unit.frame, Roll(frame), people)

    @property
    def frame(self) -> Frame:
        """What is given of its world."""
        return self.roll.frame

    @property
    def names(self) -> tuple[str, ...]:
        """By place."""
        return tuple(one.name for one in self.people)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Its eighty questions."""
        return tuple(map(question, self.json["questions"]))

    def items(self, phrases: Mapping[str, str]) -> tuple[Item, ...]:
        """The questions in the words of a lexicon. Which letter is right follows from the frame alone.

        Raises LexiconError for a phrase that lacks, SameTextError where two options read the same.
        """
        place = (self.json["seed"], self.json["number"])
        rng, letters = (draws.stream(place, (purpose,)) for purpose in (_WORDING, _LETTERS))
        return items(rng, letters, self.frame, Lexicon(self.people, phrases), self.questions)
