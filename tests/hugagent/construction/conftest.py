"""Six people, and what the scripted author writes of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from otherminds.construct import Unit
from otherminds.dataset_builders.hugagent.authored import units
from otherminds.dataset_builders.hugagent.authored.checks import STAGES
from tests.helpers import scripted_hugagent as author


@cache
def frames(count: int = 2) -> tuple[Unit, ...]:
    """Units of seed 0."""
    return tuple(units.frames(count, 0))


@cache
def written(number: int) -> Unit:
    """A unit with all its texts: the first two are those of a construction of two, others of six."""
    unit = frames()[number] if number < 2 else frames(6)[number]
    return replace(unit, texts={stage: author.good(unit, stage) for stage in STAGES})
