"""The turns of a person's own interview that are most like the item's question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.checks import check_count
from otherminds.dataset_builders.hugagent.ablations.contexts import (
    Contexts,
    Places,
    distinct,
    showing,
)

_DECIMALS = 9


def rag(table: pa.Table, k: int = 5) -> pa.Table:
    """Show, in place of the context, its `k` question-answer pairs closest to the item.

    Closeness is the cosine of TF-IDF vectors (scikit-learn's TfidfVectorizer with its defaults,
    fitted on the pairs of that context, a pair being question and answer) between a pair and the
    item's question, followed by its reason text where it has one. Of equally close pairs the earlier
    is taken, so an item that shares no word with the context shows its first k. The pairs are shown
    in the order of the interview, not by rank: a conversation reads forward, and items that retrieve
    the same pairs show the same bytes. Raises ValueError unless k is a whole number, at least 1.
    """
    contexts = distinct(table)
    return showing(table, contexts.turns, _retrieved(table, contexts, k), np.arange(table.num_rows))


def rag_full(table: pa.Table, k: int = 5) -> pa.Table:
    """Show the whole context, and after it the pairs that `rag` retrieves, once more.

    The whole context comes first, so that the items of one context share it as a prefix.
    """
    contexts = distinct(table)
    retrieved = _retrieved(table, contexts, k)
    choices = [
        np.concatenate([contexts.places(context), again])
        for context, again in zip(contexts.of_row, retrieved, strict=True)
    ]
    return showing(table, contexts.turns, choices, np.arange(table.num_rows))


def _retrieved(table: pa.Table, contexts: Contexts, k: int) -> list[Places]:
    """For each row, where the k closest turns of its context are, in order."""
    check_count(k)
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for row, context in enumerate(contexts.of_row):
        rows_of[int(context)].append(row)
    queries = _queries(table)
    chosen = [np.empty(0, np.int64)] * table.num_rows
    for context, rows in rows_of.items():
        places = contexts.places(context)
        turns = contexts.turns.slice(contexts.bounds[context], len(places)).to_pylist()
        texts = [f"{turn['question']} {turn['answer']}" for turn in turns]
        closeness = _cosines([queries[row] for row in rows], texts)
        ranked = np.argsort(-closeness, axis=1, kind="stable")[:, :k]
        for row, closest in zip(rows, ranked, strict=True):
            chosen[row] = places[np.sort(closest)]
    return chosen


def _queries(table: pa.Table) -> list[str]:
    asked = zip(table["question"].to_pylist(), table["reason_text"].to_pylist(), strict=True)
    return [f"{question} {reason}" if reason else question for question, reason in asked]


def _cosines(queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
    """The cosine of each query (row) with each text (column); 0 where a text has no known word."""
    # Importing scikit-learn takes a second that only this ablation should cost.
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer()
    words = vectorizer.build_analyzer()
    if not any(words(text) for text in texts):
        return np.zeros((len(queries), len(texts)))
    known = vectorizer.fit_transform(texts)
    cosines = (vectorizer.transform(queries) @ known.T).toarray()
    # Last bits differ between machines; they must not decide between equally close turns.
    return np.asarray(np.round(cosines, _DECIMALS))
