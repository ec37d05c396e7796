"""Interviews of many people at once: answers are taken at once, and models read them afterwards.

Nobody waits while a question is pending: the answer and the next question are saved in one transaction,
and a model reads the answer in the background, in the order of the questions. A reader that needs no
model reads within that transaction.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Final

from otherminds.errors import OtherMindsError
from otherminds.interview import loop, records
from otherminds.interview.calls import Server
from otherminds.interview.config import Config
from otherminds.interview.readers import SessionReader, description
from otherminds.interview.session import Event, Session
from otherminds.interview.store import Record, Store

LOG: Final = logging.getLogger(__name__)

HANDED_IN: Final = "handed_in"
"""The event after which a session is submitted as soon as its last answer is read."""

_STRIPES: Final = 256
_WORKERS: Final = 8
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0

Change = Callable[[Session], Session]


class Taken(Enum):
    """What became of an answer that was sent.

    SAVED     it is the answer
    KNOWN     it was already: the same was sent twice
    ANOTHER   the question has another answer, from another tab; that one is kept
    UNKNOWN   no such question is there
    """

    SAVED = auto()
    KNOWN = auto()
    ANOTHER = auto()
    UNKNOWN = auto()


class Interviewer:
    """The interviews of a study, in one process.

    server  what answers requests to models, in place of the configuration's own (for tests)
    """

    def __init__(self, store: Store, *, server: Server | None = None) -> None:
        self._store = store
        self._server = server
        self._locks = [threading.Lock() for _ in range(_STRIPES)]
        self._readers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="reading")
        self._configs: dict[str, str] = {}
        self._reading: set[str] = set()
        self._reading_lock = threading.Lock()
        self._stopped = threading.Event()
        self._troubles: dict[str, str] = {}

    @property
    def trouble(self) -> str | None:
        """Why the answers of some session cannot be read; None while all can be."""
        return next(iter(list(self._troubles.values())), None)

    # --- what people do

    def begin(self, config: Config, session_id: str, participant: str, *, wave: int = 1) -> Session:
        """Begin a session and ask its first question; one that is there is gone on with."""
        with self._lock(session_id):
            if any(one.id == session_id for one in self._store.summaries(participant=participant)):
                return self._load(session_id)[1]
            at = datetime.now(UTC)
            session = loop.begin(
                config,
                session_id=session_id,
                participant_id=participant,
                wave=wave,
                model=description(config.parameters),
                at=at,
            )
            session = loop.ask(session, at=at)
            self._store.begin(records.record_of(session), records.config_json(session))
        return session

    def session(self, session_id: str) -> Session:
        """A session as it is; answers that are still to be read are read in the background."""
        session = self._load(session_id)[1]
        if session.unread:
            self._read_later(session_id)
        return session

    def answer(
        self,
        session_id: str,
        qa_id: str,
        text: str,
        *,
        events: Sequence[Event] = (),
        latency_ms: int | None = None,
    ) -> tuple[Taken, Session]:
        """Take an answer to a question. Raises InterviewError for one that cannot be taken."""
        taken = Taken.SAVED

        def change(session: Session) -> Session:
            nonlocal taken
            taken = _taken(session, qa_id, text)
            if taken is not Taken.SAVED:
                return session
            session = loop.record(session, text, at=datetime.now(UTC), latency_ms=latency_ms)
            for event in events:
                session = loop.noted(session, event)
            return session

        session = self._change(session_id, change)
        return taken, session

    def edit(self, session_id: str, texts: dict[str, tuple[str, int]]) -> tuple[list[str], Session]:
        """Put other answers in the place of earlier ones, all of them or on an error none.

        texts  by the id of the question: the new answer, and how often it had been edited when the
               person saw it

        Returns the ids of those that were edited elsewhere meanwhile, which stay as they are.
        """
        stale: list[str] = []

        def change(session: Session) -> Session:
            for qa in session.qas:
                if qa.id not in texts or qa.answer is None or texts[qa.id][0] == qa.answer:
                    continue
                text, seen = texts[qa.id]
                if seen != len(qa.edited):
                    # What was typed before that other edit is among the earlier versions.
                    if all(text != one.answer for one in qa.edited):
                        stale.append(qa.id)
                    continue
                session = loop.edit(session, qa.id, text, at=datetime.now(UTC))
            return session

        return stale, self._change(session_id, change)

    def end(self, session_id: str) -> Session:
        """The person ends the questions; where these are over, nothing changes."""
        return self._change(
            session_id,
            lambda one: one if one.stopped else loop.end(one, at=datetime.now(UTC)),
        )

    def hand_in(self, session_id: str) -> Session:
        """The person hands the session in; it is submitted when its last answer is read."""

        def change(session: Session) -> Session:
            if session.status == "submitted" or is_handed_in(session):
                return session
            return loop.noted(session, Event(kind=HANDED_IN, at=datetime.now(UTC)))

        return self._change(session_id, change)

    def reorder(self, session_id: str, questions: Sequence[str]) -> Session:
        """Put pending questions first, in this order, on a researcher's word."""
        return self._change(
            session_id, lambda one: loop.reorder(one, questions, at=datetime.now(UTC))
        )

    # --- reading in the background

    def go_on(self) -> None:
        """Read what was left unread when the last process ended."""
        for status in ("running", "review"):
            for one in self._store.summaries(status=status):
                self._read_later(one.id)

    def wait(self, seconds: float) -> None:
        """Wait until nothing is being read, or so long."""
        waiting = threading.Event()
        steps = max(1, int(seconds / 0.02))
        for _ in range(steps):
            with self._reading_lock:
                if not self._reading:
                    return
            waiting.wait(0.02)

    def close(self) -> None:
        """End the reading; what is unread is read by the next process."""
        self._stopped.set()
        self._readers.shutdown(wait=True, cancel_futures=True)

    def _read_later(self, session_id: str) -> None:
        with self._reading_lock:
            if session_id in self._reading or self._stopped.is_set():
                return
            self._reading.add(session_id)
        self._readers.submit(self._read_all, session_id)

    def _read_all(self, session_id: str, wait: float = _FIRST_WAIT) -> None:
        """Read what is unread; where the model cannot be asked, again after so many seconds."""
        try:
            while not self._stopped.is_set() and self._read_one(session_id):
                wait = _FIRST_WAIT
        except OtherMindsError as error:
            if self._is_there(session_id):
                # Its words may hold an address or a reply: for the researcher's page, not the log.
                self._troubles[session_id] = str(error)
                LOG.warning("An answer could not be read (%s).", type(error).__name__)
                self._again_in(session_id, wait)
                return
        except Exception as error:
            LOG.error("An answer could not be read (%s).", type(error).__name__)
            self._troubles[session_id] = f"A fault of ours: {type(error).__name__}."
            self._again_in(session_id, _LONGEST_WAIT)
            return
        self._troubles.pop(session_id, None)
        with self._reading_lock:
            self._reading.discard(session_id)
        if self._unread_again(session_id):
            self._read_later(session_id)

    def _again_in(self, session_id: str, wait: float) -> None:
        """Read a session again after a wait, which takes no place from sessions that can be read."""

        def again() -> None:
            if not self._stopped.is_set():
                self._readers.submit(self._read_all, session_id, min(2 * wait, _LONGEST_WAIT))

        timer = threading.Timer(wait, again)
        timer.daemon = True
        timer.start()

    def _read_one(self, session_id: str) -> bool:
        """Read the first unread answer; False where there is none."""
        session = self._load(session_id)[1]
        if not session.unread:
            with self._lock(session_id):
                record, session = self._load(session_id)
                if not session.unread:
                    self._save(record, session, self._advanced(session))
                    return False
        qa = session.unread[0]
        reader = SessionReader(
            session.config.parameters, self._store, session_id, server=self._server
        )
        extraction = reader.read(session, qa)

        def change(now: Session) -> Session:
            same = now.qa(qa.id)
            is_same = same.answer == qa.answer and same.extraction is None
            # An answer that was edited meanwhile is read again.
            return loop.read(now, qa.id, extraction) if is_same else now

        self._change(session_id, change, read_later=False)
        return True

    def _is_there(self, session_id: str) -> bool:
        try:
            self._load(session_id)
        except OtherMindsError:
            return False
        return True

    def _unread_again(self, session_id: str) -> bool:
        """Whether an answer came in between the last look and the end of the reading."""
        if self._stopped.is_set():
            return False
        try:
            return bool(self._load(session_id)[1].unread)
        except OtherMindsError:
            return False

    # --- a step of a session

    def _change(self, session_id: str, change: Change, *, read_later: bool = True) -> Session:
        with self._lock(session_id):
            record, session = self._load(session_id)
            changed = self._advanced(change(session))
            self._save(record, session, changed)
        if read_later and changed.unread:
            self._read_later(session_id)
        return changed

    def _advanced(self, session: Session) -> Session:
        """The session with all that follows without anybody: read by rules, asked, submitted."""
        parameters = session.config.parameters
        if session.unread and parameters.model is None:
            reader = SessionReader(parameters, self._store, session.session_id)
            while session.unread:
                qa = session.unread[0]
                session = loop.read(session, qa.id, reader.read(session, qa))
        at = datetime.now(UTC)
        if is_handed_in(session):
            if session.stopped is not None and not session.unread:
                return loop.submit(session, session.participant_id, at=at)
            return session
        if loop.next_question(session) is not None:
            return loop.ask(session, at=at)
        return session

    def _load(self, session_id: str) -> tuple[Record, Session]:
        record = self._store.load(session_id)
        name = record.summary.config_hash
        if name not in self._configs:
            # What belongs to a hash never changes.
            self._configs[name] = self._store.config(name)
        return record, records.session_of(record, self._configs[name])

    def _save(self, record: Record, before: Session, session: Session) -> None:
        if session is not before:
            self._store.save(records.record_of(session), record.summary.revision, before=record)

    @contextmanager
    def _lock(self, session_id: str) -> Iterator[None]:
        with self._locks[hash(session_id) % _STRIPES]:
            yield


def is_handed_in(session: Session) -> bool:
    """Whether the person handed a session in, though its last answers may still be read."""
    return any(one.kind == HANDED_IN for one in reversed(session.events))


def _taken(session: Session, qa_id: str, text: str) -> Taken:
    current = session.current
    if current is not None and current.id == qa_id:
        return Taken.SAVED
    known = next((one for one in session.qas if one.id == qa_id), None)
    if known is None:
        return Taken.UNKNOWN
    was = {known.answer, *(one.answer for one in known.edited)}
    return Taken.KNOWN if text in was else Taken.ANOTHER
