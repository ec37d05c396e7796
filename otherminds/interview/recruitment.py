"""Who people are on the platform that they were recruited on, apart from all that they say, encrypted.

Fernet (AES-128 in CBC mode with HMAC-SHA256) keeps the ids; a keyed hash of each finds its person again.
The key is never in the database: it stands in $OTHERMINDS_INTERVIEW_KEY, or in a file of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import TYPE_CHECKING, Final

from otherminds.errors import OtherMindsError
from otherminds.interview.database import needed
from otherminds.interview.private_files import write_private
from otherminds.interview.session import check_pseudonym
from otherminds.interview.store import refuse_deleted

if TYPE_CHECKING:
    from otherminds.interview.store import Store

VARIABLE: Final = "OTHERMINDS_INTERVIEW_KEY"
KEY_FILE: Final = "recruitment.key"
_FINDING = b"find a recruitment id"


class Recruitment:
    """The recruitment ids of a study.

    create  make a key where there is none, in the folder of the study; else OtherMindsError
    """

    def __init__(self, store: Store, *, create: bool = False) -> None:
        needed("cryptography")
        from cryptography.fernet import Fernet

        self._database = store.database
        key = _key(store, create=create)
        try:
            self._box = Fernet(key)
        except ValueError as error:
            raise OtherMindsError(
                f"The key of the recruitment ids is none: 44 letters, as {KEY_FILE} has them."
            ) from error
        self._check_key()
        # The two uses of one key do not meet.
        self._finding = hmac.new(key, _FINDING, hashlib.sha256).digest()

    def _check_key(self) -> None:
        """Raise OtherMindsError where ids were encrypted with another key: nobody would find them."""
        from sqlalchemy import select

        from otherminds.interview.tables import RECRUITMENT

        with self._database.reading() as connection:
            token = connection.execute(select(RECRUITMENT.c.token).limit(1)).scalar()
        if token is not None:
            self._opened(token)

    def _opened(self, token: bytes) -> str:
        from cryptography.fernet import InvalidToken

        try:
            return self._box.decrypt(bytes(token)).decode()
        except InvalidToken as error:
            raise OtherMindsError(
                f"The key of the recruitment ids is not the one that they were encrypted with: set "
                f"{VARIABLE} to the study's, or put it into {KEY_FILE}. Interviews go on without it, "
                "if nobody's id is given."
            ) from error

    def add(self, participant: str, recruited_as: str) -> None:
        """Keep the id that a person has on the platform.

        Raises OtherMindsError where another person has it, or this person another one, or was deleted.
        """
        self._insert(participant, self._find(recruited_as), recruited_as)

    def _insert(self, participant: str, finding: str, recruited_as: str) -> None:
        from sqlalchemy import insert, select

        from otherminds.interview.tables import RECRUITMENT

        check_pseudonym(participant)
        with self._database.writing() as connection:
            refuse_deleted(connection, participant)
            same = (RECRUITMENT.c.participant_id == participant) | (
                RECRUITMENT.c.finding == finding
            )
            rows = connection.execute(select(RECRUITMENT).where(same)).all()
            if [(row.participant_id, row.finding) for row in rows] == [(participant, finding)]:
                return
            if rows:
                raise OtherMindsError(
                    f"This recruitment id belongs to another person than '{participant}', or "
                    f"'{participant}' has another one."
                )
            connection.execute(
                insert(RECRUITMENT).values(
                    participant_id=participant,
                    finding=finding,
                    token=self._box.encrypt(recruited_as.strip().encode()),
                )
            )

    def admit(self, participant: str, recruited_as: str) -> bool:
        """Keep the id of somebody who is new; whether nobody had it before.

        Who comes a second time is not turned away: that would tell anybody which ids take part.
        """
        if self.person(recruited_as) is None:
            self.add(participant, recruited_as)
            return True
        # Such a row is found by its own finding alone, and the first one stays the id's.
        self._insert(
            participant, self._find(f"{recruited_as.strip()}\0{participant}"), recruited_as
        )
        return False

    def people(self, recruited_as: str) -> list[str]:
        """All pseudonyms of an id, the first one first."""
        from sqlalchemy import select

        from otherminds.interview.tables import RECRUITMENT

        first = self.person(recruited_as)
        with self._database.reading() as connection:
            rows = connection.execute(select(RECRUITMENT.c.participant_id, RECRUITMENT.c.token))
            others = [
                row.participant_id
                for row in rows.all()
                if row.participant_id != first and self._opened(row.token) == recruited_as.strip()
            ]
        return [*([] if first is None else [first]), *others]

    def is_id_of(self, participant: str, recruited_as: str) -> bool:
        """Whether a person has this id; in the same time, whatever is wrong with it."""
        known = self.id_of(participant) or ""
        return hmac.compare_digest(known.encode(), recruited_as.strip().encode())

    def person(self, recruited_as: str) -> str | None:
        """The pseudonym of a person by their id on the platform; None for nobody's."""
        from sqlalchemy import select

        from otherminds.interview.tables import RECRUITMENT

        query = select(RECRUITMENT.c.participant_id)
        query = query.where(RECRUITMENT.c.finding == self._find(recruited_as))
        with self._database.reading() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else str(found)

    def id_of(self, participant: str) -> str | None:
        """The id of a person on the platform, to invite them again; None where there is none.

        Raises OtherMindsError where the key is not the one that it was encrypted with.
        """
        from sqlalchemy import select

        from otherminds.interview.tables import RECRUITMENT

        query = select(RECRUITMENT.c.token).where(RECRUITMENT.c.participant_id == participant)
        with self._database.reading() as connection:
            token = connection.execute(query).scalar()
        return None if token is None else self._opened(token)

    def _find(self, recruited_as: str) -> str:
        said = recruited_as.strip()
        if not said:
            raise OtherMindsError("A recruitment id is empty.")
        return hmac.new(self._finding, said.encode(), hashlib.sha256).hexdigest()


def _key(store: Store, *, create: bool) -> bytes:
    from cryptography.fernet import Fernet

    if given := os.environ.get(VARIABLE, "").strip():
        return given.encode()
    folder = store.database.folder
    path = None if folder is None else folder / KEY_FILE
    if path is not None and path.is_file():
        return path.read_bytes().strip()
    if path is None or not create or _has_ids(store):
        raise OtherMindsError(
            f"Recruitment ids need the study's key: set {VARIABLE} to it"
            f"{'' if path is None else f', or put it into {path}'}."
        )
    key = Fernet.generate_key()
    write_private(path, key)
    return path.read_bytes().strip()


def _has_ids(store: Store) -> bool:
    """Whether ids were encrypted already, with a key that is gone: another one would not find them."""
    from sqlalchemy import select

    from otherminds.interview.tables import RECRUITMENT

    with store.database.reading() as connection:
        return connection.execute(select(RECRUITMENT.c.participant_id).limit(1)).first() is not None
