"""Reference scores of SocialMindChange: chance, and blind readers where stories were read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from otherminds.construct import reference as blind_readers
from otherminds.manifest import Manifest, Reference, own_part
from otherminds.metrics.socialmindchange import summarize
from otherminds.tasks.socialmindchange.scoring import item
from otherminds.types import Doc

READ: Final = own_part("socialmindchange_lite")
"""The task whose questions blind readers were given."""


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance among the options of the questions; of stories that were read blind, their readers."""
    docs = tables[known.default_config].to_pylist()
    readers = blind_readers.of_release(known)
    if readers is None:
        return {"chance": _chance({"all": docs})}
    read = [doc for doc in docs if doc["item_id"] in readers.answers]
    return {
        "chance": _chance({"all": docs, READ: read}),
        **readers.reference({READ: _scores(read, readers.answers)}),
    }


def _chance(parts: Mapping[str, list[Doc]]) -> Reference:
    shares = {
        name: sum(1 / len(doc["options"]) for doc in docs) / len(docs)
        for name, docs in parts.items()
    }
    return Reference(
        description="Letters drawn at random.",
        scores={name: {"acc": round(share, 6)} for name, share in shares.items()},
    )


def _scores(docs: list[Doc], given: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    found = summarize([item(doc, given[doc["item_id"]]) for doc in docs]).estimates
    return {
        name: round(one.value, 6)
        for name, one in found.items()
        if name.startswith("acc") and math.isfinite(one.value)
    }
