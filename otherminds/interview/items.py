"""Items from interviews: beliefs read off single answers, each with what may be shown with it.

Sources are polarity questions alone: there the person was asked for the sign. What an item's interview
shows is decided by ids of questions, never by wording: the paper's released items leak where stored and
shown wordings differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Annotated, Final, Literal

from pydantic import Field

from otherminds.interview.calls import Caller
from otherminds.interview.prompts import prompt
from otherminds.interview.reading import data_message
from otherminds.interview.session import QA, STANCE, Edge, Session
from otherminds.interview.store import Survey
from otherminds.strict import Strict

MOST: Final = 10
"""Items of one interview."""

TELLING: Final = 25
"""From this length on, an answer found within another one is a quotation."""

_SAME_QUESTION, _SAME_FACTOR = 0.9, 0.8

POSITIVE: Final = "POSITIVE effect"
NEGATIVE: Final = "NEGATIVE effect"


@dataclass(frozen=True)
class Belief:
    """One belief that a polarity question shows (BSI).

    source_qa         id of the question that it was read off
    source, target    the factors, as labels
    edge              the link in the session's graph, by the ids of its nodes; None where it has none
    sign              1 or −1
    dependency_level  0: a reader without the interview would guess it; 1: needs one other answer;
                      2: needs several
    reasoning         why it is so; never shown
    """

    question: str
    source_qa: str
    source: str
    target: str
    edge: tuple[str, str] | None
    sign: int
    dependency_level: int
    reasoning: str


@dataclass(frozen=True)
class BeliefItem:
    """A belief and the interview that is shown with it.

    context  the exchanges that are shown
    masked   ids of those that are not, because they would show the answer
    """

    participant_id: str
    topic: str
    demographics: Mapping[str, str]
    belief: Belief
    context: tuple[QA, ...]
    masked: tuple[str, ...]
    source: QA


@dataclass(frozen=True)
class SurveyItem:
    """One answer to the questionnaire (BDU) and the whole interview on its topic."""

    participant_id: str
    topic: str
    demographics: Mapping[str, str]
    answer: Survey
    context: tuple[QA, ...]


@dataclass(frozen=True)
class Items:
    """The items of a study.

    without_survey  interviews whose person has no answers to the questionnaire on the topic
    """

    beliefs: tuple[BeliefItem, ...] = ()
    survey: tuple[SurveyItem, ...] = ()
    without_survey: tuple[str, ...] = field(default=())


class LeakError(Exception):
    """An item shows the answer that it was made from: a fault of ours."""


def read_beliefs(session: Session) -> list[Belief]:
    """The beliefs that the polarity questions of a session show, by what was read out of their answers.

    One for each link that such an answer gives a sign to, unless all answers together say the opposite.
    The level is the number of other answers in which the factors were first named, at most 2.
    """
    policy = session.config.topic.stance_label
    nodes = session.state.nodes
    found = []
    for qa in _sources(session):
        for edge in session.state.edges.values():
            sign = _sign_at(edge, qa.id)
            if sign is None:
                continue
            labels = nodes[edge.source].label, nodes[edge.target].label
            first = {nodes[one].created_at_qa for one in (edge.source, edge.target)}
            others = first - {qa.id, None}
            moved = f"this person's {policy}" if edge.target == STANCE else labels[1]
            verb = "raises" if sign > 0 else "lowers"
            found.append(
                Belief(
                    question=(
                        f"In this person's view, what effect does {labels[0]} have on {moved}? POSITIVE "
                        "means that it raises it, NEGATIVE that it lowers it."
                    ),
                    source_qa=qa.id,
                    source=labels[0],
                    target=labels[1],
                    edge=(edge.source, edge.target),
                    sign=sign,
                    dependency_level=min(len(others), 2),
                    reasoning=f"The answer to {qa.id} says that {labels[0]} {verb} {labels[1]}.",
                )
            )
    return found


class _Item(Strict):
    question: Annotated[str, Field(min_length=10, max_length=400)]
    source_qa: str
    factor_from: Annotated[str, Field(min_length=1, max_length=80)]
    factor_to: Annotated[str, Field(min_length=1, max_length=80)]
    answer: Literal["A", "B"]
    dependency_level: Annotated[int, Field(ge=0, le=2)]
    reasoning: str


class _Items(Strict):
    items: tuple[_Item, ...]


def asked_beliefs(session: Session, caller: Caller) -> list[Belief]:
    """The same by a language model (request `bsi_items`); empty where it gives no result.

    Entries whose source is no polarity question of the session are dropped, and counted.
    """
    topic = session.config.topic
    shown = [
        {"id": qa.id, "form": qa.form, "question": qa.question, "answer": qa.answer}
        for qa in _shown(session)
    ]
    system = prompt("bsi_items", policy=topic.policy, most=MOST)
    messages = [{"role": "system", "content": system}, data_message(shown)]
    reply = caller.ask("bsi_items", messages, _Items)
    sources = {qa.id for qa in _sources(session)}
    found = []
    for one in reply.items if reply else ():
        if one.source_qa not in sources:
            caller.counts["bsi_items: no polarity question"] += 1
            continue
        found.append(
            Belief(
                question=one.question,
                source_qa=one.source_qa,
                source=one.factor_from,
                target=one.factor_to,
                edge=_edge_of(session.qa(one.source_qa)),
                sign=1 if one.answer == "A" else -1,
                dependency_level=one.dependency_level,
                reasoning=one.reasoning,
            )
        )
    return found


def chosen(beliefs: Iterable[Belief], most: int = MOST) -> list[Belief]:
    """At most so many beliefs: those that depend on the interview first, of different factors first.

    Of one pair of factors, and of questions that are nearly the same, the first counts alone. In the
    order of the interview.
    """
    given = [*beliefs]
    order = sorted(range(len(given)), key=lambda place: (given[place].dependency_level == 0, place))
    kept: list[int] = []
    for place in order:
        if len(kept) < most and not any(_alike(given[place], given[one]) for one in kept):
            kept.append(place)
    return [given[place] for place in sorted(kept)]


def masked(session: Session, belief: Belief) -> tuple[tuple[QA, ...], tuple[str, ...]]:
    """The exchanges that an item may show, and the ids of those that would show its answer.

    Left out are the source, questions about the same link, and answers that are the source's or hold it,
    from `TELLING` letters on. The tutorial is in neither.
    """
    said = plain(session.qa(belief.source_qa).answer or "")
    kept, hidden = [], []
    for qa in _shown(session):
        is_same_link = belief.edge is not None and _edge_of(qa) == belief.edge
        repeats = len(said) >= TELLING and said in plain(qa.answer or "")
        if qa.id == belief.source_qa or is_same_link or repeats:
            hidden.append(qa.id)
        else:
            kept.append(qa)
    return tuple(kept), tuple(hidden)


def of_session(
    session: Session,
    beliefs: Iterable[Belief],
    survey: Sequence[Survey],
    demographics: Mapping[str, str],
) -> Items:
    """The items of one session. Raises LeakError where an item would show its answer."""
    person, topic = session.participant_id, session.topic
    found = []
    for belief in chosen(beliefs):
        context, hidden = masked(session, belief)
        item = BeliefItem(
            person,
            topic,
            demographics,
            belief,
            context,
            hidden,
            session.qa(belief.source_qa),
        )
        if leaks(item):
            raise LeakError(f"the item from {belief.source_qa} of {session.session_id}")
        found.append(item)
    answers = [one for one in survey if (one.participant_id, one.topic) == (person, topic)]
    whole = _shown(session)
    items = tuple(SurveyItem(person, topic, demographics, one, whole) for one in answers)
    return Items(tuple(found), items, () if answers else (session.session_id,))


def leaks(item: BeliefItem) -> bool:
    """Whether any text that is shown is, or holds, the answer of an exchange that is masked."""
    said = plain(item.source.answer or "")
    texts = [item.belief.question, *item.demographics.values()]
    texts += [text for qa in item.context for text in (qa.question, qa.answer or "")]
    ids = {qa.id for qa in item.context}
    return item.belief.source_qa in ids or (
        len(said) >= TELLING and any(said in plain(text) for text in texts)
    )


def joined(parts: Iterable[Items]) -> Items:
    """The items of several sessions."""
    found = [*parts]
    return Items(
        tuple(item for part in found for item in part.beliefs),
        tuple(item for part in found for item in part.survey),
        tuple(name for part in found for name in part.without_survey),
    )


def plain(text: str) -> str:
    """A text without differences of case, spaces and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded))


def _shown(session: Session) -> tuple[QA, ...]:
    return tuple(qa for qa in session.qas if qa.answer is not None and qa.kind != "tutorial")


def _sources(session: Session) -> list[QA]:
    return [qa for qa in _shown(session) if qa.form == "polarity" and not qa.blocked]


def _sign_at(edge: Edge, qa_id: str) -> int | None:
    """The sign that an answer gives a link, where all answers together do not say the opposite."""
    signs = {one.polarity for one in edge.evidence if one.qa_id == qa_id} - {0, None}
    if len(signs) != 1:
        return None
    [sign] = signs
    return sign if sign == edge.polarity else None


def _edge_of(qa: QA) -> tuple[str, str] | None:
    target = qa.target
    return (target.source, target.node) if target.source and target.node else None


def _alike(one: Belief, other: Belief) -> bool:
    if one.edge is not None and one.edge == other.edge:
        return True
    pairs = ((one.source, other.source), (one.target, other.target))
    if any(_similarity(*pair) < _SAME_FACTOR for pair in pairs):
        # Questions of one template differ in their factors alone.
        return False
    return (
        all(plain(first) == plain(second) for first, second in pairs)
        or _similarity(one.question, other.question) > _SAME_QUESTION
    )


def _similarity(first: str, second: str) -> float:
    return SequenceMatcher(None, plain(first), plain(second), autojunk=False).ratio()
