"""A small build that the tests share."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.codes import content as vocabulary
from otherminds.dataset_builders.socialmindchange.codes import synthetic
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec

PARAMETERS: dict[str, Any] = {
    "stages": 12,
    "seed": 7,
    "lite": 3,
    "group_size": 4,
    "scenarios": 5,
    "variants": {
        "group_6": {"stages": 2, "group_size": 6, "scenarios": 5},
        "length_7": {"stages": 2, "group_size": 4, "scenarios": 7},
    },
}


@pytest.fixture(scope="session")
def content() -> Content:
    return vocabulary.load()


@pytest.fixture(scope="session")
def spec() -> SocialMindSpec:
    return synthetic.spec(PARAMETERS)


@pytest.fixture(scope="session")
def tables(spec: SocialMindSpec) -> dict[str, pa.Table]:
    return synthetic.build(spec)


@pytest.fixture(scope="session")
def stages() -> list[Stage]:
    """Stages of all sizes."""
    sizes = [(4, 5), (5, 5), (6, 5), (4, 6), (4, 7)]
    return [
        synthetic.stage(3, family, number, size, scenes)
        for family, (size, scenes) in enumerate(sizes)
        for number in range(4)
    ]
