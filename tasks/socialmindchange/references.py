"""Reference scores of SocialMindChange: chance."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from otherminds.manifest import Manifest, Reference


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance among the options of the questions."""
    shares = [1 / len(options) for options in tables[known.default_config]["options"].to_pylist()]
    scores = {"all": {"acc": round(sum(shares) / len(shares), 6)}}
    return {"chance": Reference(description="Letters drawn at random.", scores=scores)}
