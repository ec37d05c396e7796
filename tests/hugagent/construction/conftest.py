"""Six people, and what the scripted author writes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from otherminds.construct import Unit
from otherminds.dataset_builders.hugagent.authored import form, units
from otherminds.dataset_builders.hugagent.authored.checks import STAGES
from tests.helpers import scripted_hugagent as author

LIMITS = {name: getattr(form, name) for name in ("MOST_SEESAWS", "MOST_ALIKE", "MOST_AROUND")}
"""As they are for real authors."""


@pytest.fixture(autouse=True, scope="package")
def formulas() -> Iterator[None]:
    """The scripted author knows nothing but formulas."""
    with pytest.MonkeyPatch.context() as patch:
        for name in LIMITS:
            patch.setattr(form, name, 100)
        yield


@cache
def frames(count: int = 2) -> tuple[Unit, ...]:
    """Units of seed 0."""
    return tuple(units.frames(count, 0))


@cache
def written(number: int) -> Unit:
    """A unit with all its texts: the first two are those of a construction of two, others of six."""
    unit = frames()[number] if number < 2 else frames(6)[number]
    return replace(unit, texts={stage: author.good(unit, stage) for stage in STAGES})
