"""The row of every trust-game dataset: one persona."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

CONFIG: Final = "personas"
"""The one configuration; the one split of its files is `test`."""

SPLITS: Final = ("train", "validation", "test")
"""The values of the column `split`: the paper's splits of the personas."""

SAMPLE: Final = 50
"""How many personas the default sample has."""

SAMPLE_COLUMN: Final = f"in_sample_{SAMPLE}"

SHOWN: Final = pa.struct([("attribute", pa.string()), ("value", pa.string())])
"""One thing that a prompt shows of a persona, such as ("Age", "34")."""

LEVEL: Final = pa.struct([("attribute", pa.string()), ("level", pa.string())])
"""The level that a persona has of an evaluated attribute, such as ("age", "30 to 44")."""

PERSONA: Final = pa.schema(
    [
        pa.field("persona_id", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("attributes", pa.list_(SHOWN), nullable=False),
        pa.field("levels", pa.list_(LEVEL), nullable=False),
        pa.field(SAMPLE_COLUMN, pa.bool_(), nullable=False),
    ]
)
"""One persona.

    persona_id    "genagents-0001", "synthetic-0001"; never the id or the name of the source
    split         one of SPLITS
    attributes    what a prompt shows, by readable label, in the order of `attributes.SHOWN_FIELDS`
    levels        the evaluated attributes by name, in the order of `LevelSet.evaluated`
    in_sample_50  whether the persona is in the default sample; all of it is from the split `test`

Rows are ordered by persona_id.
"""
