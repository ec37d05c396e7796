"""The interview, or the demographics, left out."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def no_context(table: pa.Table) -> pa.Table:
    """Show no interview: what demographics alone tell of a person."""
    return _emptied(table, "context")


def no_demographics(table: pa.Table) -> pa.Table:
    """Show no demographics: what the interview alone tells of a person."""
    return _emptied(table, "demographics")


def _emptied(table: pa.Table, name: str) -> pa.Table:
    field = table.schema.field(name)
    offsets = pa.array(np.zeros(table.num_rows + 1, dtype=np.int32))
    nothing = pa.array([], type=field.type.value_type)
    empty = pa.ListArray.from_arrays(offsets, nothing).cast(field.type)
    return table.set_column(table.schema.get_field_index(name), field, empty)
