"""What a person believes about a topic: factors, signs, weights, stance, and what scenarios change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import networkx as nx
import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted
from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.dynamics import (
    link_log_odds,
    logistic,
    positive_log_odds,
    rounded,
)
from otherminds.dataset_builders.hugagent.graph import draw_structure
from otherminds.dataset_builders.hugagent.naming import name_nodes
from otherminds.dataset_builders.hugagent.people import Person
from otherminds.dataset_builders.hugagent.population import (
    BELIEFS,
    LEAST_STANCE_EDGES,
    SCENARIOS_ASKED,
    STANCE,
    STANCES,
)
from otherminds.dataset_builders.hugagent.schema import Scenario, Topic
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.types import FloatArray

_MOST_ZERO_SIGNS = 0.25
_MOVED_COUNTS = ((1, 2, 3), (0.4, 0.4, 0.2))
_MAGNITUDES = ((1, 2, 3), (0.3, 0.4, 0.3))
_OWN_REASON_WEIGHT = 6.0


@dataclass(frozen=True)
class Node:
    """A factor, or the stance, in a person's network."""

    name: str
    importance: float
    evidence: int


@dataclass(frozen=True)
class Edge:
    """The person's belief that more of `source` raises (+1), lowers (−1) or leaves (0) `target`."""

    source: str
    target: str
    sign: int
    confidence: float
    weight: float

    @property
    def key(self) -> tuple[str, str]:
        """Source and target."""
        return self.source, self.target

    @property
    def about_stance(self) -> bool:
        """Whether the edge acts on the stance."""
        return self.target == STANCE


@dataclass(frozen=True)
class Intervention:
    """One scenario as this person meets it, and the person's state after it."""

    scenario: Scenario
    magnitudes: Mapping[str, int]
    """Factor name to ±1 (slight), ±2 (clear), ±3 (sharp)."""

    stance_after: float
    weights_after: FloatArray


@dataclass(frozen=True)
class Beliefs:
    """A person's belief network on one topic, its initial state, and the interventions on it.

    `reasons` are the factors with a non-zero edge into the stance; `signs` and `weights` run over
    them (the largest weight is 1), and `links[u, v]` is the weight of the edge u → v among them.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    reasons: tuple[str, ...]
    signs: FloatArray
    weights: FloatArray
    links: FloatArray
    stance: float
    interventions: tuple[Intervention, ...]


def draw_beliefs(seed: int, agent: int, topic_number: int, person: Person, topic: Topic) -> Beliefs:
    """Draw a person's beliefs about a topic: structure first, then meaning, then scenarios."""
    structure = draw_structure(
        agent_stream(seed, agent, Purpose.STRUCTURE, topic_number), topic.statistics
    )
    rng = agent_stream(seed, agent, Purpose.BELIEFS, topic_number)
    nodes, edges = _give_meaning(rng, structure, person, topic)
    reasons = tuple(edge for edge in edges if edge.about_stance and edge.sign != 0)
    names = tuple(edge.source for edge in reasons)
    signs = np.array([edge.sign for edge in reasons], dtype=np.float64)
    weights = dynamics.normalized(np.array([edge.weight for edge in reasons], dtype=np.float64))
    links = _links(names, edges)
    stance = dynamics.initial_stance(
        signs,
        weights,
        topic.policy_loading.dot(person.values),
        _demographic_prior(person, topic) + STANCES.noise_sd * float(rng.standard_normal()),
        belief_gain=STANCES.belief_gain,
        value_gain=STANCES.value_gain,
    )
    rng = agent_stream(seed, agent, Purpose.SCENARIOS, topic_number)
    interventions = []
    for scenario in _draw_scenarios(rng, topic):
        magnitudes = _draw_magnitudes(rng, scenario, names)
        deltas = np.array([delta_of(magnitudes.get(name, 0)) for name in names])
        interventions.append(
            Intervention(
                scenario,
                magnitudes,
                dynamics.stance_after(stance, signs, weights, deltas),
                dynamics.weights_after(weights, links, deltas),
            )
        )
    return Beliefs(nodes, edges, names, signs, weights, links, stance, tuple(interventions))


def delta_of(magnitude: int) -> float:
    """Δf of a magnitude from −3 to 3."""
    return magnitude / 3.0


def _give_meaning(
    rng: np.random.Generator, structure: nx.DiGraph[int], person: Person, topic: Topic
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    graph = name_nodes(rng, structure, person, topic)
    nodes = tuple(
        Node(name, data["importance"], data["evidence"]) for name, data in graph.nodes(data=True)
    )
    silent = _draw_silent(rng, graph, topic)
    liking = {
        name: 2.0 * logistic(positive_log_odds(factor, person.values)) - 1.0
        for name, factor in topic.by_name.items()
    }
    edges = []
    # Edges into the stance come first, because the other edges depend on what they turn out to be.
    for source, target in sorted(graph.edges, key=lambda edge: (edge[1] != STANCE, edge)):
        log_odds = (
            positive_log_odds(topic.by_name[source], person.values)
            if target == STANCE
            else link_log_odds(topic, source, target, liking)
        )
        sign = 1 if chance(rng, logistic(log_odds)) else -1
        if (source, target) in silent:
            sign = 0
        data = graph.edges[source, target]
        weight = data["weight"]
        if target == STANCE:
            liking[source] = float(sign)
            weight *= graph.nodes[source]["importance"]
        weight = rounded(max(weight, BELIEFS.least_weight))
        edges.append(Edge(source, target, sign, data["confidence"], weight))
    return nodes, tuple(edges)


def _draw_silent(
    rng: np.random.Generator, graph: nx.DiGraph[str], topic: Topic
) -> set[tuple[str, str]]:
    """Edges on which the person sees no effect: rare, and never so many that little is left."""
    spare = graph.in_degree(STANCE) - LEAST_STANCE_EDGES
    most = int(_MOST_ZERO_SIGNS * graph.number_of_edges())
    silent: set[tuple[str, str]] = set()
    for source, target in sorted(graph.edges):
        if not chance(rng, topic.statistics.zero_sign) or len(silent) >= most:
            continue
        if target == STANCE:
            if spare == 0:
                continue
            spare -= 1
        silent.add((source, target))
    return silent


def _links(names: tuple[str, ...], edges: tuple[Edge, ...]) -> FloatArray:
    position = {name: index for index, name in enumerate(names)}
    links = np.zeros((len(names), len(names)))
    for edge in edges:
        if edge.source in position and edge.target in position and edge.sign != 0:
            links[position[edge.source], position[edge.target]] = edge.weight
    return links


def _demographic_prior(person: Person, topic: Topic) -> float:
    loading = topic.policy_loading
    direction = loading.care - loading.thrift
    return STANCES.leaning_gain * -person.latents["right"] * direction


def _draw_scenarios(rng: np.random.Generator, topic: Topic) -> list[Scenario]:
    asked = SCENARIOS_ASKED[topic.topic]
    chosen = sorted(int(index) for index in rng.permutation(len(topic.scenarios))[:asked])
    return [topic.scenarios[index] for index in chosen]


def _draw_magnitudes(
    rng: np.random.Generator, scenario: Scenario, reasons: tuple[str, ...]
) -> dict[str, int]:
    """Which factors the scenario moves, and how far; mostly factors that the person cares about."""
    count = min(pick_weighted(rng, *_MOVED_COUNTS), len(scenario.factors))
    left = list(scenario.factors)
    magnitudes = {}
    for _ in range(count):
        odds = [_OWN_REASON_WEIGHT if name in reasons else 1.0 for name in left]
        name = pick_weighted(rng, left, odds)
        left.remove(name)
        direction = scenario.directions[name]
        sign = pick(rng, (1, -1)) if direction == "any" else {"up": 1, "down": -1}[direction]
        magnitudes[name] = sign * pick_weighted(rng, *_MAGNITUDES)
    return magnitudes
