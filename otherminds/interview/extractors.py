"""What an extractor is given to read, whatever it is: a model, a person, or the rule-based reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from otherminds.interview.extraction import Extraction
from otherminds.interview.session import STANCE, Session
from otherminds.strict import Strict


class Known(Strict):
    """A concept that the session has already."""

    id: str
    label: str


class Exchange(Strict):
    """A question and its answer."""

    question: str
    answer: str


class Request(Strict):
    """All that an extractor sees of a session.

    known        the concepts so far, without the stance
    earlier      the exchanges before, as many as `context_qas` says
    asked_about  the labels of the concepts that the question is about: of a link, first the source
    """

    topic: str
    policy: str
    stance_label: str
    stance_aliases: tuple[str, ...]
    known: tuple[Known, ...]
    earlier: tuple[Exchange, ...]
    asked_about: tuple[str, ...]
    question: str
    answer: str


Extractor: TypeAlias = Callable[[Request], Extraction]


def request_of(session: Session, qa_id: str) -> Request:
    """What an extractor is given to read an answer of a session. Raises KeyError, ValueError."""
    qa = session.qa(qa_id)
    if qa.answer is None:
        raise ValueError(f"{qa_id} has no answer yet")
    nodes = session.state.nodes
    before = [
        Exchange(question=one.question, answer=one.answer)
        for one in session.qas
        if one.number < qa.number and one.answer is not None and one.kind != "tutorial"
    ]
    count = session.config.parameters.context_qas
    topic = session.config.topic
    ends = [key for key in (qa.target.source, qa.target.node) if key in nodes]
    return Request(
        topic=topic.name,
        policy=topic.policy,
        stance_label=topic.stance_label,
        stance_aliases=topic.stance_aliases,
        known=tuple(Known(id=key, label=one.label) for key, one in nodes.items() if key != STANCE),
        earlier=tuple(before[-count:] if count else ()),
        asked_about=tuple(nodes[key].label for key in ends if key is not None),
        question=qa.question,
        answer=qa.answer,
    )
