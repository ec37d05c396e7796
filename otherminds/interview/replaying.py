"""Going through a session again from what was said, with the journal in place of the model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from otherminds.interview import loop, records
from otherminds.interview.conversation import Reader
from otherminds.interview.readers import SessionReader
from otherminds.interview.session import QA, Moment, Session
from otherminds.interview.store import Store


@dataclass(frozen=True)
class Replayed:
    """A session that was gone through again.

    differences  what came out otherwise than what is stored, one line each; empty where nothing did
    """

    session_id: str
    answers: int
    differences: tuple[str, ...]


def replay(store: Store, session_id: str) -> Replayed:
    """Go through a stored session again, without a model.

    Answers that were edited are given as they were at first, and edited where they were edited: what was
    asked in between followed from the earlier version. Raises OtherMindsError where the journal lacks a
    reply that is needed.
    """
    record = store.load(session_id)
    stored = records.session_of(record, store.config(record.summary.config_hash))
    reader = SessionReader(stored.config.parameters, store, session_id, offline=True)
    again = replayed(stored, reader)
    return Replayed(session_id, stored.answered, tuple(_differences(stored, again)))


def replayed(stored: Session, reader: Reader) -> Session:
    """The session that comes out of the same answers."""
    session = loop.begin(
        stored.config,
        session_id=stored.session_id,
        participant_id=stored.participant_id,
        seed=stored.seed,
        wave=stored.wave,
        interviewer=stored.interviewer,
        motifs=stored.motifs,
        model=stored.model,
        at=stored.created_at,
    )
    edits = deque(_edits(stored))
    orders = deque(stored.orders)

    def caught_up(session: Session) -> Session:
        """The session with what was read, edited and put first where it stands."""
        for qa in session.unread:
            if stored.qa(qa.id).read_when != loop.moment(session):
                break
            session = loop.read(session, qa.id, reader.read(session, session.qa(qa.id)))
        while orders and orders[0].when == loop.moment(session):
            pending = {one.id for one in session.pending}
            one = orders.popleft()
            kept = [question for question in one.questions if question in pending]
            session = loop.reorder(session, kept, at=one.at)
        while edits and edits[0].moment == loop.moment(session):
            session = _edited(session, edits.popleft(), reader)
        return session

    for qa in stored.qas:
        session = caught_up(session)
        if loop.next_question(session) is None:
            break
        session = caught_up(loop.ask(session, text=_own_words(session, qa), at=qa.asked_at))
        if qa.answer is None:
            break
        text, at = _at_first(qa)
        session = loop.record(
            session, text, at=at, input_mode=qa.input_mode, latency_ms=qa.latency_ms
        )
        if qa.edited or (qa.extraction is not None and qa.read_when is None):
            session = _read(session, reader)
    session = caught_up(session)
    if stored.stopped == "person":
        # The question that was open then was taken back.
        if loop.next_question(session) is not None:
            session = caught_up(loop.ask(session))
        session = caught_up(loop.end(session))
    # Where another question came, edits have lost their place.
    for edit in edits:
        session = _edited(session, edit, reader)
    if not stored.unread:
        session = _read(session, reader)
    if stored.status == "submitted":
        session = loop.submit(session, stored.participant_id)
    return session


class _Edit(NamedTuple):
    moment: Moment
    qa: QA
    text: str
    at: datetime | None
    is_read: bool


def _edits(stored: Session) -> list[_Edit]:
    """The edits of a session, in their order."""
    found = []
    for qa in stored.qas:
        if not qa.edited:
            continue
        later = [*((one.answer, one.at) for one in qa.edited[1:]), (qa.answer, qa.answered_at)]
        for number, (version, (text, at)) in enumerate(zip(qa.edited, later, strict=True), start=1):
            is_read = number < len(qa.edited) or qa.extraction is not None
            found.append(_Edit(version.replaced, qa, text or "", at, is_read))
    return sorted(found, key=lambda one: one.moment.edits)


def _edited(session: Session, edit: _Edit, reader: Reader) -> Session:
    if not any(qa.id == edit.qa.id and qa.answer is not None for qa in session.qas):
        return session
    changed = loop.edit(session, edit.qa.id, edit.text, at=edit.at)
    return _read(changed, reader) if edit.is_read else changed


def _read(session: Session, reader: Reader) -> Session:
    while session.unread:
        qa = session.unread[0]
        session = loop.read(session, qa.id, reader.read(session, qa))
    return session


def _own_words(session: Session, stored: QA) -> str | None:
    """The words of a question that was worded by a model; None for those of a template."""
    question = loop.next_question(session)
    return stored.question if question is None or stored.question != question.text else None


def _at_first(qa: QA) -> tuple[str, datetime | None]:
    if qa.edited:
        return qa.edited[0].answer, qa.edited[0].at
    return qa.answer or "", qa.answered_at


def _differences(stored: Session, again: Session) -> Iterator[str]:
    if len(stored.qas) != len(again.qas):
        yield f"{len(again.qas)} questions in place of {len(stored.qas)}"
    for one, other in zip(stored.qas, again.qas, strict=False):
        if (one.template, one.target, one.kind) != (other.template, other.target, other.kind):
            yield f"{one.id}: another question came"
        elif one.extraction != other.extraction:
            yield f"{one.id}: its answer was read otherwise"
    if (stored.state.nodes, stored.state.edges) != (again.state.nodes, again.state.edges):
        yield "the graph is another one"
    for name in ("stage", "stopped", "status"):
        was, now = getattr(stored, name), getattr(again, name)
        if was != now:
            yield f"{name}: {now} in place of {was}"
