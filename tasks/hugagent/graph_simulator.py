"""Answers to HugAgent's questions on change that follow from a belief graph alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.beliefs import delta_of
from otherminds.extras import command_of
from otherminds.metrics.graphs.matching import THRESHOLD
from otherminds.metrics.graphs.simulation import MIDDLE, stance_after
from otherminds.tasks.hugagent import graph_answers
from otherminds.tasks.hugagent.graphs import names_of
from otherminds.tasks.hugagent.label_similarity import similarities


class Simulator:
    """What a graph says of one person on one topic.

    drawn  the graph, as in the column of the documents
    topic  the topic

    Raises ValueError where its labels cannot be compared with the topic's for want of a model.
    """

    def __init__(self, drawn: Mapping[str, Any], topic: str) -> None:
        self._graph = graph_answers.graph_of(drawn)
        self._names = {one.code: one.name for one in content.load().topics[topic].factors}
        self._nodes_of = self._named(topic)

    def stance_after(self, moves: Mapping[str, int], start: int) -> int:
        """The stance, 1 to 10, after factors have moved by −3 to 3, from the stance before.

        A move by m thirds sets its node to 0.5 + m/6: a sharp one to an end of [0, 1].
        """
        settings = {
            node: MIDDLE + delta_of(magnitude) / 2.0
            for name, magnitude in moves.items()
            for node in self._nodes_of.get(name, ())
        }
        return stance_after(self._graph, settings, start)

    def rating(self, reason_code: str) -> int | None:
        """1 + round(4 · strength / largest strength) of the edges into the stance; None without one."""
        strengths = {node: abs(edge.modifier) for node, edge in self._graph.into_stance().items()}
        nodes = self._nodes_of.get(self._names[reason_code], ())
        own = [strengths[node] for node in nodes if node in strengths]
        if not own:
            return None
        share = max(own) / max(strengths.values())
        return 1 + math.floor(round(4.0 * share, 6) + 0.5)

    def _named(self, topic: str) -> dict[str, list[str]]:
        """By factor of the topic, the nodes that name it: those that are most like it, at least by τ."""
        names, nodes = names_of(topic), self._graph.factors
        labels = [self._graph.nodes[key].label for key in nodes]
        similarity = similarities(list(names.values()), labels)
        if similarity is None:
            raise ValueError(
                "The graph has labels in other words than the interview's: to compare them, "
                f"{command_of('debate')}."
            )
        found: dict[str, list[str]] = {}
        factors = list(names)
        for node, column in zip(nodes, similarity.T, strict=True):
            best = int(column.argmax())
            if column[best] >= THRESHOLD:
                found.setdefault(factors[best], []).append(node)
        return found
