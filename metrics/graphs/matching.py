"""Which node of one graph is which of another: the one-to-one assignment of the highest similarity.

Ours: the paper promises node metrics without saying how nodes are matched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.schema import BeliefGraph, Edge
from otherminds.types import FloatArray

Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], FloatArray]
"""Labels of m nodes and of n others to their similarities, shape (m, n), -1 to 1."""

THRESHOLD = 0.7
"""τ: labels with a lower cosine name different concepts."""

THRESHOLDS = (0.6, 0.7, 0.8)
"""The thresholds at which results are reported, to show how much hangs on them."""

_DIGITS = 6
"""Cosines are rounded: their last bits depend on what else was embedded in the same batch."""

_ROUNDS = 3


@dataclass(frozen=True)
class Match:
    """A node of the gold graph and the node of the other that is taken for it; ids, similarity."""

    gold: str
    predicted: str
    similarity: float


@dataclass(frozen=True)
class Matching:
    """Two graphs, and which of their nodes are the same.

    pairs  of factors; the stances are the same by definition, and are not among them
    """

    gold: BeliefGraph
    predicted: BeliefGraph
    pairs: tuple[Match, ...]

    @cached_property
    def to_gold(self) -> Mapping[str, str]:
        """The gold node of each matched predicted node, the stance included."""
        found = {pair.predicted: pair.gold for pair in self.pairs}
        found[self.predicted.stance_node] = self.gold.stance_node
        return found

    @cached_property
    def gold_edges(self) -> Mapping[tuple[str, str], Edge]:
        """The gold edges with a sign, by source and target."""
        return {(edge.source, edge.target): edge for edge in self.gold.effects}

    @cached_property
    def predicted_edges(self) -> Mapping[tuple[str, str], Edge]:
        """The predicted edges with a sign whose ends are matched, by their gold source and target."""
        to_gold = self.to_gold
        return {
            (to_gold[edge.source], to_gold[edge.target]): edge
            for edge in self.predicted.effects
            if edge.source in to_gold and edge.target in to_gold
        }


class Cosines:
    """Similarities of labels from their embeddings.

    labels   texts
    vectors  shape (labels, width); a vector of zeros is similar to nothing

    Raises MisalignedInput unless there is a vector for each label, MetricError for NaN or infinity.
    """

    def __init__(self, labels: Sequence[str], vectors: ArrayLike) -> None:
        rows = np.asarray(vectors, dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(labels):
            raise MisalignedInput(
                f"Vectors of shape {rows.shape} for {len(labels)} labels: give one row per label."
            )
        if not np.isfinite(rows).all():
            raise MetricError("An embedding has NaN or infinity: embed that label again.")
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        self._unit = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
        self._row = {label: row for row, label in enumerate(labels)}

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> FloatArray:
        """Cosines, shape (first, second). Raises MetricError for a label that has no vector."""
        return np.asarray(self._rows(first) @ self._rows(second).T, dtype=np.float64)

    def _rows(self, labels: Sequence[str]) -> FloatArray:
        missing = next((label for label in labels if label not in self._row), None)
        if missing is not None:
            raise MetricError(f"The label {missing!r} has no embedding: embed all labels first.")
        return np.asarray(self._unit[[self._row[label] for label in labels]], dtype=np.float64)


def match(
    gold: BeliefGraph,
    predicted: BeliefGraph,
    similarity: Similarity | FloatArray | None = None,
    *,
    threshold: float = THRESHOLD,
) -> Matching:
    """Match the factors of two graphs one to one, so that the sum of similarities is largest.

    s(u, v) = 1 where the normal forms are the same, else cos(u, v) where that is ≥ τ, else 0

    similarity  a function of labels, or a matrix of shape (factors of gold, factors of predicted) in
                the order of `factors`; without one, only the same normal forms match
    threshold   τ, above 0 and at most 1

    Nodes with s = 0 are not matched. What is matched depends neither on ids nor on the order of nodes,
    and is the same with the graphs exchanged; of equally good assignments, the order of labels decides,
    and between equal labels of one graph what their edges are. Raises MetricError for a threshold or a
    similarity out of range, MisalignedInput for a matrix of another shape.
    """
    found = pair_scores(gold, predicted, similarity, threshold=threshold)
    first, second = _canonical(gold), _canonical(predicted)
    scores = found[np.ix_([one.place for one in first], [one.place for one in second])]
    if _key(first) <= _key(second):
        rows, columns = linear_sum_assignment(scores, maximize=True)
    else:
        # The same assignment whichever graph comes first.
        columns, rows = linear_sum_assignment(scores.T, maximize=True)
    pairs = [
        Match(first[row].key, second[column].key, float(scores[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if scores[row, column] > 0
    ]
    order = {key: place for place, key in enumerate(gold.factors)}
    return Matching(gold, predicted, tuple(sorted(pairs, key=lambda pair: order[pair.gold])))


def pair_scores(
    gold: BeliefGraph,
    predicted: BeliefGraph,
    similarity: Similarity | FloatArray | None = None,
    *,
    threshold: float = THRESHOLD,
) -> FloatArray:
    """s of every two factors, shape (factors of gold, of predicted); arguments as of `match`."""
    if not 0 < threshold <= 1:
        raise MetricError(f"Threshold {threshold}: give a number above 0 and up to 1, such as 0.7.")
    rows, columns = (
        [graph.nodes[key].label for key in graph.factors] for graph in (gold, predicted)
    )
    if callable(similarity):
        similarity = similarity(rows, columns)
    cosines = _checked(similarity, (len(rows), len(columns)))
    scores = np.where(cosines >= threshold, cosines, 0.0)
    places: dict[str, list[int]] = {}
    for column, label in enumerate(columns):
        places.setdefault(normal_form(label), []).append(column)
    for row, label in enumerate(rows):
        scores[row, places.get(normal_form(label), [])] = 1.0
    return scores


@dataclass(frozen=True)
class _Factor:
    """A factor: its id, its place among the factors, and what it is sorted by."""

    key: str
    place: int
    normal: str
    label: str
    colour: int


def _checked(similarity: FloatArray | None, shape: tuple[int, int]) -> FloatArray:
    if similarity is None:
        return np.zeros(shape)
    found = np.asarray(similarity, dtype=np.float64)
    if found.shape != shape:
        raise MisalignedInput(f"Similarities of shape {found.shape}, of {shape} pairs of factors.")
    if not (np.abs(found) <= 1 + 1e-6).all():
        raise MetricError("A similarity is NaN or not between -1 and 1: give cosines.")
    return np.asarray(np.round(np.clip(found, -1.0, 1.0), _DIGITS), dtype=np.float64)


def _key(factors: Sequence[_Factor]) -> list[tuple[str, str]]:
    return [(one.normal, one.label) for one in factors]


def _canonical(graph: BeliefGraph) -> list[_Factor]:
    """The factors in an order that depends on labels and edges alone."""
    keys = graph.factors
    labels = [graph.nodes[key].label for key in keys]
    # Labels tell nodes apart almost always.
    colours = _colours(graph) if len(set(labels)) < len(labels) else dict.fromkeys(keys, 0)
    found = [
        _Factor(key, place, normal_form(label), label, colours[key])
        for place, (key, label) in enumerate(zip(keys, labels, strict=True))
    ]
    return sorted(found, key=lambda one: (one.normal, one.label, one.colour))


def _colours(graph: BeliefGraph) -> dict[str, int]:
    """Weisfeiler-Leman colours: nodes differ where what they are joined to does, three steps far."""
    colours = _ranks(
        {
            key: (key == graph.stance_node, node.label, _number(node.confidence))
            for key, node in graph.nodes.items()
        }
    )
    for _ in range(_ROUNDS):
        around: dict[str, list[tuple[int, float, float, int]]] = {key: [] for key in graph.nodes}
        for edge in graph.effects:
            weights = (edge.modifier, edge.aggregate_confidence)
            around[edge.source].append((1, *weights, colours[edge.target]))
            around[edge.target].append((0, *weights, colours[edge.source]))
        colours = _ranks({key: (colours[key], tuple(sorted(around[key]))) for key in graph.nodes})
    return colours


def _ranks(found: Mapping[str, tuple[Any, ...]]) -> dict[str, int]:
    place = {one: rank for rank, one in enumerate(sorted(set(found.values())))}
    return {key: place[one] for key, one in found.items()}


def _number(value: float | None) -> float:
    return -1.0 if value is None else value
