"""A handful of people of a generated dataset, in a second: enough to see whether its tasks work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherminds import manifest
from otherminds.data.build import dataset as building
from otherminds.data.repository import rows
from otherminds.dataset_builders.parts import processes


def write(dataset: str, folder: Path) -> bool:
    """Write rows of a few people into the new `folder`, as `data_source` reads them.

    A builder says how many by `trial`, from a specification to a smaller one; else they are the fewest
    that its `head` gives. Returns False for one with neither: it cannot be made smaller.
    """
    known = manifest.load(dataset)
    builder: Any = building.builder_of(known)
    spec = builder.spec(known.generator or {})
    if hasattr(builder, "trial"):
        small = builder.trial(spec)
    elif hasattr(builder, "head"):
        small, _ = builder.head(spec, 1)
    else:
        return False
    if hasattr(builder, "plan"):
        tables = builder.plan(small).tables(processes(1))
    else:
        tables = builder.build(small, num_proc=1, progress=None)
    made = known.model_copy(
        update={
            "version": f"{known.version}+trial",
            "configs": building.described(known, tables),
            "slices": {},
        }
    )
    folder.mkdir(parents=True)
    rows.write(folder, made, tables)
    return True
