"""A model's item scores, reduced to the needs of tables and comparisons, so that memory stays small."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from otherminds.leaderboard.board.entries import ItemScores
from otherminds.metrics.uncertainty import Clusters, Estimate, clustered_mean, partition
from otherminds.types import FloatArray


@dataclass(frozen=True)
class Reduced:
    """Of N items of G people.

    layout  a hash of which item belongs to whom: models are comparable when theirs are the same
    sums    shape (G,): the sum of each person's item scores, people in sorted order
    counts  shape (G,): each person's items
    mean    over all items, with person-clustered uncertainty
    parts   the same by part, in sorted order
    """

    layout: str
    sums: FloatArray
    counts: FloatArray
    mean: Estimate
    parts: Mapping[str, Estimate]


def reduce(scores: ItemScores) -> Reduced:
    """The sums and means of a model's item scores."""
    layout = _layout(scores.items, scores.people, scores.parts)
    return Reduced(
        layout=layout.digest,
        sums=layout.clusters.totals(scores.scores),
        counts=layout.clusters.totals(np.ones(len(scores.items))),
        mean=clustered_mean(scores.scores, layout.clusters),
        parts={
            part: clustered_mean(scores.scores[where], clusters)
            for part, (where, clusters) in layout.parts.items()
        },
    )


@dataclass(frozen=True)
class _Layout:
    digest: str
    clusters: Clusters
    parts: Mapping[str, tuple[NDArray[np.intp], Clusters]]


# Submissions to one task list the same items, usually in the same order.
@lru_cache(maxsize=8)
def _layout(items: tuple[str, ...], people: tuple[str, ...], parts: tuple[str, ...]) -> _Layout:
    digest = hashlib.sha256()
    for row in sorted(zip(items, people, parts, strict=True)):
        for text in row:
            digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    where: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        where.setdefault(part, []).append(place)
    return _Layout(
        digest=digest.hexdigest(),
        clusters=partition(people),
        parts={
            part: (np.array(where[part]), partition([people[place] for place in where[part]]))
            for part in sorted(where)
        },
    )
