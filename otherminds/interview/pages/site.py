"""What the pages of a study share: its database, its people, its interviews and its words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from otherminds.errors import OtherMindsError
from otherminds.interview import deletion
from otherminds.interview.calls import Server
from otherminds.interview.config import Config
from otherminds.interview.deletion import Deleted
from otherminds.interview.interviewing import Interviewer
from otherminds.interview.pages.erasure import Erasure
from otherminds.interview.pages.rendering import Pages
from otherminds.interview.pages.secret import Secret
from otherminds.interview.participation import Participants
from otherminds.interview.recruitment import Recruitment
from otherminds.interview.standing import Standing
from otherminds.interview.store import Store
from otherminds.interview.study_settings import Study

_STRIPES: Final = 256


class Site:
    """A study that is being served.

    address  where browsers find it, for links that are sent to people
    server   what answers requests to models, in place of the configuration's own (for tests)
    """

    def __init__(
        self,
        store: Store,
        config: Config,
        study: Study,
        secret: Secret,
        *,
        address: str,
        server: Server | None = None,
    ) -> None:
        self.store = store
        self.study = study
        self.secret = secret
        self.address = address.rstrip("/")
        self.standing = Standing(store, config)
        self.recruitment = Recruitment(store, create=True)
        self.participants = Participants(store)
        self.interviewer = Interviewer(store, server=server)
        self.erasure = Erasure(store)
        self.pages = Pages(study=study)
        self.is_secure = urlsplit(address).scheme == "https"
        self._locks = [threading.RLock() for _ in range(_STRIPES)]

    @contextmanager
    def held(self, whose: str) -> Iterator[None]:
        """One request at a time of the same person; what they send from two tabs does not cross."""
        with self._locks[hash(whose) % _STRIPES]:
            yield

    def session_id(self, person: str) -> str:
        """The session of somebody, as `otherminds interview chat` names it too."""
        return f"{person}-{self.standing.config.topic.name}"

    def close(self) -> None:
        """End what goes on in the background."""
        self.interviewer.close()
        self.erasure.close()

    def withdraw(self, person: str) -> Deleted:
        """Delete a person everywhere; what readers keep in the database's log goes as soon as it can.

        Raises OtherMindsError for nobody, and where an export cannot be written.
        """
        try:
            return deletion.delete(self.store, person)
        except OtherMindsError:
            if person not in deletion.tombstones(self.store):
                raise
            self.erasure.owe()
            return Deleted(person, 0, (), ())
