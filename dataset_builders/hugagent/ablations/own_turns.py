"""Less of what is known: parts of the person's own interview, or none; no demographics."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.ablation import emptied
from otherminds.dataset_builders.hugagent.ablations.contexts import (
    Contexts,
    Places,
    distinct,
    showing,
)

_DECIMALS = 9


def no_context(table: pa.Table) -> pa.Table:
    """Show no interview: what demographics alone tell of a person."""
    return emptied(table, "context")


def no_demographics(table: pa.Table) -> pa.Table:
    """Show no demographics: what the interview alone tells of a person."""
    return emptied(table, "demographics")


def first_k(table: pa.Table, k: int) -> pa.Table:
    """Show the first `k` question-answer pairs of each context; a shorter one stays whole.

    On the human track each BSI item lacks its own source pair, so the first k of two items of one
    person may differ. Raises ValueError unless k is a whole number, at least 1.
    """
    check_count(k)
    contexts = distinct(table)
    choices = [contexts.places(context)[:k] for context in range(len(contexts))]
    return showing(table, contexts.turns, choices, contexts.of_row)


def random_k(table: pa.Table, k: int, seed: int) -> pa.Table:
    """Show `k` question-answer pairs of each context, drawn at random, in the order of the interview.

    Every pair of a person and topic has a rank, and a context shows its k lowest. The rank is a hash
    of the seed, the person, the topic and the pair's text: every choice of k pairs is equally likely
    over seeds, the draw does not depend on which other rows the table holds, and two contexts of one
    person that differ by a masked pair (human track, BSI) show the same pairs but for that one.
    A context of at most k pairs stays whole.

    Raises ValueError unless k ≥ 1 and seed ≥ 0 are whole numbers.
    """
    check_count(k)
    check_seed(seed)
    contexts = distinct(table)
    choices = [_drawn(contexts, context, k, seed) for context in range(len(contexts))]
    return showing(table, contexts.turns, choices, contexts.of_row)


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


def check_count(k: int) -> None:
    """Raise ValueError unless `k` is a whole number of turns, at least 1."""
    if type(k) is not int or k < 1:
        raise ValueError(
            f"k is {k!r}, but it must be a whole number of turns, at least 1; the ablation "
            "no_context shows none."
        )


def check_seed(seed: int) -> None:
    """Raise ValueError unless `seed` is a whole number, at least 0."""
    if type(seed) is not int or seed < 0:
        raise ValueError(f"The seed is {seed!r}, but it must be a whole number, at least 0.")


def _drawn(contexts: Contexts, context: int, k: int, seed: int) -> Places:
    places = contexts.places(context)
    owner = (contexts.participants[context], contexts.topics[context])
    turns = contexts.turns.slice(contexts.bounds[context], len(places)).to_pylist()
    seen: Counter[tuple[str, str]] = Counter()
    ranks = []
    for turn in turns:
        text = (turn["question"], turn["answer"])
        # The number of the repetition tells apart pairs that were asked and answered alike.
        ranks.append(_rank(seed, *owner, *text, seen[text]))
        seen[text] += 1
    lowest = sorted(range(len(ranks)), key=ranks.__getitem__)[:k]
    return places[np.sort(np.array(lowest, dtype=np.int64))]


def _rank(*identity: int | str) -> bytes:
    return hashlib.sha256(json.dumps(identity).encode("ascii")).digest()


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
