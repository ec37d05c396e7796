"""Every item asked twice: with its two options as they are, and with A and B exchanged.

Of a model that answers the position instead of the question, the letters stay when the options move;
of one that answers the question, they move along.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
from datasets import Dataset
from datasets.table import InMemoryTable

from otherminds.data import loading as data
from otherminds.errors import OtherMindsError

SWAPPED = "options_swapped"
"""The column that says of a document whether its options are exchanged."""

_EXCHANGED = {"A": "B", "B": "A", "A/B": "A/B"}


def for_task(**wanted: Any) -> dict[str, Dataset]:
    """The documents of `otherminds.data.loading.for_task`, with the same arguments, in both orders."""
    return {split: both_orders(docs) for split, docs in data.for_task(**wanted).items()}


def both_orders(docs: Dataset) -> Dataset:
    """Each document followed by itself with options and gold letter exchanged.

    The two share their `item_id` and differ in the column `options_swapped`. They stand next to each
    other, so that a limited run cuts at most one pair apart. A gold "A/B" is right in either order.
    Raises OtherMindsError for a document that is not a choice between the options A and B.
    """
    rows = docs.data.table
    twice = rows.take(pa.array(np.repeat(np.arange(rows.num_rows), 2)))
    columns: dict[str, list[Any]] = {"options": [], "answer": []}
    read = (rows[name].to_pylist() for name in ("item_id", "options", "answer"))
    for item_id, options, gold in zip(*read, strict=True):
        if not options or len(options) != 2 or gold not in _EXCHANGED:
            raise OtherMindsError(
                f"Item '{item_id}' is not a choice between two options, so their order cannot be "
                "exchanged; leave its configuration out of the task's dataset_kwargs."
            )
        columns["options"] += [options, options[::-1]]
        columns["answer"] += [gold, _EXCHANGED[gold]]
    for name, values in columns.items():
        field = rows.schema.field(name)
        place = twice.schema.get_field_index(name)
        twice = twice.set_column(place, field, pa.array(values, type=field.type))
    flags = pa.array(np.tile([False, True], rows.num_rows))
    fingerprint = hashlib.sha256(f"{docs._fingerprint} in both orders".encode()).hexdigest()[:16]
    return Dataset(InMemoryTable(twice.append_column(SWAPPED, flags)), fingerprint=fingerprint)
