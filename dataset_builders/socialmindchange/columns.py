"""Columns that the tables of all editions have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

TEXT: Final = pa.string()
COUNT: Final = pa.int32()

SCENE: Final = pa.struct(
    [("number", COUNT), ("turns", pa.list_(pa.struct([("speaker", TEXT), ("text", TEXT)])))]
)

SHARED: Final = (
    ("stage_id", TEXT),
    ("variant", TEXT),
    ("group_size", COUNT),
    ("n_scenarios", COUNT),
    ("in_lite", pa.bool_()),
)
"""Of stages and questions alike."""


def scenes(told: Iterable[Iterable[tuple[str, str]]]) -> list[Mapping[str, Any]]:
    """The column `scenes`, from the turns of each scene: who speaks, and the text."""
    return [
        {"number": number, "turns": [{"speaker": speaker, "text": text} for speaker, text in turns]}
        for number, turns in enumerate(told, start=1)
    ]
