"""Rows of one person: their test beliefs, each with everything that is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.debate.demographics import Attribute
from otherminds.dataset_builders.debate.schema import BACKGROUND, BELIEF, KNOWN_BELIEF

_KNOWN_AT_ONCE = 200_000
"""How many known beliefs, over all rows, one batch may hold: about 20 MB of them."""


class Held(Protocol):
    """A belief that someone holds."""

    @property
    def proposition(self) -> str:
        """What it is about, as a statement."""

    @property
    def category(self) -> str:
        """One of the 23."""

    @property
    def agrees(self) -> bool:
        """Whether the person agrees with the statement."""


def rows_of(
    user: str,
    item_ids: Sequence[str],
    test: Sequence[Held],
    known: Sequence[Held],
    background: Sequence[Attribute],
) -> Iterator[pa.RecordBatch]:
    """One BELIEF row per test belief, in the order given, in batches of bounded size.

    Each row repeats the known beliefs and the background, since rows are self-contained; they are
    laid out column by column, because a person may have hundreds of each.
    """
    shown, says = _beliefs(known), pa.array(list(background), BACKGROUND)
    size = max(1, _KNOWN_AT_ONCE // max(1, len(known)))
    for start in range(0, len(test), size):
        some = test[start : start + size]
        count = len(some)
        columns = [
            pa.array(item_ids[start : start + count], pa.string()),
            pa.array([user] * count, pa.string()),
            pa.array([belief.category for belief in some], pa.string()),
            pa.array([belief.proposition for belief in some], pa.string()),
            pa.array([belief.agrees for belief in some], pa.bool_()),
            _repeated(says, count),
            _repeated(shown, count),
            pa.array([len(known)] * count, pa.int32()),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=BELIEF)


def _beliefs(known: Sequence[Held]) -> pa.StructArray:
    return pa.StructArray.from_arrays(
        [
            pa.array([belief.proposition for belief in known], pa.string()),
            pa.array([belief.category for belief in known], pa.string()),
            pa.array([belief.agrees for belief in known], pa.bool_()),
        ],
        fields=list(KNOWN_BELIEF),
    )


def _repeated(values: pa.StructArray, count: int) -> pa.ListArray:
    length = len(values)
    places = np.tile(np.arange(length, dtype=np.int64), count)
    offsets = pa.array(np.arange(count + 1, dtype=np.int32) * np.int32(length), pa.int32())
    return pa.ListArray.from_arrays(offsets, values.take(pa.array(places)))
