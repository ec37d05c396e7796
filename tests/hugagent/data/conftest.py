"""Small builds of the synthetic track, shared by the tests."""

from __future__ import annotations

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent import synthetic
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.synthetic import SyntheticSpec

RELEASE = SyntheticSpec(
    agents=500,
    seed=20260101,
    subset=50,
    items={
        "bsi": {"healthcare": 1303, "surveillance": 1297, "zoning": 1302},
        "bdu": {"healthcare": 3888, "surveillance": 2610, "zoning": 3818},
    },
)


@pytest.fixture(scope="session")
def release() -> SyntheticSpec:
    """The proportions of release v1."""
    return RELEASE


@pytest.fixture(scope="session")
def content() -> Content:
    """The vocabulary of the package."""
    return vocabulary.load()


@pytest.fixture(scope="session")
def small_spec() -> SyntheticSpec:
    """Twelve people, with items in the proportions of release v1."""
    return synthetic.scaled(RELEASE, 12)


@pytest.fixture(scope="session")
def small(small_spec: SyntheticSpec) -> dict[str, pa.Table]:
    """The tables of twelve people."""
    return synthetic.build(small_spec)
