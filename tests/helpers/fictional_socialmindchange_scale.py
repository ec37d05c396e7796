"""A small build of SocialMindChange's scale edition, in a folder as `otherminds build` writes it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from filelock import FileLock

from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.socialmindchange.scale import synthetic

DATASET: Final = "socialmindchange-scale"

PARAMETERS: Final[dict[str, Any]] = {
    "stages": 4,
    "seed": 7,
    "lite": 1,
    "group_size": 4,
    "scenarios": 5,
    "variants": {
        "group_5": {"stages": 1, "group_size": 5, "scenarios": 5},
        "length_6": {"stages": 1, "group_size": 4, "scenarios": 6},
    },
}
"""Four stages and one of two other sizes: each takes seconds."""


def write(folder: Path) -> Path:
    """Build into a folder, and return it."""
    known = manifest.load(DATASET)
    made = _tables()
    configs = build.described(known, made)
    small = known.model_copy(
        update={"version": "small", "generator": PARAMETERS, "configs": configs}
    )
    repository.write(folder, small, made, [])
    return folder


def shared(factory: pytest.TempPathFactory) -> Path:
    """The folder of one build that all processes of this session share."""
    base = factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    out = base / DATASET
    with FileLock(f"{out}.lock"):
        return out if out.exists() else write(out)


def rows(folder: Path) -> dict[str, pa.Table]:
    """The questions and stages of the base."""
    return {name: pq.read_table(folder / "data" / name) for name in ("questions", "stages")}


@cache
def _tables() -> Mapping[str, pa.Table]:
    """Made once; they cannot be changed."""
    return synthetic.build(synthetic.spec(PARAMETERS), num_proc=1, progress=None)
