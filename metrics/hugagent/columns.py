"""Items as columns: all that is the same under every protocol, made once of thousands of items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan

import numpy as np

from otherminds.metrics.hugagent.items import (
    BDU,
    BSI,
    EITHER,
    ERROR_FACTOR,
    TOLERANCE,
    Item,
    check_answers,
    check_golds,
    opinions,
)
from otherminds.metrics.uncertainty import Clusters, partition
from otherminds.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Golds:
    """The BDU items among `items`, as arrays of length n on each item's own scale."""

    index: IntArray
    gold: FloatArray
    tolerance: FloatArray
    factor: FloatArray


@dataclass(frozen=True)
class Columns:
    """N items with K answers each.

    items     sorted by id
    opinions  the places of those that are compared with a baseline, or are one
    people    their partition by person
    topics    their partition by topic
    is_bsi    shape (N,)
    parsed    shape (N, K): an answer was read
    bdu       the golds of the n BDU items
    answers   shape (n, K): the answers to these; NaN where none was read
    same      shape (N - n, K): whether an answer to a BSI item is the gold letter
    either    shape (N - n,): whether its gold is "A/B"
    a_or_b    shape (N - n, K): whether the answer is "A" or "B"
    """

    items: Sequence[Item]
    opinions: IntArray
    people: Clusters
    topics: Clusters
    is_bsi: BoolArray
    parsed: BoolArray
    bdu: Golds
    answers: FloatArray
    same: BoolArray
    either: BoolArray
    a_or_b: BoolArray

    @property
    def runs(self) -> int:
        """K, the number of answers to each item."""
        return int(self.parsed.shape[1])


def in_order(items: Iterable[Item]) -> list[Item]:
    """Items sorted by id, so that no sum depends on the order in which they came."""
    return sorted(items, key=lambda item: item.item_id)


def bdu_golds(items: Sequence[Item]) -> Golds:
    """Golds, tolerances and error factors of the BDU items."""
    index = [i for i, item in enumerate(items) if item.task == BDU]
    scales = [(items[i].low, items[i].high) for i in index]
    return Golds(
        index=np.array(index, dtype=np.intp),
        gold=np.array([int(items[i].gold) for i in index], dtype=np.float64),
        tolerance=np.array([TOLERANCE[scale] for scale in scales], dtype=np.float64),
        factor=np.array([ERROR_FACTOR[scale] for scale in scales], dtype=np.float64),
    )


def in_columns(items: Sequence[Item]) -> Columns:
    """Raises EmptyInput, MisalignedInput and MetricError as `check_golds` and `check_answers` do."""
    check_golds(items)
    runs = check_answers(items)
    items = in_order(items)
    bdu = bdu_golds(items)
    bsi = [item for item in items if item.task == BSI]
    given = (items[i].answers for i in bdu.index)
    numbers = (nan if answer is None else answer for answer in chain.from_iterable(given))
    return Columns(
        items=items,
        opinions=opinions(items),
        people=partition([item.participant_id for item in items]),
        topics=partition([item.topic for item in items]),
        is_bsi=np.fromiter((item.task == BSI for item in items), np.bool_, len(items)),
        parsed=_by_run((answer is not None for item in items for answer in item.answers), runs),
        bdu=bdu,
        answers=np.fromiter(numbers, np.float64).reshape(-1, runs),
        same=_by_run((answer == item.gold for item in bsi for answer in item.answers), runs),
        either=np.fromiter((item.gold == EITHER for item in bsi), np.bool_, len(bsi)),
        a_or_b=_by_run((answer in ("A", "B") for item in bsi for answer in item.answers), runs),
    )


def _by_run(found: Iterable[bool], runs: int) -> BoolArray:
    return np.fromiter(found, np.bool_).reshape(-1, runs)
