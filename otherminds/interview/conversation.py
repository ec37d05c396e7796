"""A stored conversation: every question and every answer is on disk before the next step.

The question is written before anybody sees it, and the answer before a model reads it. Whoever goes on
after a kill finds the open question, or the answer that is still to be read; nothing is asked twice. A
reader that needs no model takes no time, so that the answer, what it says and the next question go into
one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Protocol

from otherminds.interview import loop, records
from otherminds.interview.config import Config
from otherminds.interview.extraction import Extraction
from otherminds.interview.session import QA, Event, Session
from otherminds.interview.store import Record, Store

Clock = Callable[[Session], datetime]
"""The time at a step of a session; of simulated people it follows from the session alone."""


class Reader(Protocol):
    """Reads answers.

    slow  whether an answer must be saved before it is read
    """

    slow: bool

    def read(self, session: Session, qa: QA) -> Extraction:
        """What the answer of `qa` says."""


class Wording(Protocol):
    """Words questions."""

    def word(self, session: Session) -> str | None:
        """Another wording of the next question; None to ask it as it is."""


def wall_clock(_: Session) -> datetime:
    """The time now, UTC."""
    return datetime.now(UTC)


class Conversation:
    """One session of a study, as it goes on.

    Raises OtherMindsError where another process goes on with the same session, or the disk is full; what
    was said before is kept.
    """

    def __init__(
        self,
        store: Store,
        record: Record,
        session: Session,
        reader: Reader,
        *,
        clock: Clock = wall_clock,
        wording: Wording | None = None,
    ) -> None:
        self.session = session
        self._store = store
        self._record = record
        self._revision = record.summary.revision
        self._reader = reader
        self._clock = clock
        self._wording = wording

    @classmethod
    def begin(
        cls,
        store: Store,
        config: Config,
        reader: Reader,
        *,
        session_id: str,
        participant_id: str,
        clock: Clock = wall_clock,
        wording: Wording | None = None,
        **more: Any,
    ) -> Conversation:
        """Begin a session; `more` as for `loop.begin`."""
        session = loop.begin(config, session_id=session_id, participant_id=participant_id, **more)
        at = clock(session)
        session = session.model_copy(
            update={
                "created_at": at,
                "updated_at": at,
                "events": tuple(one.model_copy(update={"at": at}) for one in session.events),
            }
        )
        record = records.record_of(session)
        store.begin(record, records.config_json(session))
        return cls(store, record, session, reader, clock=clock, wording=wording)

    @classmethod
    def resume(
        cls,
        store: Store,
        session_id: str,
        reader: Reader,
        *,
        clock: Clock = wall_clock,
        wording: Wording | None = None,
    ) -> Conversation:
        """Go on with a session, under the configuration that it began with."""
        record = store.load(session_id)
        session = records.session_of(record, store.config(record.summary.config_hash))
        return cls(store, record, session, reader, clock=clock, wording=wording)

    def question(self) -> QA | None:
        """The question to show now, which is on disk; None where the questions are over."""
        self._read_all()
        if self.session.current is None and loop.next_question(self.session) is not None:
            self._save(self._asked(self.session))
        return self.session.current

    def answer(self, text: str, *, replaced: str = "", **more: Any) -> None:
        """Take the answer to the open question; `more` as for `loop.record`.

        replaced  of a simulated person, why rules said this in place of a model
        """
        recorded = self._recorded(text, more)
        if replaced:
            qa, at = self.session.current, self._clock(self.session)
            event = Event(kind="replaced", at=at, qa_id=qa.id if qa else None, what=replaced)
            recorded = loop.noted(recorded, event)
        if self._reader.slow:
            self._save(recorded)
            self._read_all()
            return
        self._save(self._asked(self._all_read(recorded)))

    def edit(self, qa_id: str, text: str) -> None:
        """Put another answer in the place of an earlier one; the graph is built again."""
        self._save(loop.edit(self.session, qa_id, text, at=self._clock(self.session)))
        self._read_all()

    def note(self, kind: str, what: str = "") -> None:
        """Write an event."""
        current = self.session.current
        event = Event(
            kind=kind,
            at=self._clock(self.session),
            qa_id=None if current is None else current.id,
            what=what,
        )
        self._save(loop.noted(self.session, event))

    def end(self) -> None:
        """The person ends the questions."""
        self._save(loop.end(self.session, at=self._clock(self.session)))

    def submit(self) -> None:
        """Hand the session in, after all answers were read."""
        self._read_all()
        at = self._clock(self.session)
        self._save(loop.submit(self.session, self.session.participant_id, at=at))

    def _recorded(self, text: str, more: dict[str, Any]) -> Session:
        return loop.record(self.session, text, at=self._clock(self.session), **more)

    def _read_all(self) -> None:
        while self.session.unread:
            self._save(self._read_first(self.session))

    def _all_read(self, session: Session) -> Session:
        while session.unread:
            session = self._read_first(session)
        return session

    def _read_first(self, session: Session) -> Session:
        qa = session.unread[0]
        return loop.read(session, qa.id, self._reader.read(session, qa))

    def _asked(self, session: Session) -> Session:
        if loop.next_question(session) is None:
            return session
        text = None if self._wording is None else self._wording.word(session)
        return loop.ask(session, text=text, at=self._clock(session))

    def _save(self, session: Session) -> None:
        if session is self.session:
            return
        record = records.record_of(session)
        self._revision = self._store.save(record, self._revision, before=self._record)
        self._record, self.session = record, session
