"""The statistics Θ of belief networks, estimated from graphs of people by the method of moments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.dataset_builders.hugagent.schema import (
    Beta,
    LogNormal,
    Poisson,
    Statistics,
    TruncatedNormal,
)
from otherminds.types import FloatArray

LEAST_GRAPHS = 2
FEWEST_NODES, MOST_NODES = 9, 19
"""A network needs a chain and a fork of four factors each, and has no more than a topic's factors."""


class StructureError(ValueError):
    """Graphs that no statistics can be estimated from."""


@dataclass(frozen=True)
class Counted:
    """What is counted of one person's graph; values that nobody gave are left out."""

    nodes: int
    edges: int
    importance: tuple[float, ...]
    mentions: tuple[int, ...]
    confidence: tuple[float, ...]
    strength: tuple[float, ...]
    without_effect: int


def estimate(graphs: Sequence[Counted], start: Statistics) -> Statistics:
    """Θ of these graphs; what no graph says anything of is taken from `start`.

    Raises StructureError for fewer than two graphs, and for graphs without edges.
    """
    if len(graphs) < LEAST_GRAPHS:
        raise StructureError(f"{len(graphs)} graphs are too few: a spread takes {LEAST_GRAPHS}.")
    if empty := sum(one.edges == 0 for one in graphs):
        raise StructureError(f"{empty} of {len(graphs)} graphs have no edges.")
    nodes = np.array([one.nodes for one in graphs], dtype=np.float64)
    logs = np.log([one.edges for one in graphs])
    edges = sum(one.edges for one in graphs)
    return Statistics(
        nodes=TruncatedNormal(
            mean=_within(float(nodes.mean()), FEWEST_NODES, MOST_NODES),
            sd=max(float(nodes.std(ddof=1)), 0.5),
            low=FEWEST_NODES,
            high=max(FEWEST_NODES, min(MOST_NODES, math.ceil(float(nodes.max())))),
        ),
        edges=LogNormal(
            log_mean=round(float(logs.mean()), 4),
            log_sd=max(round(float(logs.std(ddof=1)), 4), 0.05),
        ),
        importance=beta_of((v for one in graphs for v in one.importance), start.importance),
        evidence=_rate_of([v for one in graphs for v in one.mentions], start.evidence),
        confidence=beta_of((v for one in graphs for v in one.confidence), start.confidence),
        weight=beta_of((v for one in graphs for v in one.strength), start.weight),
        zero_sign=min(round(sum(one.without_effect for one in graphs) / edges, 4), 0.2),
    )


def beta_of(values: Iterable[float], start: Beta) -> Beta:
    """The Beta distribution with the mean m and variance v of the values: a = m (m(1 − m)/v − 1).

    `start` where there are fewer than two different values, or they spread more than any Beta could.
    """
    found: FloatArray = np.array(list(values), dtype=np.float64)
    if len(found) < LEAST_GRAPHS:
        return start
    mean, variance = float(found.mean()), float(found.var(ddof=1))
    if variance <= 0.0 or not 0.0 < mean < 1.0 or variance >= mean * (1.0 - mean):
        return start
    size = mean * (1.0 - mean) / variance - 1.0
    return Beta(a=round(mean * size, 4), b=round((1.0 - mean) * size, 4))


def _rate_of(mentions: Sequence[int], start: Poisson) -> Poisson:
    return Poisson(rate=round(float(np.mean(mentions)), 4)) if any(mentions) else start


def _within(value: float, low: int, high: int) -> float:
    return round(min(max(value, low), high), 4)
