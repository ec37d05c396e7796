"""The contexts of a table, each held once, and the way back to a column of them.

Thousands of items show the same few hundred interviews, so every ablation decides once for each
distinct context which turns to show, and Arrow copies the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Places = NDArray[np.int64]

_ROWS_AT_A_TIME = 4096


@dataclass(frozen=True)
class Contexts:
    """The distinct (participant, topic, context) triples of a table's rows.

    turns         all turns of all contexts, one context after the other: {question, answer}
    bounds        context i is turns bounds[i] to bounds[i + 1]
    participants  whose context i is
    topics        what it is about
    first_ids     the smallest id of the items that show it
    of_row        the context of each row
    """

    turns: pa.StructArray
    bounds: Places
    participants: tuple[str, ...]
    topics: tuple[str, ...]
    first_ids: tuple[str, ...]
    of_row: Places

    def __len__(self) -> int:
        return len(self.participants)

    def places(self, context: int) -> Places:
        """Where the turns of one context are."""
        return np.arange(self.bounds[context], self.bounds[context + 1])


def distinct(table: pa.Table) -> Contexts:
    """Find the distinct contexts of a table, in the order in which they first appear.

    Raises ValueError for a context, question or answer that is null.
    """
    column = table["context"]
    turns = pa.chunked_array([c.flatten() for c in column.chunks], type=column.type.value_type)
    if column.null_count or any(pc.struct_field(turns, name).null_count for name in _TEXTS):
        raise ValueError(
            "A context, or a question or answer in one, is null: write an empty list or text."
        )
    codes = np.column_stack([_codes(pc.struct_field(turns, name)) for name in _TEXTS])
    ends = np.cumsum(pc.list_value_length(column).to_numpy(), dtype=np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[:-1]

    found: dict[tuple[str, str, bytes], int] = {}
    spans: list[Places] = []
    first_ids: list[str] = []
    of_row = np.empty(table.num_rows, dtype=np.int64)
    owners = (table[name].to_pylist() for name in ("participant_id", "topic", "item_id"))
    for row, (participant, topic, item_id) in enumerate(zip(*owners, strict=True)):
        span = slice(starts[row], ends[row])
        context = found.setdefault((participant, topic, codes[span].tobytes()), len(found))
        if context == len(spans):
            spans.append(np.arange(starts[row], ends[row]))
            first_ids.append(item_id)
        first_ids[context] = min(first_ids[context], item_id)
        of_row[row] = context

    return Contexts(
        turns=_one_chunk(turns.take(_joined(spans))),
        bounds=np.concatenate([np.zeros(1, np.int64), np.cumsum([len(s) for s in spans])]).astype(
            np.int64
        ),
        participants=tuple(participant for participant, _, _ in found),
        topics=tuple(topic for _, topic, _ in found),
        first_ids=tuple(first_ids),
        of_row=of_row,
    )


def showing(
    table: pa.Table, turns: pa.StructArray, choices: Sequence[Places], of_row: Places
) -> pa.Table:
    """The table with other contexts: row r shows the turns at choices[of_row[r]], in that order."""
    field = table.schema.field("context")
    chunks = []
    # In chunks, because the offsets of one Arrow array of strings reach no further than 2 GB.
    for start in range(0, table.num_rows, _ROWS_AT_A_TIME):
        chosen = [choices[context] for context in of_row[start : start + _ROWS_AT_A_TIME]]
        offsets = np.cumsum([0, *map(len, chosen)], dtype=np.int32)
        lists = pa.ListArray.from_arrays(pa.array(offsets), turns.take(_joined(chosen)))
        chunks.append(lists.cast(field.type))
    column = pa.chunked_array(chunks, type=field.type)
    return table.set_column(table.schema.get_field_index("context"), field, column)


def without_context(table: pa.Table) -> int:
    """How many rows show no interview at all: missing upstream, or none to be had by an ablation."""
    return int(np.count_nonzero(pc.list_value_length(table["context"]).to_numpy() == 0))


_TEXTS = ("question", "answer")


def _codes(texts: pa.ChunkedArray) -> Places:
    """One whole number per text, equal for equal texts."""
    encoded = texts.dictionary_encode().unify_dictionaries()
    indices = pa.chunked_array([chunk.indices for chunk in encoded.chunks], type=pa.int32())
    return np.asarray(indices.to_numpy(), dtype=np.int64)


def _joined(places: Sequence[Places]) -> pa.Array:
    return pa.array(np.concatenate([np.empty(0, np.int64), *places]))


def _one_chunk(turns: pa.ChunkedArray) -> pa.StructArray:
    whole = turns.combine_chunks()
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole
