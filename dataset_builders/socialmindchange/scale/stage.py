"""A stage: drawn until all its questions can be asked, and worded until no two options read the same.

Place and people, with how a word reaches them, are drawn once: a stage whose frame is drawn anew keeps
them, so the people of the dataset are as they were drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from otherminds.dataset_builders.socialmindchange.asking import agenda
from otherminds.dataset_builders.socialmindchange.asking.question import Question
from otherminds.dataset_builders.socialmindchange.asking.situations import NoQuestionError
from otherminds.dataset_builders.socialmindchange.codes import cast, content
from otherminds.dataset_builders.socialmindchange.scale.spec import Purpose, stream
from otherminds.dataset_builders.socialmindchange.scale.wording import (
    Item,
    SameTextError,
    check,
    items,
)
from otherminds.dataset_builders.socialmindchange.telling import filled, story
from otherminds.dataset_builders.socialmindchange.telling.lexicon import (
    Lexicon,
    LexiconError,
    Named,
)
from otherminds.dataset_builders.socialmindchange.telling.story import Story
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import Frame
from otherminds.dataset_builders.socialmindchange.world.roll import Roll

MOST_FRAMES: Final = 4_000
MOST_WORDINGS: Final = 20


class StageError(RuntimeError):
    """A stage that was drawn often enough, and never had all its questions."""


@dataclass(frozen=True)
class Stage:
    """A stage with its questions.

    redrawn  how often its frame or its wording was drawn anew
    """

    setting: cast.Setting
    people: tuple[cast.Person, ...]
    roll: Roll
    lexicon: Lexicon
    story: Story
    items: tuple[Item, ...]
    redrawn: int

    @property
    def frame(self) -> Frame:
        """What is given of its world."""
        return self.roll.frame


def stage(seed: int, family: int, number: int, size: int, scenes: int) -> Stage:
    """One stage; it depends on these numbers and the content files only.

    Raises StageError where no attempt succeeds.
    """
    vocabulary = content.load()
    streams = partial(stream, seed, family, number)
    rng = streams(Purpose.CAST)
    setting = cast.setting(rng, vocabulary)
    people = cast.cast(rng, vocabulary, setting.kind, size)
    named = tuple(Named(one.given, one.gender) for one in people)
    redrawn = 0
    for attempt, roll, asked in _asked(streams, [one.given for one in people], scenes):
        for wording in range(MOST_WORDINGS):
            try:
                lexicon = filled.fill(
                    streams(Purpose.LEXICON, wording),
                    roll.frame,
                    named,
                    setting.things,
                    setting.project,
                    setting.corners,
                )
                found = items(
                    streams(Purpose.WORDING, wording),
                    streams(Purpose.LETTERS),
                    roll.frame,
                    lexicon,
                    asked,
                )
            except (LexiconError, SameTextError):
                redrawn += 1
                continue
            told = story.tell(
                streams(Purpose.STORY, wording), roll.frame, roll, people, setting, lexicon
            )
            return Stage(setting, people, roll, lexicon, told, found, redrawn + attempt)
    raise StageError(
        f"Stage {number + 1} of family {family} of seed {seed}, with {size} people and {scenes} scenes: "
        f"none of {MOST_FRAMES} frames has all its questions."
    )


def _asked(
    streams: partial[np.random.Generator], names: Sequence[str], scenes: int
) -> Iterator[tuple[int, Roll, list[Question]]]:
    """The frames that have all their questions, each with the number of its attempt."""
    people = draw.people(streams(Purpose.PEOPLE), names)
    for attempt in range(MOST_FRAMES):
        roll = Roll(draw.frame(streams(Purpose.FRAME, attempt), names, scenes, people))
        try:
            asked = agenda.questions(streams(Purpose.QUESTIONS, attempt), roll)
        except NoQuestionError:
            continue
        check(roll, asked)
        yield attempt, roll, asked
