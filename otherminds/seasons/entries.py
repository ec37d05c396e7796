"""The entries of a season among the accepted submissions, and their scores once golds are known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from otherminds.leaderboard import intake
from otherminds.leaderboard.earlier import Records
from otherminds.leaderboard.expected import Expected
from otherminds.leaderboard.reasons import RefusedError
from otherminds.leaderboard.record import VERIFICATION, Submission, Verification
from otherminds.leaderboard.verify import Outcome, verify
from otherminds.seasons.held import Held


class Entry(NamedTuple):
    """An accepted submission to a season."""

    folder: Path
    submission: Submission


def accepted(submissions: Path, season: str) -> Iterator[Entry]:
    """The accepted entries of a season, in order of their ids.

    submissions  holds a folder `<id>` each; one without a `verification.json` was not accepted, and one
                 whose record cannot be read is no entry of any season
    """
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        try:
            submission = intake.read(path.parent, accepted=True)
        except RefusedError:
            continue
        if submission.season == season:
            yield Entry(path.parent, submission)


def scored(entry: Entry, held: Held) -> Outcome:
    """An entry's scores, from its answers and the golds: as the verifier finds them."""
    return verify(entry.folder, is_merged=True, seasons=_Closed(held))


def verification(entry: Entry, held: Held, day: date) -> Verification:
    """What scoring an entry found. Raises RefusedError where its answers cannot be scored."""
    outcome = scored(entry, held)
    if not outcome.is_accepted:
        first = outcome.reasons[0]
        raise RefusedError(first.code, first.detail)
    return outcome.verification(day)


class _Closed:
    """A season for the verifier: entries were accepted while it was open, and now have golds."""

    def __init__(self, held: Held) -> None:
        self._held = held

    def expected(self, season: str, task: str) -> Expected:
        """What answers to a task are scored with."""
        return self._held.expected(task)

    def check_entry(self, submission: Submission, others: Records) -> None:
        """Day and number of entries were checked when they were accepted."""
