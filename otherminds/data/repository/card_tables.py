"""Counts, columns and an example row of built tables, for their card."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from datasets import Features, List, Value

LONGEST_TEXT: Final = 160
"""Characters of a text that an example row shows."""

MOST_ELEMENTS: Final = 2
"""Elements of a list that an example row shows."""


class Tables:
    """The built tables by configuration, as templates ask them. False where there are none."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self._tables = tables

    def __bool__(self) -> bool:
        return bool(self._tables)

    def columns(self, config: str) -> Iterator[tuple[str, str]]:
        """Names and types of the columns, types as a reader would say them."""
        features = Features.from_arrow_schema(self._tables[config].schema)
        for name, feature in features.items():
            yield name, _kind(feature)

    def twin(self, config: str) -> str | None:
        """The first configuration with the same columns, where that is another one."""
        schema = self._tables[config].schema
        first = next(name for name, table in self._tables.items() if table.schema.equals(schema))
        return None if first == config else first

    def example(self, config: str) -> str:
        """The first row as JSON, with long texts and lists cut."""
        first = self._tables[config].slice(0, 1).to_pylist()
        return json.dumps(_short(first[0]) if first else {}, indent=2, ensure_ascii=False)

    def rows(self, config: str) -> int:
        """How many rows there are."""
        return int(self._tables[config].num_rows)

    def distinct(self, config: str, column: str) -> int:
        """How many different values a column has."""
        return int(pc.count_distinct(self._tables[config][column]).as_py())

    def counts(self, config: str, column: str) -> dict[str, int]:
        """How many rows have each value of a column, by value in order of their first row."""
        found = pc.value_counts(self._tables[config][column]).to_pylist()
        return {str(one["values"]): one["counts"] for one in found}

    def total(self, config: str, column: str, *, per: str | None = None) -> int:
        """The sum of a column; with `per`, counting each value of that column once (its largest)."""
        table = self._tables[config]
        if per is not None:
            table = table.group_by(per).aggregate([(column, "max")])
            column = f"{column}_max"
        return int(pc.sum(table[column]).as_py() or 0)

    def elements(self, config: str, path: str) -> int:
        """How many elements all lists of a column have, or of a field of a struct ("a.b")."""
        return int(pc.sum(pc.list_value_length(self._field(config, path))).as_py() or 0)

    def shortest(self, config: str, path: str) -> int:
        """The length of the shortest list."""
        return int(pc.min(pc.list_value_length(self._field(config, path))).as_py() or 0)

    def longest(self, config: str, path: str) -> int:
        """The length of the longest list."""
        return int(pc.max(pc.list_value_length(self._field(config, path))).as_py() or 0)

    def _field(self, config: str, path: str) -> pa.ChunkedArray:
        column, *inner = path.split(".")
        found = self._tables[config][column]
        return pc.struct_field(found, inner) if inner else found


def _kind(feature: Any) -> str:
    if isinstance(feature, Value):
        return str(feature.dtype)
    if isinstance(feature, List):
        return f"list of {_kind(feature.feature)}"
    return f"{{{', '.join(feature)}}}"


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT].rsplit(" ", 1)[0] + " …"
    if isinstance(value, Mapping):
        return {name: _short(part) for name, part in value.items()}
    if isinstance(value, list):
        shown = [_short(part) for part in value[:MOST_ELEMENTS]]
        hidden = len(value) - len(shown)
        return [*shown, f"… {hidden:,} more"] if hidden else shown
    return value
