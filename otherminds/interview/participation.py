"""How far people are on the pages of a study: their personal link, consent and questionnaire."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import Field

from otherminds.errors import OtherMindsError
from otherminds.interview.database import Database
from otherminds.interview.extraction import Unit
from otherminds.interview.store import Store, Survey, as_json, now, put_row, refuse_deleted
from otherminds.strict import Strict

_BYTES: Final = 32
"""Of a token: nobody guesses it."""

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of pseudonyms: without those that are taken for each other."""


class BeliefQuestion(Strict):
    """A belief of somebody's own interview that they are asked about again.

    test  the letter that their interview gave: A raises, B lowers
    """

    source_qa: str
    source: str
    target: str
    to_stance: bool
    test: str


class Progress(Strict):
    """How far somebody is.

    is_repeated  they came under a recruitment id that somebody had begun with before
    is_chosen    they are interviewed, and not asked the questionnaire alone
    private      answers that say who they are or where they live; never exported
    steps        the pages of the questionnaire that are filled in
    attention    whether they passed the attention check; None before it
    mismatches   times that another id was typed in at the end
    beliefs      when asked again: the beliefs that they are asked about
    agreement    when asked again: the share of fixed attributes that agree
    """

    consented_at: datetime | None = None
    is_repeated: bool = False
    is_chosen: bool = True
    private: dict[str, str] = Field(default_factory=dict)
    steps: tuple[str, ...] = ()
    attention: bool | None = None
    mismatches: int = 0
    submitted_at: datetime | None = None
    beliefs: tuple[BeliefQuestion, ...] = ()
    agreement: Unit | None = None


@dataclass(frozen=True)
class Participant:
    """Somebody in one wave of a study."""

    id: str
    wave: int
    progress: Progress
    created: str


def new_pseudonym() -> str:
    """A pseudonym that says nothing of when, or in which order, people came."""
    return f"P{''.join(secrets.choice(_LETTERS) for _ in range(10))}"


def hashed(token: str) -> str:
    """The hash by which a personal link is known."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Participants:
    """The participants of a study."""

    def __init__(self, store: Store) -> None:
        self._database: Database = store.database

    def admit(self, participant: str, progress: Progress, *, wave: int = 1) -> str:
        """Take somebody in, and return the token of their personal link, which nobody can look up.

        Who was taken in for that wave gets another one, and the earlier is void. Raises
        OtherMindsError for a person who was deleted.
        """
        from otherminds.interview.tables import PARTICIPANTS

        token = secrets.token_urlsafe(_BYTES)
        with self._database.writing() as connection:
            refuse_deleted(connection, participant)
            row = {
                "participant_id": participant,
                "wave": wave,
                "token_hash": hashed(token),
                "content": progress.model_dump_json(),
                "created": now(),
            }
            put_row(connection, PARTICIPANTS, row)
        return token

    def by_token(self, token: str) -> Participant | None:
        """Whose link it is; None for nobody's."""
        from otherminds.interview.tables import PARTICIPANTS

        return self._first(PARTICIPANTS.c.token_hash == hashed(token))

    def one(self, participant: str, wave: int = 1) -> Participant | None:
        """Somebody in a wave."""
        from otherminds.interview.tables import PARTICIPANTS

        whose = PARTICIPANTS.c.participant_id == participant
        return self._first(whose & (PARTICIPANTS.c.wave == wave))

    def all(self, wave: int | None = None) -> list[Participant]:
        """Everybody, in the order in which they came."""
        from sqlalchemy import select

        from otherminds.interview.tables import PARTICIPANTS

        query = select(PARTICIPANTS).order_by(PARTICIPANTS.c.created, PARTICIPANTS.c.participant_id)
        if wave is not None:
            query = query.where(PARTICIPANTS.c.wave == wave)
        with self._database.reading() as connection:
            return [_participant(row) for row in connection.execute(query).mappings()]

    def left_out(self) -> dict[str, str]:
        """Who is left out whatever they said, and why: the first of `quality.BEFORE` that applies."""
        found = {one.id: _reason(one.progress) for one in self.all(1)}
        return {person: reason for person, reason in found.items() if reason is not None}

    def save(self, participant: Participant, **changes: Any) -> Participant:
        """Write how far somebody is. Raises OtherMindsError for somebody who is gone."""
        from sqlalchemy import update

        from otherminds.interview.tables import PARTICIPANTS

        progress = participant.progress.model_copy(update=changes)
        whose = PARTICIPANTS.c.participant_id == participant.id
        query = update(PARTICIPANTS).where(whose, PARTICIPANTS.c.wave == participant.wave)
        with self._database.writing() as connection:
            done = connection.execute(query.values(content=progress.model_dump_json()))
            if done.rowcount != 1:
                raise OtherMindsError("This person is not in the study any more.")
        return Participant(participant.id, participant.wave, progress, participant.created)

    # --- answers of people who are asked again

    def add_again(
        self, wave: int, answers: Iterable[Survey], demographics: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Write what people answered in a later wave; an answer takes the place of the earlier one."""
        from otherminds.interview.tables import PEOPLE_AGAIN, SURVEY_AGAIN

        with self._database.writing() as connection:
            for person, said in demographics.items():
                refuse_deleted(connection, person)
                whose = {"participant_id": person, "wave": wave}
                put_row(connection, PEOPLE_AGAIN, {**whose, "demographics": as_json(dict(said))})
            for one in answers:
                refuse_deleted(connection, one.participant_id)
                row = {**vars(one), "wave": wave, "content": as_json(one.content)}
                put_row(connection, SURVEY_AGAIN, row)

    def survey_again(self, wave: int = 2) -> list[Survey]:
        """What people answered in a later wave."""
        import json

        from sqlalchemy import select

        from otherminds.interview.tables import SURVEY_AGAIN

        table = SURVEY_AGAIN
        columns = [one for one in table.c if one.name != "wave"]
        order = (table.c.participant_id, table.c.topic, table.c.number)
        query = select(*columns).where(table.c.wave == wave).order_by(*order)
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [Survey(**{**row, "content": json.loads(row["content"])}) for row in rows]

    def demographics_again(self, wave: int = 2) -> dict[str, dict[str, str]]:
        """What people said of themselves in a later wave."""
        import json

        from sqlalchemy import select

        from otherminds.interview.tables import PEOPLE_AGAIN

        query = select(PEOPLE_AGAIN).where(PEOPLE_AGAIN.c.wave == wave)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return {row.participant_id: json.loads(row.demographics) for row in rows}

    def _first(self, condition: Any) -> Participant | None:
        from sqlalchemy import select

        from otherminds.interview.tables import PARTICIPANTS

        with self._database.reading() as connection:
            row = connection.execute(select(PARTICIPANTS).where(condition)).mappings().first()
        return None if row is None else _participant(row)


def _reason(progress: Progress) -> str | None:
    if progress.is_repeated:
        return "repeated_id"
    if progress.consented_at is None:
        return "consent_missing"
    if progress.attention is False:
        return "attention_check"
    return "id_mismatch" if progress.mismatches and progress.submitted_at is None else None


def _participant(row: Any) -> Participant:
    progress = Progress.model_validate_json(row["content"])
    return Participant(row["participant_id"], row["wave"], progress, row["created"])
