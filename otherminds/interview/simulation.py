"""A whole session without a person: a participant answers, an extractor reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from otherminds.interview import loop
from otherminds.interview.extractors import Extractor, request_of
from otherminds.interview.session import Session


class Answering(Protocol):
    """Whoever answers questions."""

    def answer(self, question: str) -> str:
        """What is said to a question."""


def steps(session: Session, participant: Answering, extractor: Extractor) -> Iterator[Session]:
    """The session after every question and every answer, to its end."""
    while loop.next_question(session) is not None or session.current is not None:
        if session.current is None:
            session = loop.ask(session)
            yield session
        qa = session.current
        assert qa is not None
        session = loop.record(session, participant.answer(qa.question))
        if session.qa(qa.id).extraction is None:
            session = loop.read(session, qa.id, extractor(request_of(session, qa.id)))
        yield session


def run(session: Session, participant: Answering, extractor: Extractor) -> Session:
    """The session at its end."""
    for after in steps(session, participant, extractor):
        session = after
    return session
