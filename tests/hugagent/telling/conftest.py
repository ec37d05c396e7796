"""Twelve people's interviews, told once for all tests here."""

from __future__ import annotations

import pytest

from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews


@pytest.fixture(scope="session")
def twelve_told() -> list[Told]:
    """The three interviews of each of twelve people."""
    return list(interviews(seed=1, count=12))
