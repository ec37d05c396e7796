"""How well the nodes and the edges of a matched graph are those of the gold graph.

Ours: the paper promises node and edge metrics without formulas. An edge with modifier 0 says that there
is no effect, and counts as no edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.schema import Edge


@dataclass(frozen=True)
class Agreement:
    """Precision and recall, and their harmonic mean.

    precision  share of what was predicted that is right; NaN where nothing was
    recall     share of what is true that was found; NaN where there is nothing
    f1         2·P·R / (P + R); 0 where only one of the two sides is empty, NaN where both are
    """

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class NodeScores:
    """Agreement of factors; the stance is given to everybody, and not counted.

    plain  TP = matched factors
    soft   TP = Σ of the similarities of matched factors
    brier  mean of (confidence − 1[matched])² over the predicted factors with a confidence; NaN without
    """

    plain: Agreement
    soft: Agreement
    brier: float


@dataclass(frozen=True)
class EdgeScores:
    """Agreement of edges on matched nodes; an edge at an unmatched node is wrong.

    undirected     a predicted edge is right where the gold graph joins the same nodes, either way
    directed       … the same way
    signed         … the same way and with the same sign: the headline
    soft_…         the same, each edge counted with its aggregate_confidence
    n_directed     edges that are directed right
    sign_accuracy  share of these with the right sign; NaN without any
    modifier_mae   mean |modifier − gold modifier| over those of these whose strength is known in both
                   graphs, in the modifier's unit (0 to 2); NaN without any
    """

    undirected: Agreement
    directed: Agreement
    signed: Agreement
    soft_undirected: Agreement
    soft_directed: Agreement
    soft_signed: Agreement
    n_directed: int
    sign_accuracy: float
    modifier_mae: float


def agreement(hit_predicted: float, predicted: float, hit_gold: float, gold: float) -> Agreement:
    """Agreement from weights: of what is right, and of all, on the predicted and on the gold side."""
    precision = hit_predicted / predicted if predicted > 0 else math.nan
    recall = hit_gold / gold if gold > 0 else math.nan
    if math.isnan(precision) and math.isnan(recall):
        return Agreement(math.nan, math.nan, math.nan)
    if not hit_predicted or not hit_gold:
        return Agreement(precision, recall, 0.0)
    return Agreement(precision, recall, 2 * precision * recall / (precision + recall))


def node_scores(matching: Matching) -> NodeScores:
    """Precision, recall and F1 of the factors, soft ones, and the calibration of their confidence."""
    gold, predicted = len(matching.gold.factors), len(matching.predicted.factors)
    matched, similar = len(matching.pairs), math.fsum(pair.similarity for pair in matching.pairs)
    return NodeScores(
        plain=agreement(matched, predicted, matched, gold),
        soft=agreement(similar, predicted, similar, gold),
        brier=_brier(matching),
    )


def edge_scores(matching: Matching) -> EdgeScores:
    """Agreement of edges: undirected, directed and signed, plain and soft."""
    both = [
        (edge, matching.predicted_edges[ends])
        for ends, edge in matching.gold_edges.items()
        if ends in matching.predicted_edges
    ]
    errors = [
        abs(edge.modifier - other.modifier)
        for edge, other in both
        if edge.strength is not None and other.strength is not None
    ]
    signs = sum(edge.polarity == other.polarity for edge, other in both)
    found = {
        f"{kind}{name}": _edges(matching, hit, weight)
        for kind, weight in (("", _one), ("soft_", _confidence))
        for name, hit in (("undirected", _joined), ("directed", _directed), ("signed", _signed))
    }
    return EdgeScores(
        **found,
        n_directed=len(both),
        sign_accuracy=signs / len(both) if both else math.nan,
        modifier_mae=math.fsum(errors) / len(errors) if errors else math.nan,
    )


def _brier(matching: Matching) -> float:
    matched = {pair.predicted for pair in matching.pairs}
    errors = [
        (confidence - (key in matched)) ** 2
        for key in matching.predicted.factors
        if (confidence := matching.predicted.nodes[key].confidence) is not None
    ]
    return math.fsum(errors) / len(errors) if errors else math.nan


_Ends: TypeAlias = tuple[str, str]
_Edges: TypeAlias = Mapping[_Ends, Edge]


def _joined(ends: _Ends, _: Edge, others: _Edges) -> bool:
    return ends in others or ends[::-1] in others


def _directed(ends: _Ends, _: Edge, others: _Edges) -> bool:
    return ends in others


def _signed(ends: _Ends, edge: Edge, others: _Edges) -> bool:
    return ends in others and others[ends].polarity == edge.polarity


def _one(_: Edge) -> float:
    return 1.0


def _confidence(edge: Edge) -> float:
    return edge.aggregate_confidence


def _edges(
    matching: Matching,
    hit: Callable[[_Ends, Edge, _Edges], bool],
    weight: Callable[[Edge], float],
) -> Agreement:
    gold, predicted = matching.gold_edges, matching.predicted_edges
    return agreement(
        math.fsum(weight(edge) for ends, edge in predicted.items() if hit(ends, edge, gold)),
        math.fsum(weight(edge) for edge in matching.predicted.effects),
        math.fsum(weight(edge) for ends, edge in gold.items() if hit(ends, edge, predicted)),
        math.fsum(weight(edge) for edge in gold.values()),
    )
