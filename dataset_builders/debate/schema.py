"""The row of every debate dataset, the categories of its propositions, and what a build gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders import sources

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


UNKNOWN: Final = "Miscellaneous"
"""Where debates of no category, or of one that is not Debate.org's, are put."""


_BY_NAME: Final = {
    "".join(c for c in name.casefold() if c.isalnum()): name for name in CATEGORIES
} | {"travel": "Places-Travel", "places": "Places-Travel", "television": "TV", "misc": UNKNOWN}


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


@dataclass(frozen=True)
class Private:
    """What audits need and a dataset must not hold.

    names    the user names of the source
    dates    columns `item_id`, `day` and `newest_known_day`: when the test belief of each row and
             the newest of its known beliefs were stated, in days since 1970; None for sources
             without dates
    """

    names: frozenset[str] = frozenset()
    dates: pa.Table | None = None


@dataclass(frozen=True)
class Built(sources.Built):
    """A dataset: its table (see BELIEF), how it came about, and what only audits may see."""

    private: Private = field(default_factory=Private, repr=False)


def category_of(written: str) -> tuple[str, bool]:
    """The category that `written` means, and whether it is one that Debate.org has.

    Case, spaces and punctuation do not matter. Anything else is UNKNOWN and False.
    """
    name = _BY_NAME.get("".join(c for c in written.casefold() if c.isalnum()))
    return (UNKNOWN, False) if name is None else (name, True)


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
