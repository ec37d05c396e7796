"""Reference scores of commute: chance."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from otherminds.manifest import Manifest, Reference


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance among the four ways to work."""
    scores = {"all": {"acc": 0.25}}
    return {"chance": Reference(description="Letters drawn at random.", scores=scores)}
