"""The interview, or the demographics, left out."""

from __future__ import annotations

import pyarrow as pa

from otherminds.dataset_builders.ablation import emptied


def no_context(table: pa.Table) -> pa.Table:
    """Show no interview: what demographics alone tell of a person."""
    return emptied(table, "context")


def no_demographics(table: pa.Table) -> pa.Table:
    """Show no demographics: what the interview alone tells of a person."""
    return emptied(table, "demographics")
