"""The entries of a season among the accepted submissions, and their scores once golds are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging import beside, earlier, near
from otherminds.leaderboard.judging.earlier import Records
from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.judging.held import Held
from otherminds.leaderboard.judging.verify import Outcome, verify
from otherminds.leaderboard.records import intake, verifications
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import (
    RECORD,
    VERIFICATION,
    Finding,
    Submission,
    Verification,
)


class Entry(NamedTuple):
    """An accepted submission to a season; `verification` holds the findings when it was accepted."""

    folder: Path
    submission: Submission
    verification: Verification


class Entries(NamedTuple):
    """The entries of a season in a folder of submissions.

    entries     the accepted ones, in order of their ids
    unreadable  by id, accepted ones that cannot be read, and why. A broken record may be of any season
    waiting     the ids of those that name the season and have no verification
    """

    entries: list[Entry]
    unreadable: dict[str, str]
    waiting: list[str]


def accepted(submissions: Path, season: str) -> Entries:
    """The entries of a season in a folder that holds a folder `<id>` for each submission.

    One without a `verification.json` was not accepted. Raises OtherMindsError for no such folder.
    """
    if not submissions.is_dir():
        raise OtherMindsError(
            f"There is no folder {submissions}: name the accepted submissions' with --submissions."
        )
    found = Entries([], {}, [])
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        folder = path.parent
        try:
            submission = intake.read(folder, accepted=True)
            if submission.season == season:
                found.entries.append(Entry(folder, submission, verifications.read(folder)))
        except RefusedError as error:
            if _may_be_of(folder, season):
                found.unreadable[folder.name] = str(error)
    for name, record in earlier.read(submissions).items():
        if record.season == season and not (submissions / name / VERIFICATION).is_file():
            found.waiting.append(name)
    return found


def _may_be_of(folder: Path, season: str) -> bool:
    try:
        return intake.parse((folder / RECORD).read_bytes()).season == season
    except (OSError, RefusedError):
        return True


class Scorer:
    """Scores the entries of a season, as the verifier does, and compares each with all others.

    held     the season's data with golds
    entries  all that were accepted
    """

    def __init__(self, held: Held, entries: Sequence[Entry]) -> None:
        self._held = held
        self._entries = {entry.folder.name: entry.submission for entry in entries}

    def scored(self, entry: Entry) -> Outcome:
        """An entry's scores, from its answers and the golds; flagged where it is nearly another."""
        outcome = verify(entry.folder, is_merged=True, seasons=self)
        if not outcome.is_accepted:
            return outcome
        told = [flag for flag in entry.verification.flags if flag.code in beside.CODES]
        return replace(outcome, flags=[*told, *outcome.flags, *self._copies(entry)])

    def verification(self, entry: Entry, day: date) -> Verification:
        """The scores of an entry. Raises RefusedError where its answers cannot be scored."""
        outcome = self.scored(entry)
        if not outcome.is_accepted:
            first = outcome.reasons[0]
            raise RefusedError(first.code, first.detail)
        return outcome.verification(day)

    def expected(self, season: str, task: str) -> Expected:
        """The documents that answers to a task are scored with."""
        return self._held.expected(task)

    def check_entry(self, submission: Submission, others: Records) -> None:
        """Day and number of entries were checked when they were accepted."""

    def _copies(self, entry: Entry) -> Iterator[Finding]:
        # An accepted entry was compared with those before it, and without golds.
        others = {name: one for name, one in self._entries.items() if name != entry.folder.name}
        for run in entry.submission.tasks:
            known = self._held.expected(run.task)
            there = (entry.folder.parent, others)
            yield from near.flags(entry.folder, entry.submission, run, known, there)
