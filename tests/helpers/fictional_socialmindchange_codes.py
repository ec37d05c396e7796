"""A small build of SocialMindChange's generator, in a folder as `otherminds build` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.socialmindchange.codes import synthetic

DATASET: Final = "socialmindchange-codes"

PARAMETERS: Final[dict[str, Any]] = {
    "stages": 10,
    "seed": 7,
    "lite": 2,
    "group_size": 4,
    "scenarios": 5,
    "variants": {
        "group_5": {"stages": 1, "group_size": 5, "scenarios": 5},
        "group_6": {"stages": 1, "group_size": 6, "scenarios": 5},
        "length_6": {"stages": 1, "group_size": 4, "scenarios": 6},
        "length_7": {"stages": 1, "group_size": 4, "scenarios": 7},
    },
}
"""Ten stages instead of 1,200."""


def write(folder: Path) -> Path:
    """Build into a folder, and return it."""
    known = manifest.load(DATASET)
    tables = _tables()
    configs = build.described(known, tables)
    small = known.model_copy(
        update={"version": "small", "generator": PARAMETERS, "configs": configs}
    )
    repository.write(folder, small, tables, [])
    return folder


@cache
def _tables() -> Mapping[str, pa.Table]:
    """Made once for all modules; they take a second, and cannot be changed."""
    return synthetic.build(synthetic.spec(PARAMETERS))
