"""A random part of the interview."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.checks import check_count, check_seed
from otherminds.dataset_builders.hugagent.ablations.contexts import (
    Contexts,
    Places,
    distinct,
    showing,
)


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
