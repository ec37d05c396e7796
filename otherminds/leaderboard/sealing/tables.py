"""The rows of a season: with golds, from its secret, and without, from those alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.sealing.columns import Rows, sealing_of
from otherminds.progress import bar

Tables = Mapping[str, pa.Table]


def kept(dataset: str, wanted: int | None) -> int | None:
    """How many items of each group are asked: as many as are wanted, or else as few as is usual.

    Raises OtherMindsError for a dataset of which all are asked.
    """
    usual = sealing_of(dataset).kept
    if wanted is not None and usual is None:
        raise OtherMindsError(f"{dataset} has no stages: all of its questions are asked.")
    return usual if wanted is None else wanted


def complete(
    dataset: str,
    generator: Mapping[str, Any],
    secret: bytes,
    season: str,
    *,
    kept: int | None = None,
    num_proc: int = 1,
) -> dict[str, pa.Table]:
    """The rows with golds, by configuration: the builder's, with opaque ids and in their order.

    kept  how many items of each group are asked, those with the smallest ids; all by default. Ids are
          keyed hashes, so which they are has to do with nothing but the secret
    They depend on these arguments and the builder only, and not on `num_proc`.
    """
    sealing = sealing_of(dataset)
    builder = build.builder_of(manifest.load(dataset))
    seed = secrets.seed(secret, dataset, season)
    try:
        spec = builder.spec({**generator, "seed": seed})
        with bar(f"Building {dataset} for {season}") as progress:
            built = builder.build(spec, num_proc=num_proc, progress=progress)
    except ValueError as error:
        # The seed must not be shown, and messages quote parameters.
        said = str(error).replace(str(seed), "(secret)")
        raise OtherMindsError(f"Cannot build {dataset} for a season: {said}") from None
    if sorted(built) != sorted(sealing.all):
        raise OtherMindsError(
            f"{dataset} is built with the configurations {', '.join(built)}; a season knows "
            f"{', '.join(sealing.all)}."
        )
    found = {
        name: _renamed(built[name], rows, secret, season) for name, rows in sealing.all.items()
    }
    if kept is None:
        return found
    few = {name: _first(found[name], rows.ids[0], kept) for name, rows in sealing.items.items()}
    return {**found, **few}


def published(dataset: str, tables: Tables) -> dict[str, pa.Table]:
    """Rows with golds as participants get them: the columns that may be known, the others empty."""
    return {
        name: _withheld(tables[name], rows) for name, rows in sealing_of(dataset).published.items()
    }


def content_hashes(dataset: str, tables: Tables) -> dict[str, str]:
    """The content hash of each table."""
    known = manifest.load(dataset)
    return {name: build.content_hash(known, table) for name, table in tables.items()}


def commitments(dataset: str, tables: Tables, secret: bytes, season: str) -> dict[str, str]:
    """The commitment to each table; see `secret`."""
    return {
        name: secrets.commitment(secret, season, name, found)
        for name, found in content_hashes(dataset, tables).items()
    }


def _renamed(table: pa.Table, rows: Rows, secret: bytes, season: str) -> pa.Table:
    for column in rows.ids:
        field = table.schema.field(column)
        known = table.column(column)
        ids = {
            one: secrets.opaque_id(secret, season, column, one)
            for one in pc.unique(known).to_pylist()
        }
        if len(set(ids.values())) < len(ids):
            raise OtherMindsError("Two ids are the same: open the season with another secret.")
        renamed = pa.array([ids[one] for one in known.to_pylist()], field.type)
        table = table.set_column(table.column_names.index(column), field, renamed)
    for column, of in rows.refers.items():
        field = table.schema.field(column)
        lists = [
            [secrets.opaque_id(secret, season, of, one) for one in listed]
            for listed in table.column(column).to_pylist()
        ]
        table = table.set_column(
            table.column_names.index(column), field, pa.array(lists, field.type)
        )
    order = [(name, "ascending") for name in rows.order or rows.ids]
    return table.take(pc.sort_indices(table, sort_keys=order)).combine_chunks()


def _first(table: pa.Table, group: str, count: int) -> pa.Table:
    """The first rows of each group, of a table that is ordered by groups."""
    seen: Counter[str] = Counter()
    places = []
    for place, one in enumerate(table.column(group).to_pylist()):
        seen[one] += 1
        if seen[one] <= count:
            places.append(place)
    return table.take(pa.array(places, pa.int64())).combine_chunks()


def _withheld(table: pa.Table, rows: Rows) -> pa.Table:
    shown = {*rows.ids, *rows.kept}
    if missing := sorted(shown - set(table.column_names)):
        raise OtherMindsError(f"The rows lack the columns {', '.join(missing)}.")
    arrays = [
        table.column(field.name) if field.name in shown else _nothing(field.type, len(table))
        for field in table.schema
    ]
    fields = [field.with_nullable(True) for field in table.schema]
    return pa.table(arrays, schema=pa.schema(fields, table.schema.metadata))


def _nothing(kind: pa.DataType, count: int) -> pa.Array:
    """Empty lists where a reader goes through lists, else nulls."""
    return pa.array([[]] * count, kind) if pa.types.is_list(kind) else pa.nulls(count, kind)
