"""Documents that a task makes itself, in the form in which lm-eval takes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset
from datasets.table import InMemoryTable


def dataset_of(docs: Sequence[Mapping[str, Any]], schema: pa.Schema) -> Dataset:
    """Documents as a table with the columns of `schema`."""
    # Without a fingerprint of our own, `datasets` would pickle and hash the whole table.
    text = json.dumps(docs, ensure_ascii=False)
    return Dataset(
        InMemoryTable(pa.Table.from_pylist(list(docs), schema)),
        fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16],
    )
