"""The beliefs of a person on a topic: which things act on which, which way, and how the interview
tells it.

A network is a directed graph without cycles whose last node is the stance. Everybody has a *chain*
of three beliefs whose ends nothing else joins, and a *fork*: a factor that acts on another by two
ways with contrary outcomes, of which the person's own weighing decides.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

import networkx as nx
import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.hugagent.dynamics import rounded
from otherminds.dataset_builders.hugagent.graph import draw_beta
from otherminds.dataset_builders.hugagent.population import GRADES, STANCE, Grade
from otherminds.dataset_builders.hugagent.schema import Statistics, Topic
from otherminds.dataset_builders.hugagent.world.change import counts
from otherminds.dataset_builders.hugagent.world.stances import link_chance

EdgeKey: TypeAlias = tuple[str, str]
Form: TypeAlias = Literal["plain", "others", "change"]
"""How a belief is told: by itself; beside somebody else's; or as one that was thought over."""

LEAST_STANCE_EDGES: Final = 4
_ANCHOR_SHARE: Final = 0.3
_KNOWN_LINK: Final = 3.0
_UNKNOWN_LINK: Final = 0.4
_NEEDED_GRADES: Final = (0.8, 0.2, 0.0)
_LOOSE_GRADES: Final = (0.45, 0.2, 0.35)
_WEIGHT_GRADES: Final = (0.72, 0.15, 0.13)
_TOLD_BESIDE_OTHERS: Final = 2
_THOUGHT_OVER: Final = 2
HINT_IS_RIGHT: Final = 0.85
COARSE_IS_RIGHT: Final = 0.8


@dataclass(frozen=True)
class Node:
    """A factor, or the stance."""

    name: str
    importance: float
    evidence: int


@dataclass(frozen=True)
class Edge:
    """The belief that more of `source` raises (1) or lowers (−1) `target`, or leaves it as it is (0).

    form      how it is told
    grade     how firmly; forms other than plain are stated
    hint      the sign that a hint points to, where there is one
    """

    source: str
    target: str
    sign: int
    confidence: float
    weight: float
    form: Form = "plain"
    grade: Grade = "stated"
    hint: int = 0

    @property
    def key(self) -> EdgeKey:
        """Source and target."""
        return self.source, self.target

    @property
    def about_stance(self) -> bool:
        """Whether it acts on the stance."""
        return self.target == STANCE

    @property
    def told(self) -> bool:
        """Whether the interview tells it, and not only implies it."""
        return self.grade != "implied"


@dataclass(frozen=True)
class Reason:
    """How much a factor counts for the person, and what the interview shows of it (0: nothing)."""

    rating: int
    grade: Grade
    shown: int


@dataclass(frozen=True)
class Fork:
    """`source` acts on `target` through `winner` and, to the contrary, through `loser`."""

    source: str
    winner: str
    loser: str
    target: str

    @property
    def edges(self) -> tuple[EdgeKey, ...]:
        """The two ways: the winner's edges, then the loser's."""
        return (
            (self.source, self.winner),
            (self.winner, self.target),
            (self.source, self.loser),
            (self.loser, self.target),
        )


@dataclass(frozen=True)
class Network:
    """A person's beliefs on one topic."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    reasons: Mapping[str, Reason]
    fork: Fork

    def edge(self, source: str, target: str) -> Edge | None:
        """The belief that joins the two, if there is one."""
        return next((one for one in self.edges if one.key == (source, target)), None)

    def acting_on(self, target: str) -> list[Edge]:
        """The beliefs that act on a node and say a direction."""
        return [one for one in self.edges if one.target == target and one.sign]

    def ways(self, source: str) -> list[tuple[Edge, Edge]]:
        """The ways of two steps from a factor to the stance."""
        onto = {one.source: one for one in self.acting_on(STANCE)}
        return [
            (one, onto[one.target])
            for one in self.edges
            if one.source == source and one.sign and one.target in onto
        ]

    def pull(self, source: str) -> float:
        """What a rise of the factor does to the person's support: see `change`."""
        direct = self.edge(source, STANCE)
        if direct is not None:
            return direct.sign * counts(self.reasons[source].rating)
        return sum(
            first.sign * second.sign * counts(self.reasons[second.source].rating)
            for first, second in self.ways(source)
        )

    def movable(self, source: str) -> bool:
        """Whether a scenario may move the factor: its pull can be put together from what is told.

        A belief that joins it to the policy directly may be implied; what goes through others may not.
        """
        direct = self.edge(source, STANCE)
        if direct is not None:
            return True
        onward = [one for one in self.edges if one.source == source]
        ways = self.ways(source)
        return bool(ways) and all(one.told for one in (*onward, *(w for _, w in ways)))


def draw_network(
    rng: np.random.Generator,
    topic: Topic,
    statistics: Statistics,
    rating_shares: Sequence[float],
    positive: Mapping[str, float],
    scenarios: Sequence[Sequence[str]],
) -> Network:
    """Draw a person's beliefs.

    positive   by factor, the probability that this person sees it as speaking for the policy
    scenarios  the factors of each scenario that the person will be asked about; each gets one that
               acts on the stance directly
    """
    drawn = _draw_structure(rng, topic, statistics, scenarios)
    edges = []
    for source, target in drawn.keys:
        likely = positive[source] if target == STANCE else link_chance(topic, source, target)
        edges.append(
            Edge(
                source,
                target,
                1 if chance(rng, likely) else -1,
                draw_beta(rng, statistics.confidence),
                draw_beta(rng, statistics.weight),
            )
        )
    edges, fork = _contrary(rng, edges, drawn.fork)
    needed = drawn.chain | set(fork.edges)
    edges = _without_effect(rng, edges, needed, statistics.zero_sign)
    edges = _told(rng, edges, needed, fork)
    reasons = {one.source: _draw_reason(rng, rating_shares) for one in edges if one.about_stance}
    edges = [
        replace(one, weight=counts(reasons[one.source].rating)) if one.about_stance else one
        for one in edges
    ]
    nodes = tuple(
        Node(
            name,
            draw_beta(rng, statistics.importance),
            int(rng.poisson(statistics.evidence.rate)),
        )
        for name in (*drawn.names, STANCE)
    )
    return Network(nodes, tuple(edges), reasons, fork)


class _Drawn(NamedTuple):
    """The factors in an order that edges follow, the edges, the fork and the chain."""

    names: list[str]
    keys: list[EdgeKey]
    fork: tuple[str, str, str, str]
    chain: set[EdgeKey]


def _draw_structure(
    rng: np.random.Generator,
    topic: Topic,
    statistics: Statistics,
    scenarios: Sequence[Sequence[str]],
) -> _Drawn:
    count = _truncated(rng, statistics) - 1
    log_edges = statistics.edges.log_mean + statistics.edges.log_sd * float(rng.standard_normal())
    wanted = round(rounded(math.exp(log_edges)))
    direct: list[str] = []
    for listed in scenarios:
        direct.append(pick(rng, [name for name in listed if name not in direct]))
    others = [name for name in topic.by_name if name not in direct]
    names = shuffled(rng, [*direct, *shuffled(rng, others)[: max(count - len(direct), 2)]])
    # Fork and chain follow the order of the graph, so that no cycle can arise.
    places = [int(one) for one in rng.permutation(len(names))]
    first, left, right, last = (names[place] for place in sorted(places[:4]))
    chain = [names[place] for place in sorted(places[4:8])]
    keys: dict[EdgeKey, None] = dict.fromkeys(
        [(first, left), (left, last), (first, right), (right, last), *itertools.pairwise(chain)]
    )
    kept = {(first, last): 2} | {
        (chain[start], chain[end]): 1 for start, end in ((0, 2), (1, 3), (0, 3))
    }
    onto = max(LEAST_STANCE_EDGES, round(_ANCHOR_SHARE * wanted))
    spare = [name for name in shuffled(rng, names) if name not in direct]
    keys |= dict.fromkeys((name, STANCE) for name in [*direct, *spare][:onto])
    _join_factors(rng, topic, names, keys, wanted, kept)
    _join_stance(names, keys)
    return _Drawn(names, list(keys), (first, left, right, last), set(itertools.pairwise(chain)))


def _truncated(rng: np.random.Generator, statistics: Statistics) -> int:
    nodes = statistics.nodes
    while True:
        count = round(rounded(nodes.mean + nodes.sd * float(rng.standard_normal())))
        if nodes.low <= count <= nodes.high:
            return count


def _join_factors(
    rng: np.random.Generator,
    topic: Topic,
    names: Sequence[str],
    keys: dict[EdgeKey, None],
    wanted: int,
    kept: Mapping[EdgeKey, int],
) -> None:
    """Add edges among factors up to the number wanted; `kept` pairs keep their number of ways."""
    free = [
        (source, target)
        for place, source in enumerate(names)
        for target in names[place + 1 :]
        if (source, target) not in keys and (source, target) not in kept
    ]
    weights = [
        _KNOWN_LINK if topic.effect(source, target) else _UNKNOWN_LINK for source, target in free
    ]
    while free and len(keys) < wanted:
        found = pick_weighted(rng, range(len(free)), weights)
        key = free.pop(found)
        weights.pop(found)
        if all(len(ways_between([*keys, key], *ends)) == ways for ends, ways in kept.items()):
            keys[key] = None


def _join_stance(names: Sequence[str], keys: dict[EdgeKey, None]) -> None:
    """Let the first factor of each part that hangs in the air act on the stance."""
    graph = nx.Graph(list(keys))
    graph.add_nodes_from([*names, STANCE])
    for part in list(nx.connected_components(graph)):
        if STANCE not in part:
            keys[next(name for name in names if name in part), STANCE] = None


def _contrary(
    rng: np.random.Generator, edges: list[Edge], fork: tuple[str, str, str, str]
) -> tuple[list[Edge], Fork]:
    """Make the two ways of the fork contrary, each sign as likely; and draw which of them wins."""
    first, left, right, last = fork
    signs = {}
    for middle, outcome in zip((left, right), pick(rng, ((1, -1), (-1, 1))), strict=True):
        signs[first, middle] = pick(rng, (1, -1))
        signs[middle, last] = outcome * signs[first, middle]
    winner, loser = (left, right) if chance(rng, 0.5) else (right, left)
    made = [replace(one, sign=signs.get(one.key, one.sign)) for one in edges]
    return made, Fork(first, winner, loser, last)


def _without_effect(
    rng: np.random.Generator, edges: list[Edge], needed: set[EdgeKey], share: float
) -> list[Edge]:
    """Turn a few beliefs among factors into the belief that one has nothing to do with the other."""
    return [
        replace(one, sign=0)
        if chance(rng, share) and not one.about_stance and one.key not in needed
        else one
        for one in edges
    ]


def _told(
    rng: np.random.Generator, edges: list[Edge], needed: set[EdgeKey], fork: Fork
) -> list[Edge]:
    """Draw how each belief is told: the fork stated, the chain stated or by hints."""
    special = shuffled(rng, [one.key for one in edges if one.sign and one.key not in needed])
    others = set(special[:_TOLD_BESIDE_OTHERS])
    change = set(special[_TOLD_BESIDE_OTHERS : _TOLD_BESIDE_OTHERS + _THOUGHT_OVER])
    goes_on = {one.source for one in edges if not one.about_stance}
    told = []
    for one in edges:
        grades = _NEEDED_GRADES if one.key in needed else _LOOSE_GRADES
        grade = pick_weighted(rng, GRADES, grades)
        hint = one.sign if chance(rng, HINT_IS_RIGHT) else -one.sign
        if one.key in others:
            told.append(replace(one, form="others"))
        elif one.key in change:
            told.append(replace(one, form="change"))
        elif one.sign == 0 or one.key in fork.edges:
            told.append(one)
        elif grade == "implied" and one.about_stance and one.source in goes_on:
            # Else nobody could know whether it acts directly or through what it leads to.
            told.append(one)
        else:
            told.append(replace(one, grade=grade, hint=hint if grade == "hinted" else 0))
    return told


def _draw_reason(rng: np.random.Generator, shares: Sequence[float]) -> Reason:
    rating = pick_weighted(rng, (1, 2, 3, 4, 5), shares)
    grade = pick_weighted(rng, GRADES, _WEIGHT_GRADES)
    right, up = chance(rng, COARSE_IS_RIGHT), chance(rng, 0.5)
    if grade == "stated":
        return Reason(rating, grade, rating)
    if grade == "implied":
        return Reason(rating, grade, 0)
    return Reason(rating, grade, shown_coarsely(coarse_of(rating), right=right, up=up))


COARSE: Final = (1, 3, 5)
"""What a hint at a weight may say: little, some, a lot."""


def coarse_of(rating: int) -> int:
    """The coarse weight of a rating: 1 for 1 and 2, 3 for 3, 5 for 4 and 5."""
    return {1: 1, 2: 1, 3: 3, 4: 5, 5: 5}[rating]


def shown_coarsely(coarse: int, *, right: bool, up: bool) -> int:
    """The coarse weight, or a neighbor of it where the hint is not right."""
    place = COARSE.index(coarse)
    if right:
        return coarse
    if place in (0, len(COARSE) - 1):
        return COARSE[1]
    return COARSE[place + (1 if up else -1)]


def paths(edges: Iterable[Edge], source: str, target: str) -> list[list[EdgeKey]]:
    """All ways from one node to another along beliefs that say a direction."""
    return ways_between([one.key for one in edges if one.sign], source, target)


def ways_between(keys: Iterable[EdgeKey], source: str, target: str) -> list[list[EdgeKey]]:
    """All ways from one node to another along these edges, which make no circle."""
    onward: dict[str, list[str]] = {}
    for start, end in keys:
        onward.setdefault(start, []).append(end)
    return list(_walk(onward, source, target, []))


def _walk(
    onward: Mapping[str, Sequence[str]], at: str, target: str, gone: list[EdgeKey]
) -> Iterator[list[EdgeKey]]:
    for after in onward.get(at, ()):
        step = [*gone, (at, after)]
        if after == target:
            yield step
        else:
            yield from _walk(onward, after, target, step)
