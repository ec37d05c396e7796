"""What a model may see of a person, varied: an ablation and how it is applied, for every benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

Transformation: TypeAlias = Callable[..., pa.Table]
"""A function of the table, the pool and named parameters; it returns the table, shown otherwise."""


@dataclass(frozen=True)
class Ablation:
    """One entry of the registry: what it shows, and the parameters it needs or takes."""

    shows: str
    transform: Transformation
    required: frozenset[str] = field(default_factory=frozenset)
    optional: frozenset[str] = field(default_factory=frozenset)

    @property
    def parameters(self) -> frozenset[str]:
        """All parameters that it knows; callers with parameters for several ablations pick these."""
        return self.required | self.optional


def apply(
    ablations: Mapping[str, Ablation],
    name: str,
    table: pa.Table,
    *,
    pool: pa.Table,
    **parameters: Any,
) -> pa.Table:
    """What the items of `table` show under the ablation `name`.

    `pool` is all items of the dataset, whatever part of it `table` is; only ablations that show other
    people read it. A parameter that is None counts as not passed.

    Raises ValueError for an unknown name, a parameter that the ablation does not know or lacks, and
    for what the ablation itself refuses.
    """
    if name not in ablations:
        raise ValueError(f"There is no ablation '{name}'; there are: {', '.join(ablations)}.")
    ablation = ablations[name]
    given = {key: value for key, value in parameters.items() if value is not None}
    if foreign := sorted(given.keys() - ablation.parameters):
        raise ValueError(
            f"The ablation '{name}' has no parameter {', '.join(foreign)}; "
            f"it has: {', '.join(sorted(ablation.parameters)) or 'none'}."
        )
    if missing := sorted(ablation.required - given.keys()):
        raise ValueError(f"The ablation '{name}' needs the parameter {', '.join(missing)}.")
    return ablation.transform(table, pool, **given)


def emptied(table: pa.Table, name: str) -> pa.Table:
    """The same rows with nothing in the list column `name`."""
    field = table.schema.field(name)
    offsets = pa.array(np.zeros(table.num_rows + 1, dtype=np.int32))
    nothing = pa.array([], type=field.type.value_type)
    empty = pa.ListArray.from_arrays(offsets, nothing).cast(field.type)
    return table.set_column(table.schema.get_field_index(name), field, empty)
