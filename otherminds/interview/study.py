"""How well an interview recovers a graph that is known: simulated participants, over many seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from otherminds.interview import graphs, loop, simulation
from otherminds.interview.config import Config
from otherminds.interview.extractors import Extractor
from otherminds.interview.labels import normal_form
from otherminds.interview.noise import noisy
from otherminds.interview.participant import Participant, known_graph
from otherminds.interview.reader import read_answer
from otherminds.interview.session import Session
from otherminds.metrics.graphs.schema import BeliefGraph

LABELS: Final = (
    *("street noise", "sleep", "shift workers' commute", "safety at night", "ticket prices"),
    *("city budget", "bar visits", "car trips", "driver wages", "late shopping", "crowding"),
    *("air quality", "parking fights", "shop rents", "loneliness", "police patrols"),
)
"""What the simulated participants' beliefs are about."""


@dataclass(frozen=True)
class Recovery:
    """What one interview found of a known graph.

    node_f1    of the labels, the stance apart
    edge_f1    of the signed edges
    questions  how many were asked
    found      number of the graph's edges that were found, with their signs, after each question
    edges      number of the graph's edges
    """

    node_f1: float
    edge_f1: float
    questions: int
    found: tuple[int, ...]
    edges: int

    def share_after(self, question: int) -> float:
        """The share of edges found after so many questions; afterwards it stays as at the end."""
        return self.found[min(question, len(self.found)) - 1] / self.edges

    @property
    def per_question(self) -> float:
        """Edges found per question asked."""
        return self.found[-1] / self.questions


def recovery(known: BeliefGraph, session: Session) -> Recovery:
    """What an interview of at least one question found of a graph; labels match in normal form."""
    truth = _edges(known)
    return Recovery(
        node_f1=_f1(_labels(known), _labels(graphs.graph_of(session))),
        edge_f1=_f1(truth, _edges(graphs.graph_of(session))),
        questions=session.answered,
        found=tuple(len(truth & _edges(graph)) for _, graph in graphs.graphs_after_each(session)),
        edges=len(truth),
    )


def interview(
    config: Config,
    seed: int,
    *,
    nodes: int = 8,
    edges: int = 12,
    interviewer: Literal["adaptive", "fixed"] = "adaptive",
    missed: float = 0.0,
    false: float = 0.0,
) -> Recovery:
    """One interview of a participant with a random graph; `missed` and `false` as in `noise`."""
    topic = config.topic
    known = known_graph(
        seed, nodes=nodes, edges=edges, labels=LABELS, stance_label=topic.stance_label
    )
    extractor: Extractor = read_answer
    if missed or false:
        extractor = noisy(read_answer, missed=missed, false=false, seed=seed)
    session = loop.begin(
        config,
        session_id=f"s{seed}",
        participant_id=f"p{seed}",
        seed=seed,
        interviewer=interviewer,
    )
    participant = Participant(known, topic.policy, seed=seed)
    return recovery(known, simulation.run(session, participant, extractor))


@dataclass(frozen=True)
class Ratio:
    """A ratio of means over the same seeds, with a percentile bootstrap interval (95 %)."""

    value: float
    low: float
    high: float


def ratio(first: Sequence[float], second: Sequence[float], *, draws: int = 2000) -> Ratio:
    """mean(first)/mean(second), seeds drawn in pairs."""
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, len(one), size=(draws, len(one)))
    ratios = one[chosen].mean(axis=1) / other[chosen].mean(axis=1)
    low, high = np.percentile(ratios, [2.5, 97.5])
    return Ratio(float(one.mean() / other.mean()), float(low), float(high))


def _labels(graph: BeliefGraph) -> frozenset[str]:
    return frozenset(normal_form(graph.nodes[key].label) for key in graph.factors)


def _edges(graph: BeliefGraph) -> frozenset[tuple[str, str, int]]:
    def name(key: str) -> str:
        return "" if key == graph.stance_node else normal_form(graph.nodes[key].label)

    return frozenset(
        (name(edge.source), name(edge.target), edge.polarity) for edge in graph.effects
    )


def _f1(truth: Iterable[object], found: Iterable[object]) -> float:
    right, given = set(truth), set(found)
    total = len(right) + len(given)
    return 2 * len(right & given) / total if total else 1.0
