"""Asking the same people again: whom, about what, and how far they agree with themselves.

The table that comes of it is the one that `otherminds ceiling` reads.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from otherminds.interview import demographics, records
from otherminds.interview.items import Belief, chosen, read_beliefs
from otherminds.interview.participation import BeliefQuestion, Participant, Participants, Progress
from otherminds.interview.questionnaire import LETTERS
from otherminds.interview.recruitment import Recruitment
from otherminds.interview.session import STANCE
from otherminds.interview.store import Store, Survey
from otherminds.interview.study_settings import Study
from otherminds.sheets import defused

WAVE: Final = 2

COLUMNS: Final = ("participant_id", "topic", "question_id", "low", "high", "test", "retest")
"""Of the table; `otherminds ceiling` reads it."""

_LETTER: Final = {1: "A", -1: "B"}


@dataclass(frozen=True)
class Invitation:
    """A personal link for somebody to be asked again; the id is the platform's, not the pseudonym."""

    recruited_as: str
    token: str


@dataclass(frozen=True)
class Again:
    """Where somebody stands with the retest.

    due  since when they may be invited
    """

    person: str
    due: datetime
    is_invited: bool
    is_back: bool
    agreement: float | None


def standing(participants: Participants, study: Study) -> list[Again]:
    """Everybody who handed in, by the time from which they may be invited."""
    again = {one.id: one for one in participants.all(WAVE)}
    found = []
    for one in participants.all(1):
        if one.progress.submitted_at is None or one.progress.is_repeated:
            continue
        second = again.get(one.id)
        found.append(
            Again(
                one.id,
                one.progress.submitted_at + timedelta(days=study.retest_days),
                second is not None,
                second is not None and second.progress.submitted_at is not None,
                None if second is None else second.progress.agreement,
            )
        )
    return sorted(found, key=lambda one: one.due)


def invite(
    store: Store,
    participants: Participants,
    recruitment: Recruitment,
    study: Study,
    people: Sequence[str],
) -> list[Invitation]:
    """Links for these people, who are asked about beliefs of their own interview too.

    Whoever was invited and is not back gets a new link, and the earlier is void.
    """
    found = []
    for person in people:
        recruited_as = recruitment.id_of(person)
        if recruited_as is None:
            continue
        before = participants.one(person, WAVE)
        if before is not None and before.progress.submitted_at is not None:
            continue
        progress = Progress(beliefs=tuple(_beliefs(store, person, study)), is_chosen=False)
        if before is not None:
            progress = before.progress
        found.append(Invitation(recruited_as, participants.admit(person, progress, wave=WAVE)))
    return found


def due(participants: Participants, study: Study, at: datetime | None = None) -> list[str]:
    """Who may be invited now, and was not."""
    now = at or datetime.now(UTC)
    return [
        one.person for one in standing(participants, study) if one.due <= now and not one.is_invited
    ]


def invitations_csv(invitations: Sequence[Invitation], address: str) -> str:
    """A table for the recruitment platform: its id, and the link. No pseudonym stands in it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("recruitment_id", "link"))
    for one in sorted(invitations, key=lambda one: one.recruited_as):
        writer.writerow((defused(one.recruited_as), f"{address.rstrip('/')}/p/{one.token}"))
    return text.getvalue()


def agreement(store: Store, study: Study, second: Participant, said: dict[str, str]) -> float:
    """The share of fixed attributes in which somebody agrees with what they said before."""
    before = store.demographics().get(second.id, {})
    return demographics.agreement(study.demographics, before, said)


def table(store: Store, participants: Participants, study: Study) -> list[tuple[str, ...]]:
    """Both answers to each question of people who came back and whose attributes agree.

    Beliefs have the letters of their items, on the scale 0 to 0.
    """
    back = {
        one.id: one
        for one in participants.all(WAVE)
        if one.progress.submitted_at is not None
        and (one.progress.agreement or 0.0) >= study.same_attributes
    }
    again = {_key(one): one for one in participants.survey_again(WAVE)}
    rows: list[tuple[str, ...]] = []
    for first in store.survey():
        second = again.get(_key(first))
        if first.participant_id in back and second is not None:
            low, high = first.content["scale"]
            answers = str(first.content["answer"]), str(second.content["answer"])
            rows.append((*_key(first), str(low), str(high), *answers))
    for person, one in back.items():
        rows += _belief_rows(person, one.progress.beliefs, again)
    return rows


def table_csv(rows: Sequence[Sequence[str]]) -> str:
    """The table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    return text.getvalue()


def belief_id(belief: BeliefQuestion) -> str:
    """The id of the question about a belief."""
    return f"belief {belief.source_qa} {belief.source} → {belief.target}"


def belief_survey(
    person: str, topic: str, number: int, belief: BeliefQuestion, letter: str, text: str
) -> Survey:
    """The answer to such a question as the database keeps it."""
    content = {"question": text, "options": LETTERS, "answer": letter, "scale": [0, 0]}
    return Survey(person, topic, belief_id(belief), number, content)


def _belief_rows(
    person: str, beliefs: Sequence[BeliefQuestion], again: dict[tuple[str, str, str], Survey]
) -> Iterator[tuple[str, ...]]:
    by_id = {
        (topic, question): one for (who, topic, question), one in again.items() if who == person
    }
    for belief in beliefs:
        for (topic, question), one in by_id.items():
            if question == belief_id(belief):
                yield (person, topic, question, "0", "0", belief.test, str(one.content["answer"]))


def _beliefs(store: Store, person: str, study: Study) -> Iterator[BeliefQuestion]:
    found: list[Belief] = []
    for one in store.summaries(participant=person, status="submitted"):
        record = store.load(one.id)
        found += read_beliefs(records.session_of(record, store.config(one.config_hash)))
    for belief in chosen(found, study.retest_beliefs):
        to_stance = belief.edge is not None and belief.edge[1] == STANCE
        yield BeliefQuestion(
            source_qa=belief.source_qa,
            source=belief.source,
            target=belief.target,
            to_stance=to_stance,
            test=_LETTER[belief.sign],
        )


def _key(one: Survey) -> tuple[str, str, str]:
    return (one.participant_id, one.topic, one.question_id)
