"""Datasets: where they are found, built and read.

`load` and its like are those of `otherminds.data.loading`, `cached` is that of `otherminds.data.cache`.
A module is imported when one of its names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from otherminds.data.cache import cached
    from otherminds.data.loading import (
        SPLIT,
        Origin,
        as_dataset,
        content_hash,
        for_task,
        load,
        locate,
        provenance,
    )

__all__ = [
    "SPLIT",
    "Origin",
    "as_dataset",
    "cached",
    "content_hash",
    "for_task",
    "load",
    "locate",
    "provenance",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        home = "cache" if name == "cached" else "loading"
        return getattr(importlib.import_module(f"otherminds.data.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
