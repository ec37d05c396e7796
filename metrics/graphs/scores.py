"""All numbers that say how well one graph gives another back, and their means over people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.graphs.agreement import edge_scores, node_scores
from otherminds.metrics.graphs.distance import normalized_edit_distance
from otherminds.metrics.graphs.matching import (
    THRESHOLD,
    THRESHOLDS,
    Matching,
    Similarity,
    match,
)
from otherminds.metrics.graphs.motifs import motif_agreement, motif_counts, motif_similarity
from otherminds.metrics.graphs.reach import reachability
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    bounded,
    divided,
    estimates_from_sums,
    mean_of_defined,
    nothing,
    partition,
)
from otherminds.types import FloatArray, IntArray

HEADLINE = "edge_f1"
"""F1 of signed, directed edges."""

HIGHER_IS_BETTER: Final[Mapping[str, bool]] = {
    "edge_f1": True,
    "edge_precision": True,
    "edge_recall": True,
    "edge_f1_directed": True,
    "edge_f1_undirected": True,
    "edge_soft_f1": True,
    "edge_soft_f1_directed": True,
    "edge_soft_f1_undirected": True,
    "sign_acc": True,
    "modifier_mae": False,
    "node_f1": True,
    "node_precision": True,
    "node_recall": True,
    "node_soft_f1": True,
    "node_brier": False,
    "reachability": True,
    "reachability_f1": True,
    "motif_f1": True,
    "motif_similarity": True,
    "edit_distance": False,
}
"""The metrics of one pair of graphs, in the order of tables, and whether higher is better."""

METRICS: Final = tuple(HIGHER_IS_BETTER)

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    name: (0.0, 2.0 if name == "modifier_mae" else 1.0) for name in METRICS
}
"""The lowest and the highest value that each metric can have."""


def scores(matching: Matching) -> dict[str, float]:
    """METRICS of one person's graph on one topic; NaN where a metric has nothing to measure."""
    nodes, edges = node_scores(matching), edge_scores(matching)
    reached = reachability(matching)
    return {
        "edge_f1": edges.signed.f1,
        "edge_precision": edges.signed.precision,
        "edge_recall": edges.signed.recall,
        "edge_f1_directed": edges.directed.f1,
        "edge_f1_undirected": edges.undirected.f1,
        "edge_soft_f1": edges.soft_signed.f1,
        "edge_soft_f1_directed": edges.soft_directed.f1,
        "edge_soft_f1_undirected": edges.soft_undirected.f1,
        "sign_acc": edges.sign_accuracy,
        "modifier_mae": edges.modifier_mae,
        "node_f1": nodes.plain.f1,
        "node_precision": nodes.plain.precision,
        "node_recall": nodes.plain.recall,
        "node_soft_f1": nodes.soft.f1,
        "node_brier": nodes.brier,
        "reachability": reached.recall,
        "reachability_f1": reached.f1,
        "motif_f1": motif_agreement(matching).f1,
        "motif_similarity": motif_similarity(
            motif_counts(matching.gold), motif_counts(matching.predicted)
        ),
        "edit_distance": normalized_edit_distance(matching),
    }


@dataclass(frozen=True)
class Scored:
    """The METRICS of one person's graph on one topic."""

    person: str
    topic: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Pair:
    """A person's gold graph on a topic, and the graph that is to give it back."""

    person: str
    topic: str
    gold: BeliefGraph
    predicted: BeliefGraph


def score_pairs(
    pairs: Iterable[Pair],
    similarity: Similarity | None = None,
    *,
    threshold: float = THRESHOLD,
) -> list[Scored]:
    """`scores` of each pair, matched at the `threshold`."""
    return [
        Scored(
            pair.person,
            pair.topic,
            scores(match(pair.gold, pair.predicted, similarity, threshold=threshold)),
        )
        for pair in pairs
    ]


@dataclass(frozen=True)
class Summary:
    """Means with their intervals.

    overall  by metric: mean over the topics of the means over people
    topics   by topic and metric: mean over people
    """

    overall: Mapping[str, Estimate]
    topics: Mapping[str, Mapping[str, Estimate]]


def summarize(
    scored: Sequence[Scored],
    metrics: Sequence[str] = METRICS,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Summary:
    """The mean of each metric by topic and over the topics, with intervals over people.

    x̄ = mean_t x̄_t,  x̄_t = mean over the people on topic t of what is defined

    Stderr and interval are those of the cluster bootstrap with people as clusters; intervals are cut to
    the range of the metric. NaN are left out, and n counts what is left. A metric that is NaN
    throughout is NaN with n = 0.
    Raises EmptyInput without graphs, MisalignedInput for a person twice on one topic, MetricError for a
    metric that a graph has no value of.
    """
    people, topics, _ = _placed(scored)
    names = sorted({one.topic for one in scored})
    overall: dict[str, Estimate] = {}
    parts: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    for metric in metrics:
        values = _values(scored, metric)
        sums = _sums(values, people, topics, len(names))
        overall[metric] = _mean(sums, metric, draws, seed)
        for place, name in enumerate(names):
            parts[name][metric] = _mean(sums[:, [place], :], metric, draws, seed)
    return Summary(overall, parts)


def sufficient(scored: Sequence[Scored], metrics: Sequence[str] = METRICS) -> Sufficient:
    """The sums of each person from which the means of `summarize` follow, to compare two models.

    `rests_on` has how many of a person's graphs have a value of each metric. Models are comparable when
    they drew the graphs of the same people on the same topics.
    Raises as `summarize`.
    """
    people, topics, n_topics = _placed(scored)
    sums = np.stack(
        [_sums(_values(scored, metric), people, topics, n_topics) for metric in metrics], axis=1
    )
    shape = (len(metrics), n_topics, 2)

    def means(totals: FloatArray) -> FloatArray:
        split = totals.reshape(len(totals), *shape)
        return np.asarray(mean_of_defined(divided(split[..., 0], split[..., 1])))

    return Sufficient(
        clusters=tuple(people.labels),
        sums=sums.reshape(people.count, -1),
        metrics=tuple(metrics),
        statistic=means,
        rests_on=sums[..., 1].sum(axis=2),
    )


def sensitivity(
    pairs: Sequence[Pair],
    similarity: Similarity | None = None,
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    metrics: Sequence[str] = METRICS,
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[float, Summary]:
    """`summarize` at each threshold of the matching."""
    return {
        threshold: summarize(
            score_pairs(pairs, similarity, threshold=threshold), metrics, draws=draws, seed=seed
        )
        for threshold in thresholds
    }


def _placed(scored: Sequence[Scored]) -> tuple[Clusters, IntArray, int]:
    """The people, the place of each graph's topic by name, and how many topics there are."""
    if not scored:
        raise EmptyInput("No graphs were scored: give at least one.")
    if len({(one.person, one.topic) for one in scored}) < len(scored):
        raise MisalignedInput("A person has two graphs on one topic: give one of each.")
    names = sorted({one.topic for one in scored})
    topics = np.array([names.index(one.topic) for one in scored], dtype=np.intp)
    return partition([one.person for one in scored]), topics, len(names)


def _values(scored: Sequence[Scored], metric: str) -> FloatArray:
    try:
        return np.array([one.values[metric] for one in scored], dtype=np.float64)
    except KeyError:
        raise MetricError(f"A graph has no value of '{metric}': score all graphs alike.") from None


def _sums(values: FloatArray, people: Clusters, topics: IntArray, count: int) -> FloatArray:
    """Sum and number of the defined values of each person on each topic, shape (G, topics, 2)."""
    defined = ~np.isnan(values)
    sums = np.zeros((people.count, count, 2))
    np.add.at(sums, (people.codes, topics), np.stack([np.where(defined, values, 0), defined], 1))
    return sums


def _mean(sums: FloatArray, metric: str, draws: int, seed: int) -> Estimate:
    """Mean over topics of the means, from sums of shape (G, topics, 2)."""
    counts = sums[:, :, 1].sum(axis=1)
    with_any = sums[counts > 0]
    if not len(with_any):
        return nothing()
    topics = with_any.shape[1]

    def mean(totals: FloatArray) -> FloatArray:
        split = totals.reshape(len(totals), topics, 2)
        return np.asarray(mean_of_defined(divided(split[..., 0], split[..., 1])))[:, None]

    (found,) = estimates_from_sums(
        with_any.reshape(len(with_any), -1), mean, n=float(counts.sum()), draws=draws, seed=seed
    )
    return bounded(found, *RANGES.get(metric, (-math.inf, math.inf)))
