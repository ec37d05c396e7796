"""The beginning of the interview."""

from __future__ import annotations

import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.checks import check_count
from otherminds.dataset_builders.hugagent.ablations.contexts import distinct, showing


def first_k(table: pa.Table, k: int) -> pa.Table:
    """Show the first `k` question-answer pairs of each context; a shorter one stays whole.

    On the human track each BSI item lacks its own source pair, so the first k of two items of one
    person may differ. Raises ValueError unless k is a whole number, at least 1.
    """
    check_count(k)
    contexts = distinct(table)
    choices = [contexts.places(context)[:k] for context in range(len(contexts))]
    return showing(table, contexts.turns, choices, contexts.of_row)
