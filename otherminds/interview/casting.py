"""Who answers for a simulated person: rules that know its graph, or a model that plays it."""

from __future__ import annotations

from collections.abc import Mapping

from otherminds.errors import UsageError
from otherminds.interview.calls import Server, StoredCalls
from otherminds.interview.config import Config
from otherminds.interview.participant import Participant as Known
from otherminds.interview.playing import ModelPlayer
from otherminds.interview.readers import caller_of, model_settings
from otherminds.interview.session import Session
from otherminds.interview.simulating import Answer, Casting, Participant
from otherminds.interview.store import Store
from otherminds.interview.studies import Agent
from otherminds.metrics.graphs import BeliefGraph


class ScriptedParticipant:
    """The rule-based participant; after a kill, it is brought to where it was."""

    def __init__(self, agent: Agent, config: Config, seed: int) -> None:
        graph = in_words_of(agent.graph, config.topic.stance_label)
        self._participant = Known(graph, config.topic.policy, seed)
        self._heard = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """None: no model is asked."""
        return {}

    def answer(self, session: Session) -> Answer:
        """The answer to the open question."""
        answered = [qa.question for qa in session.qas if qa.answer is not None]
        self._participant.heard(answered[self._heard :])
        current = session.current
        if current is None:
            raise ValueError("no question is open")
        self._heard = len(answered) + 1
        return Answer(self._participant.answer(current.question))


def scripted(agent: Agent, config: Config, seed: int, session_id: str) -> Participant:
    """Let rules answer."""
    return ScriptedParticipant(agent, config, seed)


def by_model(store: Store, *, server: Server | None = None) -> Casting:
    """Let the configuration's model answer; its replies go into the journal of the session."""

    def cast(agent: Agent, config: Config, seed: int, session_id: str) -> Participant:
        settings = model_settings(config.parameters)
        if settings is None:
            raise UsageError(
                "--participant model needs a model: name one in the configuration (model: NAME)."
            )
        return ModelPlayer(
            caller_of(settings, StoredCalls(store, session_id), server=server),
            in_words_of(agent.graph, config.topic.stance_label),
            agent.demographics,
            ScriptedParticipant(agent, config, seed),
            voice=agent.voice,
            leaning=agent.leaning,
        )

    return cast


def in_words_of(graph: BeliefGraph, stance_label: str) -> BeliefGraph:
    """The graph with the stance as the topic calls it."""
    stance = graph.stance.model_copy(update={"label": stance_label})
    return graph.model_copy(update={"nodes": {**graph.nodes, graph.stance_node: stance}})
