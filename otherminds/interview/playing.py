"""A language model that plays a simulated person (the request `play_agent`).

It renders only: what the person believes stands in the graph that it is given as sentences, and an
answer that says otherwise (`contradictions`) is not taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from otherminds.interview.calls import Caller, Message
from otherminds.interview.contradictions import Contradiction, contradictions
from otherminds.interview.errors import InterviewError
from otherminds.interview.loop import check_answer
from otherminds.interview.prompts import prompt
from otherminds.interview.reading import data_message
from otherminds.interview.session import Session
from otherminds.interview.simulating import Answer, Participant
from otherminds.metrics.graphs import BeliefGraph

REDONE: Final = 3
"""How often an answer that contradicts the graph is asked for again."""

_TURNS = 6
_NO_SPEECH = ("{", "[", "```")
"""How data begin, which small models like to repeat."""


@dataclass
class ModelPlayer:
    """Answers as the person of a graph would.

    facts    what the person says of themselves
    voice    how they talk
    leaning  where they stand, in words; empty where that is not known
    script   answers by rules where the model does not, or only with contradictions
    """

    caller: Caller
    graph: BeliefGraph
    facts: Mapping[str, str]
    script: Participant
    voice: Mapping[str, str] = field(default_factory=dict)
    leaning: str = ""

    @property
    def counts(self) -> Counter[str]:
        """Requests by name, and those without a result by reason."""
        return self.caller.counts

    def answer(self, session: Session) -> Answer:
        """The answer to the open question."""
        said = [*self._messages(session)]
        why = ""
        for _ in range(1 + REDONE):
            text = self.caller.say("play_agent", said)
            if text is None:
                why = "the model gave no answer"
                break
            if text.startswith(_NO_SPEECH) or not _can_be_taken(session, text):
                why = "the model's answer is nothing that a person says"
                break
            found = contradictions(self.caller, session, self.graph, text)
            if found is None:
                why = "the model's answer could not be checked"
                break
            if not found:
                return Answer(text)
            why = f"the model's answer contradicts the graph: {_listed(found)}"
            said += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": _correction(found)},
            ]
        return Answer(self.script.answer(session).text, replaced=why)

    def _messages(self, session: Session) -> list[Message]:
        current = session.current
        if current is None:
            raise ValueError("no question is open")
        before = [qa for qa in session.qas if qa.answer is not None][-_TURNS:]
        data: dict[str, Any] = {
            "person": dict(self.facts),
            "voice": dict(self.voice),
            "stance": self.leaning or None,
            "beliefs": sentences(self.graph),
            "conversation": [{"question": qa.question, "answer": qa.answer} for qa in before],
            "question": current.question,
        }
        system = prompt("play_agent", policy=session.config.topic.policy)
        return [{"role": "system", "content": system}, data_message(data)]


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


def _can_be_taken(session: Session, text: str) -> bool:
    try:
        check_answer(session, text)
    except InterviewError:
        return False
    return True


def _listed(found: tuple[Contradiction, ...]) -> str:
    return "; ".join(one.statement for one in found)


def _correction(found: tuple[Contradiction, ...]) -> str:
    return prompt("play_again", statements=_listed(found))
