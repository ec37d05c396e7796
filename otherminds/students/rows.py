"""The items of a dataset for students, from wherever its data are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from otherminds import manifest
from otherminds.data import loading
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Repeats
from otherminds.students.repeats import repeats
from otherminds.students.view import (
    Clues,
    Item,
    Lessons,
    Read,
    Tables,
    View,
    of_dataset,
)


@dataclass(frozen=True)
class Rows:
    """What students are given of a dataset, and which rows it comes from, in words."""

    known: Manifest
    view: View
    items: list[Item]
    clues: Clues | None
    told: str
    repeats: Repeats | None = None
    also: Lessons | None = None

    @property
    def readers(self) -> Mapping[str, float]:
        """The accuracy of the rule-based reader by part, as far as the manifest has it."""
        return {} if self.view.reader is None else self.view.reader(self.known)

    @property
    def read(self) -> Read | None:
        """What blind readers got right of the items that stayed; None where nobody has read them."""
        reading = (self.known.construction or {}).get("reading")
        if not reading:
            return None
        # Items are named by task and id. Where something was dropped, fresh readers count.
        shares = {
            item.split(":", 1)[-1]: one.get("again", one["right"])
            for item, one in reading["by_item"].items()
            if not one["dropped"]
        }
        gap = self.view.gap if self.view.edition == "authored" else None
        return Read(shares, gap, self.view.harder)


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
    return with_lessons(of_tables(manifest.load(dataset), sliced(view, tables, part), part))


def with_lessons(rows: Rows) -> Rows:
    """The same, with the items of the other dataset that students are trained on besides, if any.

    Raises OtherMindsError where these cannot be had.
    """
    if rows.view.also is None:
        return rows
    more = load(rows.view.also)
    return replace(
        rows, also=Lessons(more.items, more.clues, f"all of {more.known.dataset}, {more.told}")
    )


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
