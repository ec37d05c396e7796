"""The life of a node (§A3): candidate → belief → anchor. No way leads back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from otherminds.interview.config import Parameters
from otherminds.interview.session import STANCE, Edge, Node, QueueEntry

_ROUNDING = 1e-9
"""A score that is the threshold but for rounding reaches it."""


class Changes(NamedTuple):
    """The nodes afterwards, and who became a belief or an anchor: (`belief` | `anchor`, id)."""

    nodes: dict[str, Node]
    log: list[tuple[str, str]]


def advanced(
    parameters: Parameters, nodes: Mapping[str, Node], edges: Mapping[str, Edge], *, qa_id: str
) -> Changes:
    """Promote what an answer has made ripe.

    A candidate becomes a belief by mentions, confidence or degree; a belief becomes an anchor by its
    score, the highest first, while there are fewer than `max_anchors`.
    """
    current, log = dict(nodes), []
    degrees = degree(edges.values())
    for key, node in nodes.items():
        if node.status == "candidate" and _is_ripe(parameters, node, degrees[key]):
            current[key] = node.model_copy(update={"status": "belief", "promoted_at_qa": qa_id})
            log.append(("belief", key))
    scores = anchor_scores(parameters, current, edges)
    reached = sorted(
        (key for key, score in scores.items() if score >= parameters.anchor_score - _ROUNDING),
        key=lambda key: (-scores[key], -current[key].importance, current[key].order),
    )
    room = parameters.max_anchors - sum(node.status == "anchor" for node in current.values())
    for key in reached[: max(0, room)]:
        current[key] = current[key].model_copy(update={"status": "anchor", "promoted_at_qa": qa_id})
        log.append(("anchor", key))
    return Changes(current, log)


def anchor_scores(
    parameters: Parameters, nodes: Mapping[str, Node], edges: Mapping[str, Edge]
) -> dict[str, float]:
    """0.5·importance + 0.3·frequency/max frequency + 0.2·degree/max degree of every belief.

    The highest degree is that of all nodes, the stance included; the highest frequency is that of all
    but the stance, which every answer is about.
    """
    degrees = degree(edges.values())
    most_links = max(degrees.values(), default=0) or 1
    factors = [node for key, node in nodes.items() if key != STANCE]
    most_mentions = max((node.frequency for node in factors), default=0) or 1
    importance, mentions, links = parameters.anchor_weights
    return {
        node.id: importance * node.importance
        + mentions * node.frequency / most_mentions
        + links * degrees[node.id] / most_links
        for node in factors
        if node.status == "belief"
    }


def degree(edges: Iterable[Edge]) -> Counter[str]:
    """The number of links of every node, in and out; a link that is denied is none."""
    found: Counter[str] = Counter()
    for edge in edges:
        if edge.polarity != 0:
            found.update((edge.source, edge.target))
    return found


def queue(nodes: Mapping[str, Node]) -> tuple[QueueEntry, ...]:
    """The candidates under evaluation, in order of entry."""
    return tuple(
        QueueEntry(
            node=node.id,
            first_qa=node.created_at_qa or "",
            mentions=node.frequency,
            best_confidence=node.confidence,
        )
        for node in sorted(nodes.values(), key=lambda one: one.order)
        if node.status == "candidate"
    )


def _is_ripe(parameters: Parameters, node: Node, links: int) -> bool:
    return (
        node.frequency >= parameters.promote_frequency
        or node.confidence >= parameters.promote_confidence
        or links >= parameters.promote_degree
    )
