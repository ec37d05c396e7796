"""The four conditions, and beliefs of another category: what a document shows of a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.ablation import Ablation, emptied

SHOWN_CATEGORY = "shown_category"


def cross_category(table: pa.Table, shown: str | None = None) -> pa.Table:
    """Show each person's known beliefs of one category only, and never that of the proposition.

    shown  the category to show; by default, for each item, the one of which the person has the most
           known beliefs besides the proposition's own (of equally many the first by name)

    Demographics are left out, and so are items of whose person there is no such belief. A column
    `shown_category` says which it is, and `n_known` counts what is shown.
    Raises ValueError when no item is left.
    """
    kept, beliefs, categories = [], [], []
    rows = zip(table["known_beliefs"].to_pylist(), table["category"].to_pylist(), strict=True)
    for place, (known, category) in enumerate(rows):
        chosen = shown or _most_frequent(known, category)
        visible = [one for one in known if one["category"] == chosen]
        if visible and chosen != category:
            kept.append(place)
            beliefs.append(visible)
            categories.append(chosen)
    if not kept:
        wanted = f"the category '{shown}'" if shown else "any category"
        raise ValueError(f"no item has known beliefs of {wanted} besides those of its own.")
    made = emptied(table.take(kept), "background")
    made = _replaced(made, "known_beliefs", beliefs)
    made = _replaced(made, "n_known", [len(one) for one in beliefs])
    return made.append_column(SHOWN_CATEGORY, pa.array(categories, pa.string()))


def _most_frequent(known: Sequence[Mapping[str, Any]], own: str) -> str | None:
    counts = Counter(one["category"] for one in known if one["category"] != own)
    return min(counts, key=lambda name: (-counts[name], name)) if counts else None


def _replaced(table: pa.Table, name: str, values: Sequence[Any]) -> pa.Table:
    field = table.schema.field(name)
    place = table.schema.get_field_index(name)
    return table.set_column(place, field, pa.array(values, field.type))


def _blind(table: pa.Table, _pool: pa.Table) -> pa.Table:
    return emptied(emptied(table, "background"), "known_beliefs")


def _cross(table: pa.Table, _pool: pa.Table, *, shown_category: str | None = None) -> pa.Table:
    if shown_category is not None:
        categories = pc.struct_field(pc.list_flatten(table["known_beliefs"]), "category")
        known = pc.unique(categories).to_pylist()
        if shown_category not in known:
            raise ValueError(
                f"nobody has known beliefs of the category '{shown_category}'; there are: "
                f"{', '.join(sorted(known)) or 'none'}."
            )
    return cross_category(table, shown_category)


ABLATIONS: Mapping[str, Ablation] = MappingProxyType(
    {
        "blind": Ablation("nothing of the person", _blind),
        "demographics": Ablation(
            "demographics only", lambda table, _pool: emptied(table, "known_beliefs")
        ),
        "beliefs": Ablation(
            "known beliefs only", lambda table, _pool: emptied(table, "background")
        ),
        "both": Ablation("demographics and known beliefs", lambda table, _pool: table),
        "cross_category": Ablation(
            "known beliefs of one other category",
            _cross,
            optional=frozenset({"shown_category"}),
        ),
    }
)
"""Every condition by its name; the paper's four come first."""
