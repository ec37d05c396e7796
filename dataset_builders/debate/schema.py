"""The row of every debate dataset, and the categories of its propositions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

CONFIG: Final = "beliefs"
"""The one configuration that a debate dataset has; its one split is `test`."""

CATEGORIES: Final = (
    "Arts",
    "Cars",
    "Economics",
    "Education",
    "Entertainment",
    "Fashion",
    "Funny",
    "Games",
    "Health",
    "Miscellaneous",
    "Movies",
    "Music",
    "News",
    "People",
    "Philosophy",
    "Places-Travel",
    "Politics",
    "Religion",
    "Science",
    "Society",
    "Sports",
    "Technology",
    "TV",
)
"""Debate.org's categories, as that site writes them."""

BACKGROUND: Final = pa.struct([("attribute", pa.string()), ("value", pa.string())])
"""One thing a person says of themselves, such as ("age", "34")."""

KNOWN_BELIEF: Final = pa.struct(
    [("proposition", pa.string()), ("category", pa.string()), ("agrees", pa.bool_())]
)
"""One belief that the person is known to hold."""

BELIEF: Final = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("user_id", pa.string(), nullable=False),
        pa.field("category", pa.string(), nullable=False),
        pa.field("proposition", pa.string(), nullable=False),
        pa.field("agrees", pa.bool_(), nullable=False),
        pa.field("background", pa.list_(BACKGROUND), nullable=False),
        pa.field("known_beliefs", pa.list_(KNOWN_BELIEF), nullable=False),
        pa.field("n_known", pa.int32(), nullable=False),
    ]
)
"""One test belief of one person, and what is known of the person.

    item_id        unique in the dataset: "ddo-000001", "issues-000001", "synthetic-000001"
    user_id        stands for one person; never a name
    category       one of CATEGORIES
    proposition    a statement to agree or disagree with, in plain text
    agrees         the answer
    background     what the person says of themselves; may be empty
    known_beliefs  other beliefs of the same person, oldest first; may be empty
    n_known        how many known beliefs there are

Rows are ordered by user_id, then item_id.
"""


def in_order(table: pa.Table) -> pa.Table:
    """`table` as BELIEF rows by user and item, whatever its order and chunks.

    Further columns are kept, after those of BELIEF. Raises ValueError for a table that lacks a
    column, or whose values do not fit.
    """
    if missing := [name for name in BELIEF.names if name not in table.column_names]:
        raise ValueError(f"A table of beliefs lacks the columns {', '.join(missing)}.")
    further = [name for name in table.column_names if name not in BELIEF.names]
    wanted = pa.schema([*BELIEF, *(table.schema.field(name) for name in further)])
    keys = [("user_id", "ascending"), ("item_id", "ascending")]
    places = pc.sort_indices(table, sort_keys=keys)
    return table.take(places).select(wanted.names).cast(wanted).combine_chunks()


def belief_table(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Rows as a table of BELIEF, in order."""
    return in_order(pa.Table.from_pylist([dict(row) for row in rows], schema=BELIEF))
