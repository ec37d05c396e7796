"""Answers to HugAgent's questions on change that follow from a belief graph alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.beliefs import delta_of
from otherminds.metrics.graphs.matching import match
from otherminds.metrics.graphs.replies import STANCE
from otherminds.metrics.graphs.schema import graph_of
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
        self._node_of = self._matched(topic)

    def stance_after(self, moves: Mapping[str, int], start: int) -> int:
        """The stance, 1 to 10, after factors have moved by −3 to 3, from the stance before.

        A move by m thirds sets its node to 0.5 + m/6: a sharp one to an end of [0, 1].
        """
        settings = {
            self._node_of[name]: MIDDLE + delta_of(magnitude) / 2.0
            for name, magnitude in moves.items()
            if name in self._node_of
        }
        return stance_after(self._graph, settings, start)

    def rating(self, reason_code: str) -> int | None:
        """1 + round(4 · strength / largest strength) of the edges into the stance; None without one."""
        into = self._graph.into_stance()
        node = self._node_of.get(self._names[reason_code])
        if node not in into:
            return None
        largest = max(abs(edge.modifier) for edge in into.values())
        return 1 + math.floor(round(4.0 * abs(into[node].modifier) / largest, 6) + 0.5)

    def _matched(self, topic: str) -> dict[str, str]:
        """By factor of the topic, the node that names it."""
        names = names_of(topic)
        known = graph_of(
            {**{name: own[0] for name, own in names.items()}, STANCE: "-"}, (), stance_node=STANCE
        )
        labels = [self._graph.nodes[key].label for key in self._graph.factors]
        similarity = similarities(list(names.values()), labels)
        if similarity is None:
            raise ValueError(
                "The graph has labels in other words than the interview's: to compare them, "
                "`pip install 'otherminds[debate]'`."
            )
        return {pair.gold: pair.predicted for pair in match(known, self._graph, similarity).pairs}
