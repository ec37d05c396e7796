"""The steps of a session (§A4): begin, ask, take an answer, take what was read out of it, edit, end.

Every step is a pure function from a session to another. Which question comes next follows from the
session alone: no model, no clock and no chance decide it. Times are given by the caller.

    session = begin(config, session_id="s1", participant_id="p1")
    while next_question(session) is not None:
        session = ask(session)
        session = answer(session, text, extraction)

An answer may come in before the one before it is read: `record` takes the text, `read` what was read
out of it, and results enter the graph in the order of the questions, whatever order they come in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from otherminds.interview import network, pool, stopping
from otherminds.interview.config import Config
from otherminds.interview.errors import InterviewError
from otherminds.interview.extraction import Extraction
from otherminds.interview.session import (
    QA,
    Event,
    Moment,
    Order,
    Question,
    Session,
    Version,
    check_pseudonym,
)


def begin(
    config: Config,
    *,
    session_id: str,
    participant_id: str,
    seed: int = 0,
    wave: int = 1,
    interviewer: Literal["adaptive", "fixed"] = "adaptive",
    motifs: Mapping[str, float] | None = None,
    model: Mapping[str, str] | None = None,
    at: datetime | None = None,
) -> Session:
    """A new session: its graph is the stance, its question list the guiding questions.

    Raises InterviewError for a pseudonym that cannot be kept.
    """
    check_pseudonym(participant_id)
    return Session(
        session_id=session_id,
        participant_id=participant_id,
        config=config,
        config_hash=config.hash,
        seed=seed,
        wave=wave,
        interviewer=interviewer,
        motifs=dict(motifs or {}),
        model=dict(model or {}),
        status="running",
        created_at=at,
        updated_at=at,
        questions=pool.guiding(config.topic),
        state=network.initial(config.topic),
        events=(Event(kind="created", at=at),),
    )


def next_question(session: Session) -> Question | None:
    """The question to ask now; None while one is open, while all wait for answers to be read, and at
    the end (`session.stopped` says why)."""
    if session.current is not None or session.stopped is not None:
        return None
    return pool.select(session)


def ask(session: Session, *, text: str | None = None, at: datetime | None = None) -> Session:
    """Ask `next_question`; where one is open already, the session as it is (nothing is asked twice).

    text  another wording of the question, such as a model's; its form must have been checked by
          `guards.question_fault`

    Raises InterviewError where there is nothing to ask.
    """
    if session.current is not None:
        return session
    question = next_question(session)
    if question is None:
        why = session.stopped or ("answers are being read" if session.unread else "nothing to ask")
        raise InterviewError(f"Session {session.session_id} has no question to ask: {why}.")
    qa = QA(
        id=f"q{len(session.qas) + 1}",
        number=len(session.qas) + 1,
        question=question.text if text is None else text,
        kind=question.kind,
        form=question.form,
        priority=None if question.kind == "tutorial" else question.priority,
        template=question.template,
        target=question.target,
        asked_at=at,
    )
    return _progressed(
        session.model_copy(
            update={
                "qas": (*session.qas, qa),
                "questions": tuple(
                    one.model_copy(update={"status": "asked"}) if one.id == question.id else one
                    for one in session.questions
                ),
                "updated_at": at or session.updated_at,
            }
        )
    )


def record(
    session: Session,
    text: str,
    *,
    at: datetime | None = None,
    input_mode: Literal["text", "voice"] = "text",
    latency_ms: int | None = None,
) -> Session:
    """Take the answer to the open question, word for word; what it says is read later (`read`).

    Raises InterviewError where no question is open, and for a text that is too long or that no
    database can store.
    """
    qa = session.current
    if qa is None:
        raise InterviewError(f"Session {session.session_id} has no open question to answer.")
    check_answer(session, text)
    done = qa.model_copy(
        update={
            "answer": text,
            "answered_at": at,
            "input_mode": input_mode,
            "latency_ms": latency_ms,
            "extraction": Extraction() if qa.kind == "tutorial" else None,
        }
    )
    recorded = _with_qa(session, done).model_copy(update={"updated_at": at or session.updated_at})
    return _settled(recorded) if qa.kind == "tutorial" else recorded


def read(session: Session, qa_id: str, extraction: Extraction) -> Session:
    """Take what was read out of an answer; once it is there, the session stays as it is.

    Raises InterviewError where that question is not known or has no answer yet.
    """
    qa = _known(session, qa_id)
    if qa.answer is None:
        raise InterviewError(f"{qa_id} of session {session.session_id} has no answer to read yet.")
    if qa.extraction is not None:
        return session
    found = network.sieved(session.config, qa, extraction)
    if session.qas[-1].id != qa_id and not qa.edited:
        found = found.model_copy(update={"read_when": moment(session)})
    return _settled(_with_qa(session, found))


def answer(
    session: Session,
    text: str,
    extraction: Extraction,
    *,
    at: datetime | None = None,
    input_mode: Literal["text", "voice"] = "text",
    latency_ms: int | None = None,
) -> Session:
    """`record` and `read` in one step."""
    qa = session.current
    recorded = record(session, text, at=at, input_mode=input_mode, latency_ms=latency_ms)
    return recorded if qa is None else read(recorded, qa.id, extraction)


def edit(
    session: Session,
    qa_id: str,
    text: str,
    extraction: Extraction | None = None,
    *,
    at: datetime | None = None,
) -> Session:
    """Put another answer in the place of an earlier one; the earlier version is kept.

    The graph is built again from all answers, as if this one had been given first; without
    `extraction` the answer waits for `read`. What was asked stays asked, and the stage stays. Raises
    InterviewError.
    """
    qa = _known(session, qa_id)
    if qa.answer is None:
        raise InterviewError(f"{qa_id} of session {session.session_id} has no answer to edit yet.")
    if session.status == "submitted":
        raise InterviewError(f"Session {session.session_id} is handed in, and stays as it is.")
    check_answer(session, text)
    changed = qa.model_copy(
        update={
            "answer": text,
            "extraction": Extraction() if qa.kind == "tutorial" else None,
            "dropped": {},
            "edited": (
                *qa.edited,
                Version(answer=qa.answer, at=qa.answered_at, replaced=moment(session)),
            ),
            "answered_at": at or qa.answered_at,
        }
    )
    if extraction is not None and qa.kind != "tutorial":
        changed = network.sieved(session.config, changed, extraction)
    return _settled(
        _with_qa(session, changed).model_copy(
            update={
                "updated_at": at or session.updated_at,
                "events": (*session.events, Event(kind="edited", at=at, qa_id=qa_id)),
            }
        ),
        again=True,
    )


def moment(session: Session) -> Moment:
    """Where a session stands, as its edits tell it."""
    return Moment(
        edits=sum(len(qa.edited) for qa in session.qas),
        asked=len(session.qas),
        answered=sum(qa.answer is not None for qa in session.qas),
        over=session.stopped is not None,
    )


def end(session: Session, *, at: datetime | None = None) -> Session:
    """The person ends the questions: the open one is taken back, and the review begins."""
    if session.stopped is not None:
        return session
    return session.model_copy(
        update={
            "qas": tuple(qa for qa in session.qas if qa.answer is not None),
            "stopped": "person",
            "status": "review",
            "progress": 1.0,
            "updated_at": at or session.updated_at,
            "events": (*session.events, Event(kind="ended", at=at)),
        }
    )


def submit(session: Session, participant_id: str, *, at: datetime | None = None) -> Session:
    """Hand the session in, after the review. Raises InterviewError where the id does not match."""
    if session.status == "submitted":
        return session
    if session.stopped is None or session.unread:
        raise InterviewError(
            f"Session {session.session_id} is not over yet: end it, and let every answer be read."
        )
    if participant_id != session.participant_id:
        raise InterviewError(
            f"This id is not the one with which session {session.session_id} began."
        )
    return session.model_copy(
        update={
            "status": "submitted",
            "submitted_at": at,
            "updated_at": at or session.updated_at,
            "events": (*session.events, Event(kind="submitted", at=at)),
        }
    )


def reorder(session: Session, questions: Sequence[str], *, at: datetime | None = None) -> Session:
    """Put pending questions first, in this order. Raises InterviewError for any that is not pending."""
    if unknown := sorted(set(questions) - {one.id for one in session.pending}):
        raise InterviewError(
            f"Session {session.session_id} has no pending question {', '.join(unknown)}: it was asked "
            "meanwhile, or is not needed any more."
        )
    order = Order(questions=tuple(questions), at=at, when=moment(session))
    return session.model_copy(
        update={
            "orders": (*session.orders, order),
            "events": (*session.events, Event(kind="reordered", at=at)),
        }
    )


def noted(session: Session, event: Event) -> Session:
    """The session with one more event."""
    return session.model_copy(update={"events": (*session.events, event)})


def check_answer(session: Session, text: str) -> None:
    """Raise InterviewError for an answer that cannot be taken; an empty one can."""
    most = session.config.parameters.max_answer_chars
    if len(text) > most:
        raise InterviewError(
            f"The answer has {len(text):,} characters; at most {most:,} can be taken. Shorten it."
        )
    if "\x00" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise InterviewError("The answer holds signs that are no text; type it again.")


def _known(session: Session, qa_id: str) -> QA:
    try:
        return session.qa(qa_id)
    except KeyError:
        raise InterviewError(f"Session {session.session_id} has no question {qa_id}.") from None


def _with_qa(session: Session, changed: QA) -> Session:
    qas = tuple(changed if qa.id == changed.id else qa for qa in session.qas)
    return session.model_copy(update={"qas": qas})


def _settled(session: Session, *, again: bool = False) -> Session:
    """The session with its graph, stage, question list and end brought up to its answers."""
    state = network.fold(session, again=again)
    stage = 2 if session.stage == 2 or network.anchors_reach_stage_2(session, state) else 1
    current = session.model_copy(update={"state": state, "stage": stage})
    current = current.model_copy(update={"questions": pool.refreshed(current)})
    if current.stopped is None and (why := stopping.reason(current)) is not None:
        ended = Event(kind="stopped", at=current.updated_at, what=why)
        current = current.model_copy(
            update={"stopped": why, "status": "review", "events": (*current.events, ended)}
        )
    return _progressed(current)


def _progressed(session: Session) -> Session:
    """The share of asked questions among asked and pending ones; it never falls."""
    if session.stopped is not None:
        return session.model_copy(update={"progress": 1.0})
    most = session.config.parameters.max_qas
    ahead = min(len(session.pending), max(0, most - session.asked))
    share = session.answered / max(1, session.asked + ahead)
    return session.model_copy(update={"progress": max(session.progress, share)})
