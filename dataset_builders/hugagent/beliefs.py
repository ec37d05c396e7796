"""What a person believes about a topic: factors, signs, weights, stance, and what scenarios change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import networkx as nx
import numpy as np

from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.draws import (
    chance,
    pick,
    pick_weighted,
    shuffled,
)
from otherminds.dataset_builders.hugagent.dynamics import FloatArray, rounded
from otherminds.dataset_builders.hugagent.graph import draw_structure
from otherminds.dataset_builders.hugagent.odds import link_log_odds, logistic, positive_log_odds
from otherminds.dataset_builders.hugagent.people import Person
from otherminds.dataset_builders.hugagent.population import (
    BELIEFS,
    LEAST_STANCE_EDGES,
    SCENARIOS_ASKED,
    STANCES,
)
from otherminds.dataset_builders.hugagent.schema import Factor, Scenario, Topic
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream

STANCE = "stance"
"""The name of the stance node; all other nodes are named after factors."""

_VALUE_PULL_ON_CHOICE = 0.8
_ARRANGEMENTS = 10
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
    stance: int = structure.graph["stance"]
    names = _draw_names(rng, structure, person, topic)
    nodes = tuple(
        Node(names[node], data["importance"], data["evidence"])
        for node, data in structure.nodes(data=True)
    )
    silent = _draw_silent(rng, structure, topic)
    liking = {
        name: 2.0 * logistic(positive_log_odds(factor, person.values)) - 1.0
        for name, factor in topic.by_name.items()
    }
    edges = []
    # Edges into the stance come first, because the other edges depend on what they turn out to be.
    for source, target in sorted(structure.edges, key=lambda edge: (edge[1] != stance, edge)):
        log_odds = (
            positive_log_odds(topic.by_name[names[source]], person.values)
            if target == stance
            else link_log_odds(
                topic, topic.by_name[names[source]], topic.by_name[names[target]], liking
            )
        )
        sign = 1 if chance(rng, logistic(log_odds)) else -1
        if (source, target) in silent:
            sign = 0
        data = structure.edges[source, target]
        weight = data["weight"]
        if target == stance:
            liking[names[source]] = float(sign)
            weight *= structure.nodes[source]["importance"]
        edges.append(
            Edge(
                names[source],
                names[target],
                sign,
                data["confidence"],
                rounded(max(weight, BELIEFS.least_weight)),
            )
        )
    return nodes, tuple(edges)


def _draw_names(
    rng: np.random.Generator, structure: nx.DiGraph[int], person: Person, topic: Topic
) -> dict[int, str]:
    """What each node is about.

    Of several random arrangements the one is kept in which most edges join factors that have to do
    with each other, so that people connect rents with homes rather than with the noise at night.
    """
    stance: int = structure.graph["stance"]
    others = [node for node in structure if node != stance]
    factors = _draw_factors(rng, person, topic, len(others))
    best: dict[int, Factor] = {}
    best_fit = -1.0
    for _ in range(_ARRANGEMENTS):
        arrangement = dict(zip(others, shuffled(rng, factors), strict=True))
        fit = sum(
            abs(topic.effect(arrangement[source], arrangement[target]))
            for source, target in structure.edges
            if target != stance
        )
        if rounded(fit) > best_fit:
            best, best_fit = arrangement, rounded(fit)
    return {stance: STANCE} | {node: factor.name for node, factor in best.items()}


def _draw_factors(
    rng: np.random.Generator, person: Person, topic: Topic, count: int
) -> list[Factor]:
    """Distinct factors; those that the person's values speak to are a little likelier."""
    keys = {}
    for factor in topic.factors:
        pull = _VALUE_PULL_ON_CHOICE * abs(factor.loading.dot(person.values))
        # Gumbel keys: the largest ones are a weighted sample without replacement.
        keys[factor.name] = rounded(pull + float(rng.gumbel()))
    best = sorted(topic.factors, key=lambda factor: (-keys[factor.name], factor.name))
    return best[:count]


def _draw_silent(
    rng: np.random.Generator, structure: nx.DiGraph[int], topic: Topic
) -> set[tuple[int, int]]:
    """Edges on which the person sees no effect: rare, and never so many that little is left."""
    stance = structure.graph["stance"]
    spare = structure.in_degree(stance) - LEAST_STANCE_EDGES
    most = int(_MOST_ZERO_SIGNS * structure.number_of_edges())
    silent: set[tuple[int, int]] = set()
    for source, target in sorted(structure.edges):
        if not chance(rng, topic.statistics.zero_sign) or len(silent) >= most:
            continue
        if target == stance:
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
