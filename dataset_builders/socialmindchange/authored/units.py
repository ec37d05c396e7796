"""The frames of units: worlds of several sizes, each with its eighty questions."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

from otherminds.dataset_builders import draws
from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.socialmindchange.asking import agenda
from otherminds.dataset_builders.socialmindchange.asking.situations import NoQuestionError
from otherminds.dataset_builders.socialmindchange.authored.symbols import question_json
from otherminds.dataset_builders.socialmindchange.codes import cast, content
from otherminds.dataset_builders.socialmindchange.scale import wording
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.roll import Roll

STAGES: Final = 48
"""How many units a construction has that is asked for no number [O]."""

SIZES: Final = (
    ("base", 4, 5),
    ("group_5", 5, 5),
    ("base", 4, 5),
    ("group_6", 6, 5),
    ("base", 4, 5),
    ("length_6", 4, 6),
    ("base", 4, 5),
    ("length_7", 4, 7),
)
"""Variant, people and scenes of each eight units: half of them have the usual size [O]."""

MOST_FRAMES: Final = 4_000


class _Purpose(IntEnum):
    """What a stream is for. The numbers are part of the frames' definition."""

    CAST = 0
    FRAME = 1
    QUESTIONS = 2


def frames(n: int, seed: int) -> list[Unit]:
    """So many units. A unit depends on the seed and its number alone.

    Raises ValueError where a unit is drawn often enough and never has all its questions.
    """
    return [unit(seed, number, *SIZES[number % len(SIZES)]) for number in range(n)]


def unit(seed: int, number: int, variant: str, size: int, scenes: int) -> Unit:
    """A unit: its world is drawn anew until all questions can be asked. Raises ValueError as `frames`
    does."""
    vocabulary = content.load()
    rng = _stream(seed, number, _Purpose.CAST)
    setting = cast.setting(rng, vocabulary)
    people = cast.cast(rng, vocabulary, setting.kind, size)
    names = [one.given for one in people]
    for attempt in range(MOST_FRAMES):
        roll = Roll(
            draw.frame(
                _stream(seed, number, _Purpose.FRAME, attempt), names, scenes, pace=draw.SPARSE
            )
        )
        try:
            asked = agenda.questions(_stream(seed, number, _Purpose.QUESTIONS, attempt), roll)
        except NoQuestionError:
            continue
        wording.check(roll, asked)
        frame: dict[str, Any] = {
            "variant": variant,
            "place_kind": setting.kind,
            "place": setting.place,
            "project": setting.project,
            "genders": [one.gender for one in people],
            "world": roll.frame.as_json(),
            "questions": [question_json(one) for one in asked],
            # Order of options, letters and wordings are drawn from these.
            "seed": seed,
            "number": number,
        }
        return Unit(f"core-{number + 1:04d}", frame)
    raise ValueError(
        f"Unit {number + 1} of seed {seed}, with {size} people and {scenes} scenes: none of "
        f"{MOST_FRAMES} worlds has all its questions. Give another seed."
    )


def _stream(seed: int, number: int, purpose: _Purpose, attempt: int = 0) -> np.random.Generator:
    return draws.stream((seed, number), (purpose, attempt))
