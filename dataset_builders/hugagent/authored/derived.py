"""The golds of a unit once more: from the person's network and the rules of change, and no item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

import networkx as nx

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.items import OPINION
from otherminds.dataset_builders.hugagent.world import change
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE


def golds(topic: str, frame: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each item of a topic as its task, the gold that it has, and the gold that follows."""
    mind = frame["mind"]
    for pair, item in zip(frame["asked"], frame["bsi"], strict=True):
        yield "bsi", item["answer"], "A" if sign(mind, *pair) > 0 else "B"
    for item in frame["bdu"]:
        yield "bdu", item["answer"], str(_after(topic, mind, item))


def sign(mind: Mapping[str, Any], source: str, target: str) -> int:
    """Which way one thing moves another; of two contrary ways, the one by what counts for the person."""
    edges = {
        (one["source"], one["target"]): one["sign"] for one in mind["graph"]["edges"] if one["sign"]
    }
    ways: list[list[tuple[str, str]]] = list(
        nx.all_simple_edge_paths(nx.DiGraph(list(edges)), source, target)
    )
    if len(ways) > 1:
        ways = [way for way in ways if any(mind["fork"]["winner"] in edge for edge in way)]
    return prod(edges[edge] for edge in ways[0])


def _after(topic: str, mind: Mapping[str, Any], item: Mapping[str, Any]) -> int:
    stance = int(mind["initial_stance"])
    ratings = {one["factor"]: round(one["weight"] * 4) + 1 for one in mind["weights"]}
    name, _, code = str(item["question_id"]).partition("r_")
    moves = _moves(mind["interventions"], name)
    if moves is None:
        return stance
    edges = mind["graph"]["edges"]
    if item["question_type"] == OPINION:
        pulls = {factor: _pull(edges, ratings, factor) for factor in moves}
        return change.stance_after(stance, change.push(moves, pulls), mind["firmness"])
    [reason] = [one.name for one in content.load().topics[topic].factors if one.code == code]
    acts_on = {one["source"]: one["sign"] for one in edges if one["target"] == reason}
    return change.rating_after(reason, ratings[reason], moves, acts_on)


def _moves(met: Sequence[Mapping[str, Any]], name: str) -> dict[str, int] | None:
    """By how much a scenario moves each factor; None for a question before any."""
    for one in met:
        if one["question_id"] == name:
            return {each["factor"]: round(each["delta"] * 3) for each in one["deltas"]}
    return None


def _pull(edges: Sequence[Mapping[str, Any]], ratings: Mapping[str, int], factor: str) -> float:
    """What a rise of a factor does to the support: directly, or through what it acts on."""
    onto = {one["source"]: one["sign"] for one in edges if one["target"] == ABOUT_STANCE}
    if factor in onto:
        return float(onto[factor] * change.counts(ratings[factor]))
    ways = (
        one["sign"] * onto[one["target"]] * change.counts(ratings[one["target"]])
        for one in edges
        if one["source"] == factor and one["target"] in onto
    )
    return float(sum(ways))
