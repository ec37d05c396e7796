"""A model's item scores, reduced to the needs of tables and comparisons, so that memory stays small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from otherminds.leaderboard.board.entries import ItemScores, Reduced
from otherminds.leaderboard.judging.sums import Cells, layout
from otherminds.metrics.uncertainty import (
    Clusters,
    Estimate,
    clustered_mean,
    mean_of_totals,
    partition,
)
from otherminds.types import IntArray


def of_right_answers(cells: Cells, right: IntArray, repeats: int) -> Reduced:
    """The sums and means of a model's answers, from how many are right by person and part.

    right    shape (C,): the right answers in each cell, over all repeats
    repeats  answers to each item; an item's score is the share of them that is right

    Of counts, so that the same answers give the same numbers wherever they were counted.
    """

    def mean(chosen: NDArray[np.intp], clusters: NDArray[np.intp], g: int) -> Estimate:
        return mean_of_totals(
            np.bincount(clusters, right[chosen], minlength=g) / repeats,
            np.bincount(clusters, cells.counts[chosen], minlength=g),
        )

    everything, g = np.arange(len(right)), len(cells.people)
    parts = {}
    for number, name in enumerate(cells.parts):
        own = np.flatnonzero(cells.part == number)
        parts[name] = mean(own, np.arange(len(own)), len(own))
    return Reduced(
        layout=cells.digest,
        sums=np.bincount(cells.person, right, minlength=g) / repeats,
        counts=np.bincount(cells.person, cells.counts, minlength=g).astype(np.float64),
        mean=mean(everything, cells.person, g),
        parts=parts,
    )


def reduce(scores: ItemScores) -> Reduced:
    """The sums and means of a model's item scores."""
    own = _layout(scores.items, scores.people, scores.parts)
    return Reduced(
        layout=own.digest,
        sums=own.clusters.totals(scores.scores),
        counts=own.clusters.totals(np.ones(len(scores.items))),
        mean=clustered_mean(scores.scores, own.clusters),
        parts={
            part: clustered_mean(scores.scores[where], clusters)
            for part, (where, clusters) in own.parts.items()
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
    where: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        where.setdefault(part, []).append(place)
    return _Layout(
        digest=layout(items, people, parts),
        clusters=partition(people),
        parts={
            part: (np.array(where[part]), partition([people[place] for place in where[part]]))
            for part in sorted(where)
        },
    )
