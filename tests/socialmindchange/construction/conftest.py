"""Units of two sizes, and what the grammar of the scale edition writes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from otherminds.construct import Unit
from otherminds.dataset_builders.socialmindchange.authored import units
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.world.frame import Tell
from tests.helpers import scripted_socialmindchange as author

STAGES = ("context", "trajectory", "scenes", "lexicon")


@pytest.fixture(scope="package", autouse=True)
def _relaxed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        author.relax(patch)
        yield


@cache
def eventful() -> Unit:
    """The first unit in which somebody overhears something, and somebody is away at the end of a
    scene."""
    for number in range(32):
        unit = units.unit(0, number, *units.SIZES[number % len(units.SIZES)])
        frame = Given.of(unit).frame
        chances = [
            one.chance is not None
            for scene in frame.scenes
            for one in scene.happenings
            if isinstance(one, Tell)
        ]
        away = [len(frame.present_at_end(one)) < frame.size for one in range(len(frame.scenes))]
        if any(chances) and any(away):
            return written(number)
    raise AssertionError


@cache
def written(number: int) -> Unit:
    """A unit of seed 0 with all its texts."""
    unit = units.unit(0, number, *units.SIZES[number % len(units.SIZES)])
    return replace(unit, texts={stage: author.good(unit, stage) for stage in STAGES})
