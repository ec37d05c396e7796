"""The rows of a table, person by person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pyarrow as pa


@dataclass(frozen=True)
class Rows:
    """One person's rows.

    known        the known beliefs of the first row
    consistent   whether every other row shows the same known beliefs and background
    counts       n_known of each row
    """

    user: str
    item_ids: list[str]
    propositions: list[str]
    known: list[dict[str, Any]]
    consistent: bool
    counts: list[int]


def persons(table: pa.Table) -> Iterator[Rows]:
    """The people of a table whose rows are ordered by person.

    Known beliefs are taken out of Arrow once per person, since all of a person's rows repeat them;
    the others are compared there, which makes no Python objects.
    """
    users = table["user_id"].to_pylist()
    start = 0
    for user, own in groupby(users):
        count = sum(1 for _ in own)
        rows = table.slice(start, count)
        start += count
        shown = [_joined(rows[name]) for name in ("known_beliefs", "background")]
        yield Rows(
            user=user,
            item_ids=rows["item_id"].to_pylist(),
            propositions=rows["proposition"].to_pylist(),
            known=shown[0][0].as_py(),
            consistent=all(
                column.slice(place, 1).equals(column.slice(0, 1))
                for column in shown
                for place in range(1, count)
            ),
            counts=rows["n_known"].to_pylist(),
        )


def _joined(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
