"""A language model that plays a simulated person (the request `play_agent`).

It renders only: what the person believes stands in the graph that it is given as sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from otherminds.interview.calls import Caller
from otherminds.interview.prompts import prompt
from otherminds.interview.reading import data_message
from otherminds.interview.session import Session
from otherminds.metrics.graphs import BeliefGraph

NOTHING: Final = "I have not really thought about that."
"""What stands for an answer where the model gives none."""

_TURNS = 6


@dataclass
class ModelPlayer:
    """Answers as the person of a graph would."""

    caller: Caller
    graph: BeliefGraph
    facts: Mapping[str, str]

    def answer(self, session: Session) -> str:
        """The answer to the open question."""
        current = session.current
        if current is None:
            raise ValueError("no question is open")
        before = [qa for qa in session.qas if qa.answer is not None][-_TURNS:]
        data = {
            "person": dict(self.facts),
            "beliefs": sentences(self.graph),
            "conversation": [{"question": qa.question, "answer": qa.answer} for qa in before],
            "question": current.question,
        }
        system = prompt("play_agent", policy=session.config.topic.policy)
        said = self.caller.say(
            "play_agent", [{"role": "system", "content": system}, data_message(data)]
        )
        most = session.config.parameters.max_answer_chars
        return (said or NOTHING)[:most]


def sentences(graph: BeliefGraph) -> list[str]:
    """A belief graph in sentences, in the order of its edges."""
    found = []
    for edge in graph.effects:
        verb = "raises" if edge.polarity > 0 else "lowers"
        size = abs(edge.modifier)
        strength = "slightly" if size < 1 / 3 else "somewhat" if size < 2 / 3 else "strongly"
        source, target = graph.nodes[edge.source].label, graph.nodes[edge.target].label
        is_stance = edge.target == graph.stance_node
        moved = "my own support" if is_stance else target
        found.append(f"More {source} {strength} {verb} {moved}.")
    return found
