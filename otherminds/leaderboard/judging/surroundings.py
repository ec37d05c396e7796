"""What stands beside a pull request in a pass: other open ones, withdrawn submissions, its author.

All of it is fetched when a submission is to be verified, and kept for the rest of the pass.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging.beside import REQUESTS, WITHDRAWN, Beside, Request, copied
from otherminds.leaderboard.records import intake, vouching
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.reasons import RefusedError, plain
from otherminds.leaderboard.records.record import RECORD
from otherminds.types import Say


class Surroundings:
    """The surroundings of each pull request of one pass.

    work  an empty folder, for copies
    say   is called with what cannot be looked at, which stops nothing: somebody else's broken files must
          not keep a submission from the board
    """

    def __init__(self, board: Board, work: Path, say: Say) -> None:
        self._board = board
        self._work = work
        self._say = say
        self._numbers: list[int] | None = None
        self._accepted: set[int] = set()
        self._fetched: dict[Path, str] = {}
        self._received: dict[tuple[int, str], datetime] = {}

    def accepted(self, number: int) -> None:
        """A pull request has been accepted in this pass, and is no request any more."""
        self._accepted.add(number)

    def of(self, number: int, author: str, decisions: Sequence[Decision]) -> Path:
        """A folder, written by `Beside.write`, of what stands beside a pull request.

        Raises OtherMindsError where the Hub fails.
        """
        received = self._received_at(number, self._board.head(number))
        beside = Beside(
            self._work,
            {str(other): request for other, request in self._before(number, author, received)},
            f"{received:%Y-%m-%d %H:%M:%S}",
            dict(self._withdrawn(decisions)),
            self._board.owners(author),
        )
        beside.write()
        return self._work

    def _received_at(self, number: int, commit: str) -> datetime:
        if (number, commit) not in self._received:
            self._received[number, commit] = self._board.received_at(number)
        return self._received[number, commit]

    def _before(
        self, number: int, author: str, received: datetime
    ) -> Iterator[tuple[int, Request]]:
        """The open pull requests of others that came first, by number or by when their files came.

        The one with the lower number may have got its files later: then each came first.
        """
        if self._numbers is None:
            self._numbers = self._board.open_pull_requests()
        for other in self._numbers:
            if other == number or other in self._accepted:
                continue
            theirs, commit = self._board.author(other), self._board.head(other)
            came = self._received_at(other, commit)
            if theirs != author and (other < number or came < received):

                def fetch(work: Path, other: int = other, commit: str = commit) -> Path:
                    return self._board.fetch(other, work, commit=commit)

                if self._is_copied(self._work / REQUESTS / str(other), commit, fetch):
                    yield other, Request(theirs, f"{came:%Y-%m-%d %H:%M:%S}")

    def _withdrawn(self, decisions: Sequence[Decision]) -> Iterator[tuple[str, dict[str, str]]]:
        for name, one in vouching.withdrawn(decisions).items():
            place, commit = self._work / WITHDRAWN / name, one.commit
            known = dict(one.answers_sha256)
            if commit is not None:

                def fetch(work: Path, name: str = name, commit: str = commit) -> Path:
                    return self._board.withdrawn(name, commit, work)

                if self._is_copied(place, commit, fetch) and not known:
                    record = intake.parse((place / RECORD).read_bytes())
                    known = {run.task: run.answers_sha256 for run in record.tasks}
            yield name, known

    def _is_copied(self, place: Path, commit: str, fetch: Callable[[Path], Path]) -> bool:
        """Whether a submission as of a commit lies in a place; it is fetched once."""
        if self._fetched.get(place) != commit:
            shutil.rmtree(place, ignore_errors=True)
            with tempfile.TemporaryDirectory() as work:
                try:
                    copied(fetch(Path(work)), place)
                except RefusedError:
                    pass  # not a submission, so nobody can have copied from it
                except OtherMindsError as error:
                    self._say(f"{place.name} is not compared: {plain(str(error))}")
            self._fetched[place] = commit
        return (place / RECORD).is_file()
