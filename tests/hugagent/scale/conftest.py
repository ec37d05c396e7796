"""A small build of edition 2, shared by the tests."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent.asking.measure import Measured, measure
from otherminds.dataset_builders.hugagent.content import load
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.scale import synthetic
from otherminds.dataset_builders.hugagent.scale.synthetic import ScaleSpec
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.minds import Mind, draw_mind
from otherminds.dataset_builders.hugagent.world.people import Person, draw_person

RELEASE = ScaleSpec(
    agents=500,
    seed=20260101,
    subset=50,
    items={
        "bsi": {"healthcare": 1303, "surveillance": 1297, "zoning": 1302},
        "bdu": {"healthcare": 3888, "surveillance": 2610, "zoning": 3818},
    },
)


@pytest.fixture(scope="session")
def spec() -> ScaleSpec:
    """Thirty people, with items in the proportions of the release."""
    return synthetic.scaled(RELEASE, 30)


@pytest.fixture(scope="session")
def tables(spec: ScaleSpec) -> dict[str, pa.Table]:
    """Their tables."""
    return synthetic.build(spec)


@pytest.fixture(scope="session")
def measured(tables: dict[str, pa.Table]) -> Sequence[Measured]:
    """Their items, read by everybody."""
    return measure(tables)


@pytest.fixture(scope="session")
def minds() -> list[tuple[Person, Mind]]:
    """Sixty people's minds on every topic."""
    content, known = load(), parameters.load()
    found = []
    for number in range(60):
        person = draw_person(agent_stream(5, number, Purpose.PERSON), number, content)
        for place, topic in enumerate(TOPICS):
            mind = draw_mind(5, person, place, content.topics[topic], known[topic])
            found.append((person, mind))
    return found
