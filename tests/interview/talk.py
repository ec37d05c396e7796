"""Sessions whose extractions are written by hand."""

from __future__ import annotations

from otherminds.interview import loop
from otherminds.interview.config import Config, Guiding, Parameters, Topic
from otherminds.interview.extraction import Extraction, FoundLink, FoundNode, Quality
from otherminds.interview.session import STANCE, Edge, Session

STANCE_LABEL = "support for night buses"


def config(guiding=("Where do you stand on night buses, and why?",), **parameters) -> Config:
    """Night buses, with these guiding questions and parameters."""
    topic = Topic(
        name="night_buses",
        policy="night buses",
        stance_label=STANCE_LABEL,
        guiding=tuple(Guiding(text=text) for text in guiding),
    )
    return Config(parameters=Parameters(**parameters), topic=topic)


def begin(given: Config | None = None, **more) -> Session:
    """A session that has asked nothing yet."""
    return loop.begin(given or config(), session_id="s1", participant_id="p1", **more)


def found(text, nodes=(), links=(), **quality) -> Extraction:
    """Nodes (label, confidence, importance) and links (source, target, sign, strength) of a text.

    Shorter ones are filled up: confidence 0.9, importance 0.5, no strength. S is the stance.
    """
    return Extraction(
        nodes=tuple(_node(text, *one) for one in nodes),
        links=tuple(_link(text, *one) for one in links),
        quality=Quality(**quality),
    )


def _node(text, label, confidence=0.9, importance=0.5):
    return FoundNode(label=label, confidence=confidence, importance=importance, quote=text)


def _link(text, source, target, sign=1, strength=None):
    end = STANCE_LABEL if target == "S" else target
    return FoundLink(
        source=source, target=end, polarity=sign, strength=strength, confidence=0.9, quote=text
    )


def say(session: Session, text="I see it so.", nodes=(), links=(), **quality) -> Session:
    """Ask the next question, and answer it."""
    session = loop.ask(session)
    return loop.answer(session, text, found(text, nodes, links, **quality))


def node_named(session: Session, label: str):
    """The node with this label."""
    return next(one for one in session.state.nodes.values() if one.label == label)


def edge_named(session: Session, source: str, target: str) -> Edge:
    """The edge between these labels; S is the stance."""
    end = STANCE if target == "S" else node_named(session, target).id
    return session.state.edges[f"{node_named(session, source).id}-{end}"]


def labels(session: Session, status: str) -> set[str]:
    """The labels of the nodes of a status."""
    return {one.label for one in session.state.nodes.values() if one.status == status}


def asked_about(session: Session) -> tuple[str, ...]:
    """Priority and labels of the question that comes next."""
    question = loop.next_question(session)
    assert question is not None
    keys = (question.target.source, question.target.node)
    names = [session.state.nodes[key].label for key in keys if key is not None]
    return (str(question.priority), *names)
