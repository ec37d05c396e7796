"""Two sets of graphs side by side: do simulated graphs look like those of people (§P.10, Fig. 19)?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.divergence import jensen_shannon_rows
from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.graphs.structure import STATISTICS, structure
from otherminds.metrics.permutation import permutation_p_value
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    bounded,
    cluster_bootstrap,
    divided,
    estimate_if_defined,
    estimates_from_sums,
    nothing,
    partition,
)
from otherminds.types import FloatArray, IntArray

BINS = 10
"""The histograms' bins: the tenths of both sets together."""

_AT_ONCE = 250

RIGHT_TAILED = ("nodes", "edges")
"""Statistics that the paper says have long right tails: a claim, which `skewness` puts to the test."""


@dataclass(frozen=True)
class Distribution:
    """One statistic over a set of graphs.

    values    of the graphs that have it, in their order
    mean, sd  with intervals over people; sd is that of the population, √(mean (x − x̄)²)
    skewness  g = mean (x − x̄)³ / sd³: above 0 for a long right tail
    """

    values: tuple[float, ...]
    mean: Estimate
    sd: Estimate
    skewness: Estimate


@dataclass(frozen=True)
class Distances:
    """How far the distributions of one statistic in two sets are apart.

    ks       Kolmogorov–Smirnov: max_x |F(x) − F'(x)|, 0 to 1
    js       Jensen–Shannon divergence in bits of the histograms, 0 to 1
    overlap  Σ_k min(p_k, p'_k) of the histograms, 1 for equal ones

    Bins are the tenths of both sets together, fewer where many values are equal. Even two samples of
    one distribution are apart, so no interval of `ks` or `js` reaches 0, and none is a test of equality:
    for that, people are dealt at random to two sets of the same sizes, again and again.

    null     the mean (ks, js, overlap) of such deals
    p_value  of `ks` among them
    """

    ks: Estimate
    js: Estimate
    overlap: Estimate
    null: tuple[float, float, float]
    p_value: float


@dataclass(frozen=True)
class Comparison:
    """One statistic in two sets of graphs; `distances` is None where a set does not have it."""

    statistic: str
    first: Distribution
    second: Distribution
    distances: Distances | None


@dataclass(frozen=True)
class GraphSet:
    """Graphs, and whose they are: one person's graphs on several topics are drawn together."""

    graphs: tuple[BeliefGraph, ...]
    people: tuple[str, ...]

    @classmethod
    def of(cls, graphs: Sequence[BeliefGraph]) -> GraphSet:
        """Graphs by their `agent_id`. Raises EmptyInput for none, MetricError where one has no id."""
        if not graphs:
            raise EmptyInput("A set without graphs has no structure: give at least one.")
        if any(graph.agent_id is None for graph in graphs):
            raise MetricError(
                "A graph has no agent_id: say whose it is, since people are resampled."
            )
        return cls(tuple(graphs), tuple(str(graph.agent_id) for graph in graphs))


def compare_sets(
    first: GraphSet, second: GraphSet, *, draws: int = DRAWS, seed: int = SEED
) -> tuple[Comparison, ...]:
    """Each of STATISTICS in both sets, and how far apart they are, with intervals over people.

    The people of the two sets are drawn independently of each other.
    """
    numbers = [[structure(graph) for graph in one.graphs] for one in (first, second)]
    found = []
    for statistic in STATISTICS:
        sides = [
            _Side.of([row[statistic] for row in rows], one.people)
            for rows, one in zip(numbers, (first, second), strict=True)
        ]
        found.append(
            Comparison(
                statistic,
                _distribution(sides[0], draws, seed),
                _distribution(sides[1], draws, seed),
                _distances(sides[0], sides[1], draws, seed) if all(map(len, sides)) else None,
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class _Side:
    """The defined values of a statistic in one set, and whose they are."""

    values: FloatArray
    people: tuple[str, ...]

    @classmethod
    def of(cls, values: Sequence[float], people: Sequence[str]) -> _Side:
        kept = [(one, who) for one, who in zip(values, people, strict=True) if not math.isnan(one)]
        return cls(np.array([one for one, _ in kept]), tuple(who for _, who in kept))

    def __len__(self) -> int:
        return len(self.values)


def _distribution(side: _Side, draws: int, seed: int) -> Distribution:
    if not len(side):
        return Distribution((), nothing(), nothing(), nothing())
    people = partition(side.people)
    # About the mean, so that powers lose no digits.
    center = float(side.values.mean())
    powers = [np.power(side.values - center, power) for power in range(4)]
    sums = np.stack([people.totals(one) for one in powers], axis=1)

    def moments(totals: FloatArray) -> FloatArray:
        mean, square, cube = (divided(totals[:, k], totals[:, 0]) for k in (1, 2, 3))
        variance = np.maximum(square - mean**2, 0.0)
        third = cube - 3 * mean * square + 2 * mean**3
        # A constant has no skewness, whatever rounding leaves of its variance.
        tiny = 1e-12 * (1 + center**2)
        skewness = divided(third, np.where(variance > tiny, variance, 0.0) ** 1.5)
        return np.stack([mean + center, np.sqrt(variance), skewness], axis=1)

    found = estimates_from_sums(sums, moments, n=len(side), draws=draws, seed=seed)
    return Distribution(tuple(side.values.tolist()), *found)


def _distances(first: _Side, second: _Side, draws: int, seed: int) -> Distances:
    values, places = np.unique(np.concatenate([first.values, second.values]), return_inverse=True)
    bins = _bins(np.concatenate([first.values, second.values]), values)
    split = len(first)
    counts = [
        _counts(side.people, place, len(values))
        for side, place in ((first, places[:split]), (second, places[split:]))
    ]
    # Each set has a generator of its own: the same one would draw people of equal sets together.
    drawn = [
        cluster_bootstrap(one, lambda totals: totals, draws=draws, seed=seed + number)
        for number, one in enumerate(counts)
    ]
    point = _apart(counts[0].sum(axis=0)[None], counts[1].sum(axis=0)[None], bins)[0]
    spread = _apart(drawn[0], drawn[1], bins)
    clusters = min(len(one) for one in counts)
    ks, js, overlap = (
        bounded(
            estimate_if_defined(
                float(point[k]), spread[:, k], n=len(first) + len(second), n_clusters=clusters
            ),
            0.0,
            1.0,
        )
        for k in range(3)
    )
    dealt = _dealt(np.concatenate(counts), len(counts[0]), bins, draws, seed)
    null = dealt.mean(axis=0)
    return Distances(
        ks,
        js,
        overlap,
        (float(null[0]), float(null[1]), float(null[2])),
        permutation_p_value(float(point[0]), dealt[:, 0]),
    )


def _counts(people: Sequence[str], places: IntArray, size: int) -> FloatArray:
    """How often each person has each distinct value, shape (G, distinct values)."""
    found = partition(people)
    counts = np.zeros((found.count, size))
    np.add.at(counts, (found.codes, places), 1)
    return counts


def _bins(pooled: FloatArray, values: FloatArray) -> IntArray:
    """Where each bin of the pooled tenths begins among the sorted distinct values."""
    edges = np.quantile(pooled, np.arange(1, BINS) / BINS, method="inverted_cdf")
    # A bin holds what is above the edge before it, up to its own.
    starts = np.searchsorted(values, edges, side="right")
    return np.unique(np.concatenate([[0], starts[starts < len(values)]])).astype(np.intp)


def _apart(first: FloatArray, second: FloatArray, bins: IntArray) -> FloatArray:
    """ks, js and overlap from counts of the distinct values, shape (b, values) to (b, 3)."""
    shares = [divided(one, one.sum(axis=1, keepdims=True)) for one in (first, second)]
    ks = np.abs(np.cumsum(shares[0] - shares[1], axis=1)).max(axis=1)
    binned = [np.add.reduceat(one, bins, axis=1) for one in shares]
    return np.stack(
        [
            np.clip(ks, 0.0, 1.0),
            jensen_shannon_rows(binned[0], binned[1]),
            np.clip(np.minimum(binned[0], binned[1]).sum(axis=1), 0.0, 1.0),
        ],
        axis=1,
    )


def _dealt(counts: FloatArray, size: int, bins: IntArray, draws: int, seed: int) -> FloatArray:
    """ks, js and overlap of two sets of people dealt at random, shape (draws, 3)."""
    rng = np.random.default_rng([seed, 2])
    total = counts.sum(axis=0)
    found = []
    for start in range(0, draws, _AT_ONCE):
        rows = min(_AT_ONCE, draws - start)
        places = np.argsort(rng.random((rows, len(counts))), axis=1)
        first = (places < size).astype(np.float64) @ counts
        found.append(_apart(first, total - first, bins))
    return np.concatenate(found)
