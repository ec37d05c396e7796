"""The personas of a run, as documents show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from otherminds.data import loading as data
from otherminds.dataset_builders.trust_game.attributes import LevelSet, level_set, level_set_of
from otherminds.dataset_builders.trust_game.schema import LEVEL, SAMPLE_COLUMN, SHOWN, SPLITS
from otherminds.errors import OtherMindsError

SAMPLE = "sample"
"""The value of `personas` that stands for the default sample."""

ALL = "all"
"""The value of `personas` that stands for the whole split test, and at the individual level for the
sample."""

PERSONA = (
    ("persona_id", pa.string()),
    ("persona", pa.list_(SHOWN)),
    ("levels", pa.list_(LEVEL)),
    ("level_set", pa.string()),
)
"""The fields of a document that hold a persona: what a prompt shows, the evaluated levels, and the name
of the level set that these are of."""

Persona = dict[str, Any]


def load_personas(chosen: str, *, whole: str = "test", **wanted: Any) -> list[Persona]:
    """The personas of a sample or split, in order of their ids.

    whole   what ALL stands for: a split, or SAMPLE
    wanted  the keys of `otherminds.data.loading.for_task` that say where the dataset is
    Raises OtherMindsError for a name that is neither a split nor SAMPLE nor ALL, and for personas whose
    levels are of no known level set.
    """
    choices = (SAMPLE, ALL, *SPLITS)
    if chosen not in choices:
        raise OtherMindsError(
            f"There are no personas '{chosen}': give {', '.join(choices[:-1])} or {choices[-1]} as "
            "personas in --metadata."
        )
    rows = data.for_task(**wanted)[data.SPLIT].to_list()
    try:
        levels = level_set_of(
            [(one["attribute"], one["level"]) for one in row["levels"]] for row in rows
        )
    except ValueError as error:
        raise OtherMindsError(f"{error} Build the dataset again.") from error
    part = whole if chosen == ALL else chosen
    return [
        {
            "persona_id": row["persona_id"],
            "persona": row["attributes"],
            "levels": row["levels"],
            "level_set": levels.name,
        }
        for row in rows
        if (row[SAMPLE_COLUMN] if part == SAMPLE else row["split"] == part)
    ]


def levels_in(personas: Sequence[Persona]) -> LevelSet:
    """The level set of loaded personas, of whom there is at least one."""
    return level_set(personas[0]["level_set"])
