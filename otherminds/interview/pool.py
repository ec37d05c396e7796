"""The question list: what may be asked, in which order, and what comes next (§A5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from otherminds.interview import fixed_order, guards, needs, wording
from otherminds.interview.config import Topic
from otherminds.interview.needs import Need
from otherminds.interview.session import QA, STANCE, Question, Session


def guiding(topic: Topic) -> tuple[Question, ...]:
    """The guiding questions of a topic, those of the tutorial first."""
    chosen = sorted(
        (one for one in topic.guiding if one.active), key=lambda one: one.category != "tutorial"
    )
    return tuple(
        Question(
            id=f"g{number}",
            text=one.text,
            short_text=one.short,
            category=one.category,
            kind="tutorial" if one.category == "tutorial" else "guiding",
            form="context",
            priority=2,
            template="guiding",
        )
        for number, one in enumerate(chosen, start=1)
    )


def refreshed(session: Session) -> tuple[Question, ...]:
    """The question list after an answer: what is no longer needed is stale, what is new comes last.

    An entry that is needed again is pending again. A question is skipped whose every wording is too like
    one asked about the same, or does not pass its form check.
    """
    wanted = {need.key: need for need in _needs(session)}
    entries = []
    for one in session.questions:
        if one.kind in ("tutorial", "guiding") or one.status == "asked":
            entries.append(one)
            continue
        need = wanted.pop(_key(one), None)
        if need is None:
            entries.append(one.model_copy(update={"status": "stale"}))
        else:
            entries.append(_fitting(session, need, entries, one))
    for need in wanted.values():
        entries.append(_fitting(session, need, entries, None))
    return tuple(entries)


def select(session: Session) -> Question | None:
    """The question to ask now: what a researcher put first, then by priority, importance, age and id.

    An isolated anchor is asked about at once. No two questions in a row are about the same concept
    while another is pending; general questions come last.
    """
    pending = session.pending
    if not pending or session.answered >= session.config.parameters.max_qas:
        return None
    if (first := _put_first(session, pending)) is not None:
        return first
    if session.interviewer == "fixed":
        return min(pending, key=lambda one: fixed_order.rank(session, one))
    last = next((qa for qa in reversed(session.qas) if qa.kind != "tutorial"), None)
    before = set() if last is None else concepts(last.target.source, last.target.node)
    return min(pending, key=lambda one: _rank(session, one, before))


def in_order(session: Session) -> list[Question]:
    """The pending questions as they would be asked if nothing more were said."""
    left = list(session.pending)
    found = []
    while left:
        # What was put first is gone through; after that, each would be the next.
        one = _put_first(session, left) or min(left, key=lambda one: _rank(session, one, set()))
        left.remove(one)
        found.append(one)
    return found


def _put_first(session: Session, pending: Sequence[Question]) -> Question | None:
    by_id = {one.id: one for one in pending}
    order = session.orders[-1].questions if session.orders else ()
    return next((by_id[one] for one in order if one in by_id), None)


def concepts(*keys: str | None) -> set[str]:
    """The concepts of a target; the stance, which all questions are about, is none."""
    return {key for key in keys if key is not None and key != STANCE}


class _Rank(NamedTuple):
    """The order of pending questions, the least first."""

    is_follow_up: bool
    is_not_urgent: bool
    is_general: bool
    is_repeated: bool
    priority: int
    is_generated: bool
    importance: float
    age: int
    number: int


def _rank(session: Session, question: Question, before: set[str]) -> _Rank:
    target = question.target
    node = session.state.nodes.get(target.source or target.node or "")
    return _Rank(
        is_follow_up=question.kind != "tutorial",
        is_not_urgent=question.priority != 1,
        is_general=question.priority == 4,
        is_repeated=bool(concepts(target.source, target.node) & before),
        priority=question.priority,
        is_generated=question.kind == "follow_up",
        importance=0.0 if node is None else -node.importance,
        age=0 if node is None else node.order,
        number=int(question.id[1:]),
    )


def _needs(session: Session) -> Iterable[Need]:
    return fixed_order.needs(session) if session.interviewer == "fixed" else needs.found(session)


def _key(question: Question) -> tuple[str, str | None, str | None]:
    return (needs.group(question.template), *question.target.key)


def _fitting(
    session: Session, need: Need, entries: list[Question], known: Question | None
) -> Question:
    """The pending entry for a need, in a wording that may be shown; skipped where there is none.

    Best is a wording unlike all that were asked; else, as concepts may have labels that are nearly
    alike, one that is unlike those asked about the same.
    """
    asked = [qa for qa in session.qas if qa.kind != "tutorial"]
    about_it = [qa for qa in asked if qa.target.key == need.target.key]
    if known is not None and known.status == "pending" and _is_new(session, known.text, about_it):
        return known
    turn = session.seed + sum(one.template in need.families for one in entries)
    number = len(entries) + 1 if known is None else int(known.id[1:])
    second: Question | None = None
    for family, text in _texts(session, need, turn):
        if _is_new(session, text, about_it):
            question = need.question(number, text=text, family=family, qa_id=_latest(session))
            if _is_new(session, text, asked):
                return question
            second = second or question
    if second is not None:
        return second
    skipped = need.question(number, text="", family=need.turn(turn)[0], qa_id=_latest(session))
    return skipped.model_copy(update={"status": "skipped"})


def _texts(session: Session, need: Need, turn: int) -> Iterator[tuple[str, str]]:
    """The families and texts of a need that pass the form check, from the one whose turn it is."""
    parameters, state = session.config.parameters, session.state
    for offset in range(need.wordings):
        family, number = need.turn(turn + offset)
        text = wording.worded(
            session.config.topic,
            state,
            family=family,
            number=number,
            target=need.target,
            form=need.form,
        )
        fault = guards.question_fault(parameters, state, text, target=need.target, form=need.form)
        if fault is None:
            yield family, text


def _is_new(session: Session, text: str, asked: Iterable[QA]) -> bool:
    most = session.config.parameters.similar_question
    return all(wording.similarity(text, one.question) <= most for one in asked)


def _latest(session: Session) -> str | None:
    return session.state.steps[-1].qa_id if session.state.steps else None
