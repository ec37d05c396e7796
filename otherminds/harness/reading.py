"""The documents of a task, each read from its table once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_BATCH = 256
"""Rows that are read at once: one by one, most of the time is spent between them."""

_READ_AT_ONCE = (None, "custom")
"""Formats of a dataset, by name, in which a row of a batch is what it is alone."""

_FLOAT = re.compile("float|double|decimal")

Numbered = tuple[int, Any]
"""A document with its number in its task."""


def chosen(task: Any, limit: float | None, numbers: Sequence[int] | None) -> Iterator[Numbered]:
    """The documents of a task that lm-eval's `--limit` or `--samples` leave."""
    from lm_eval.evaluator_utils import get_sample_size
    from lm_eval.utils import create_iterator

    if numbers:
        for place, document in task.doc_iterator(samples=numbers):
            yield numbers[place], document
        return
    # Of a limit of 0, lm-eval takes all.
    most = get_sample_size(task, limit) or None
    yield from create_iterator(enumerate(documents(task)), limit=most)


def documents(task: Any) -> Iterator[Any]:
    """All documents of a task."""
    yield from _read(task.eval_docs)


def count(task: Any, limit: float | None, numbers: Sequence[int] | None) -> int:
    """How many documents are chosen."""
    from lm_eval.evaluator_utils import get_sample_size

    n = len(task.eval_docs)
    return len(set(numbers)) if numbers else min(n, get_sample_size(task, limit) or n)


def _read(rows: Iterable[Any]) -> Iterator[Any]:
    """The same documents as by iteration, with less work for those of a dataset."""
    table: Any = rows
    if getattr(rows, "format", {}).get("type", "") not in _READ_AT_ONCE:
        yield from rows
        return
    # 0.0 and -0.0 are equal, and are written otherwise.
    exact = {field.name for field in table.data.schema if not _FLOAT.search(str(field.type))}
    before: dict[str, Any] = {}
    for batch in table.iter(batch_size=_BATCH):
        names = list(batch)
        for values in zip(*batch.values(), strict=True):
            found = dict(zip(names, values, strict=True))
            # Documents that show the same evidence hold it as one object.
            for name in exact:
                if name in before and found[name] == before[name]:
                    found[name] = before[name]
            yield found
            before = found
