"""A small build that the tests share."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.scale import synthetic
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec

PARAMETERS: dict[str, Any] = {
    "stages": 3,
    "seed": 1,
    "lite": 1,
    "group_size": 5,
    "scenarios": 5,
    "variants": {"length_6": {"stages": 1, "group_size": 5, "scenarios": 6}},
}


@pytest.fixture(scope="session")
def spec() -> SocialMindSpec:
    return synthetic.spec(PARAMETERS)


@pytest.fixture(scope="session")
def tables(spec: SocialMindSpec) -> dict[str, pa.Table]:
    return synthetic.build(spec)


@pytest.fixture(scope="session")
def made() -> Stage:
    """The first stage of the build."""
    return synthetic.stage(1, 0, 0, 5, 5)
