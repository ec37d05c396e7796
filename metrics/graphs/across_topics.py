"""H2 of the paper: do people whose graphs are alike across topics answer alike across topics (§2.2)?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from otherminds.metrics.divergence import pearson_rows, spearman_rows
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.graphs.motifs import motif_counts, motif_similarity
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    bounded,
    estimate_if_defined,
)
from otherminds.types import FloatArray

LEAST_PEOPLE = 3


@dataclass(frozen=True)
class Correlation:
    """Over people, between the similarity of their graphs and their cross-domain score.

    pearson, spearman  −1 to 1, with bootstrap intervals over people; NaN where one side is constant
    people             who have both numbers, sorted
    """

    pearson: Estimate
    spearman: Estimate
    people: tuple[str, ...]


def similarity_across_topics(graphs: Sequence[BeliefGraph]) -> dict[str, float]:
    """By person, the mean `motif_similarity` of their graphs on every two topics.

    Topics have concepts of their own, so that only shapes can be compared: how often triads and stance
    chains of each kind of sign occur. People with a graph on one topic alone are left out.
    Raises MetricError for a graph without a person or topic, MisalignedInput for two on one topic.
    """
    counts: dict[str, dict[str, FloatArray]] = {}
    for graph in graphs:
        if graph.agent_id is None or graph.topic is None:
            raise MetricError("A graph has no agent_id or no topic: say whose it is, and on what.")
        if graph.topic in counts.setdefault(graph.agent_id, {}):
            raise MisalignedInput(f"{graph.agent_id} has two graphs on {graph.topic}: give one.")
        counts[graph.agent_id][graph.topic] = motif_counts(graph)
    return {
        person: float(
            np.mean([motif_similarity(one, other) for one, other in combinations(own.values(), 2)])
        )
        for person, own in counts.items()
        if len(own) > 1
    }


def correlation(
    similarity: Mapping[str, float],
    score: Mapping[str, float],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Correlation:
    """Correlation over people of two numbers by person, such as H2's.

    People with one of the numbers alone, or with NaN, are left out. Raises EmptyInput for fewer than
    three others.
    """
    people = tuple(
        sorted(
            person
            for person in similarity.keys() & score.keys()
            if np.isfinite(similarity[person]) and np.isfinite(score[person])
        )
    )
    if len(people) < LEAST_PEOPLE:
        raise EmptyInput(f"{len(people)} people have both numbers: a correlation needs three.")
    x = np.array([similarity[person] for person in people])
    y = np.array([score[person] for person in people])
    rows = np.random.default_rng(seed).integers(0, len(people), (draws, len(people)))
    found = [
        bounded(
            estimate_if_defined(
                float(of(x[None], y[None])[0]),
                of(x[rows], y[rows]),
                n=len(people),
                n_clusters=len(people),
            ),
            -1.0,
            1.0,
        )
        for of in (pearson_rows, spearman_rows)
    ]
    return Correlation(found[0], found[1], people)
