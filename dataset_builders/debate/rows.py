"""A person's rows: the ids in them, how they are made, and how they are read back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.debate.demographics import Attribute
from otherminds.dataset_builders.debate.schema import BACKGROUND, BELIEF, KNOWN_BELIEF
from otherminds.dataset_builders.sources import SourceError

_KNOWN_AT_ONCE = 200_000
"""How many known beliefs, over all rows, one batch may hold: about 20 MB of them."""


_DIGITS = 16


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


def user_id(name: str, salt: str) -> str:
    """ "U" and 16 hexadecimal digits: the beginning of the SHA-256 of salt and name.

    Who has the list of names and the salt can find an id's name again, as can anyone who looks a
    person's beliefs up in the source. The id keeps names out of prompts, logs and results; it is no
    secret.
    """
    return "U" + hashlib.sha256(f"{salt}\x00{name}".encode()).hexdigest()[:_DIGITS]


def user_ids(names: Iterable[str], salt: str) -> dict[str, str]:
    """Name to id. Raises SourceError where two names would share an id."""
    by_id: dict[str, str] = {}
    for name in names:
        identity = user_id(name, salt)
        if by_id.setdefault(identity, name) != name:
            raise SourceError(
                f"The user id {identity} stands for two people: their beliefs would be mixed. Choose "
                "another salt."
            )
    return {name: identity for identity, name in by_id.items()}


def item_id(source: str, number: int) -> str:
    """The id of a dataset's `number`-th item, from 1: "ddo-000001"."""
    return f"{source}-{number:06d}"


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


def _joined(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
