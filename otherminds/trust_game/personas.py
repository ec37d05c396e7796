"""The personas of a run, as documents show them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from otherminds import data
from otherminds.dataset_builders.trust import game
from otherminds.dataset_builders.trust.schema import LEVEL, SAMPLE_COLUMN, SHOWN, SPLITS
from otherminds.errors import OtherMindsError

SAMPLE = "sample"
"""The value of `personas` that stands for the default sample."""

PERSONA = (
    ("persona_id", pa.string()),
    ("persona", pa.list_(SHOWN)),
    ("levels", pa.list_(LEVEL)),
)
"""The fields of a document that hold a persona: what a prompt shows, and the evaluated levels."""

Persona = dict[str, Any]


def load_personas(chosen: str, **wanted: Any) -> list[Persona]:
    """The personas of a sample or split, in order of their ids.

    wanted  the keys of `otherminds.data.for_task` that say where the dataset is
    Raises OtherMindsError for a name that is neither a split nor SAMPLE.
    """
    if chosen not in (SAMPLE, *SPLITS):
        raise OtherMindsError(
            f"There are no personas '{chosen}': give {', '.join((SAMPLE, *SPLITS[:-1]))} or "
            f"{SPLITS[-1]} as personas in --metadata."
        )
    rows = data.for_task(**wanted)[data.SPLIT].to_list()
    return [
        {
            "persona_id": row["persona_id"],
            "persona": row["attributes"],
            "levels": row["levels"],
        }
        for row in rows
        if (row[SAMPLE_COLUMN] if chosen == SAMPLE else row["split"] == chosen)
    ]


def endowment_of(value: Any) -> float:
    """The endowment that a run was told; raises OtherMindsError for one that the game cannot have."""
    try:
        return game.check_endowment(value)
    except ValueError as error:
        raise OtherMindsError(f"{error} Change it in --metadata.") from error
