"""The items of a dataset for students, from wherever its data are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from otherminds import manifest
from otherminds.data import loading
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Repeats
from otherminds.students.repeats import repeats
from otherminds.students.view import Clues, Item, Tables, View, of_dataset


@dataclass(frozen=True)
class Rows:
    """What students are given of a dataset, and which rows it comes from, in words."""

    known: Manifest
    view: View
    items: list[Item]
    clues: Clues | None
    told: str
    repeats: Repeats | None = None

    @property
    def readers(self) -> Mapping[str, float]:
        """The accuracy of the rule-based reader by part, as far as the manifest has it."""
        return {} if self.view.reader is None else self.view.reader(self.known)


def load(
    dataset: str, *, source: str | None = None, whole: bool = False, beside: bool = False
) -> Rows:
    """The items of a dataset, of its small slice where it has one, or with `whole` of all.

    `source` as in `otherminds.data.loading.load`; with `beside`, also what is read beside the slice,
    over which slopes are told. Raises OtherMindsError for a dataset without items with a gold answer
    among options, and where its data cannot be had.
    """
    view = view_of(dataset)
    part = None if whole else view.part
    tables: dict[str, pa.Table] = {}
    for config in (*view.configs, *(view.beside if beside else ())):
        slices: dict[str, Any] = {} if part is None or config in view.beside else {part: True}
        rows = loading.for_task(dataset=dataset, configs=[config], data_source=source, **slices)
        tables[config] = rows[loading.SPLIT].with_format("arrow")[:]
    return of_tables(manifest.load(dataset), sliced(view, tables, part), part)


def sliced(view: View, tables: Tables, part: str | None) -> Tables:
    """The rows of a slice alone, where tables say which are; what is read beside it is kept whole."""
    column = f"in_{part}"
    return {
        config: table.filter(table[column])
        if part is not None and config not in view.beside and column in table.column_names
        else table
        for config, table in tables.items()
    }


def of_tables(known: Manifest, tables: Tables, part: str | None = None) -> Rows:
    """The items of tables that are at hand."""
    view = view_of(known.dataset)
    told = f"version {known.version}" + (f", {part}" if part else "")
    told += "".join(f", {config}" for config in view.beside if config in tables)
    clues = None if view.clues is None else view.clues(tables)
    found = None if view.written is None else repeats(view.written(tables), view.edition)
    return Rows(known, view, list(view.items(tables)), clues, told, found)


def view_of(dataset: str) -> View:
    """The view of a dataset; raises OtherMindsError where it has none."""
    manifest.load(dataset)
    view = of_dataset(dataset)
    if view is None:
        raise OtherMindsError(
            f"'{dataset}' has no items with a gold answer among options, so there is nothing for "
            f"students to learn. Audited by students are: {', '.join(audited())}."
        )
    return view


def audited() -> list[str]:
    """The datasets that students can be trained on."""
    return [name for name in manifest.names() if of_dataset(name) is not None]
