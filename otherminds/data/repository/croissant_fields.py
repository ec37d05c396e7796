"""The columns of a Parquet file as Croissant describes them.

A reader of Croissant fills a field from a column and steps into structs by JSONPath, one step per level
and element by element. A struct or list that lies in a struct that itself lies in a list is out of
reach of that (of mlcroissant 1.1, which would fill it with nulls): such members are left out, and the
description of their column says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

Json = dict[str, Any]

_TYPES = {
    pa.string(): "sc:Text",
    pa.bool_(): "sc:Boolean",
    pa.int32(): "cr:Int32",
    pa.int64(): "cr:Int64",
    pa.float64(): "cr:Float64",
}


@dataclass(frozen=True)
class _Place:
    """Where a value lies in a row.

    parent   the id of the record set or field that it belongs to
    column   the column, None for the row itself
    steps    the members that lead from the column to it
    in_list  whether one of them, or the column, is a list
    """

    parent: str
    column: str | None = None
    steps: tuple[str, ...] = ()
    in_list: bool = False


def fields(record_set: str, file: str, schema: pa.Schema) -> list[Json]:
    """The fields of the record set with that id, which `file` (the id of a file) is read for.

    Ids are paths: `bdu/demographics/value`. Raises TypeError for a type that no builder uses.
    """
    described = (_field(one, _Place(record_set), file) for one in schema)
    return [one for one in described if one is not None]


def constant(record_set: str, name: str, value: str, **more: Any) -> Json:
    """A field that says the same of every row."""
    return {**_named(record_set, name), **more, "value": value}


def _field(column: pa.Field, place: _Place, file: str) -> Json | None:
    """A column or member with all below it; None where it is out of reach."""
    kind, dimensions = _element(column.type)
    here = f"{place.parent}/{column.name}"
    lists: Json = {"isArray": True} if dimensions else {}
    if dimensions > 1:
        lists["arrayShape"] = ",".join(["-1"] * dimensions)
    if place.column is None:
        below = replace(place, parent=here, column=column.name, in_list=dimensions > 0)
    else:
        steps = (*place.steps, column.name)
        below = replace(place, parent=here, steps=steps, in_list=place.in_list or dimensions > 0)
    if not pa.types.is_struct(kind):
        data_type = {"dataType": _data_type(kind, here)}
        return {**_named(place.parent, column.name), **data_type, **lists, **_source(below, file)}
    if dimensions > 1 or place.in_list:
        return None
    members = {member.name: _field(member, below, file) for member in kind}
    missing = [name for name, found in members.items() if found is None]
    return {
        **_named(place.parent, column.name),
        **(_out_of_reach(missing) if missing else {}),
        **lists,
        "subField": [found for found in members.values() if found is not None],
    }


def _named(parent: str, name: str) -> Json:
    return {"@type": "cr:Field", "@id": f"{parent}/{name}", "name": name}


def _out_of_reach(members: Sequence[str]) -> Json:
    return {
        "description": f"Also holds {', '.join(members)}, nested too deep to be read through this "
        "description; the Parquet file has them."
    }


def _element(kind: pa.DataType) -> tuple[pa.DataType, int]:
    """The innermost type of nested lists, and their depth."""
    dimensions = 0
    while pa.types.is_list(kind):
        kind, dimensions = kind.value_type, dimensions + 1
    return kind, dimensions


def _data_type(kind: pa.DataType, where: str) -> str:
    if kind not in _TYPES:
        raise TypeError(f"{where} is of type {kind}, which has no Croissant type here.")
    return _TYPES[kind]


def _source(place: _Place, file: str) -> Json:
    source: Json = {"fileObject": {"@id": file}, "extract": {"column": place.column}}
    if place.steps:
        source["transform"] = [{"jsonPath": step} for step in place.steps]
    return {"source": source}
