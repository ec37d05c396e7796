"""Entries of the board from the folder of accepted submissions."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from otherminds.leaderboard.board.entries import Entry, Reduced
from otherminds.leaderboard.board.items import Asked, asked
from otherminds.leaderboard.board.reducing import of_right_answers
from otherminds.leaderboard.judging import rescore, sums
from otherminds.leaderboard.judging.expected import UnavailableError
from otherminds.leaderboard.records import intake, verifications
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION, TaskRun, Verification
from otherminds.types import IntArray, Say

_COUNTED_AGAIN = 50
"""Of so many sums that are taken, one is held against the answers, drawn anew in every build."""


def accepted(
    submissions: Path, tasks: Collection[str], *, vouched: bool = False, say: Say
) -> Iterator[Entry]:
    """The accepted submissions in a folder, one at a time, in order of their ids.

    submissions  holds a folder `<id>` each; one without a `verification.json` was not accepted
    tasks        the tasks whose answers are wanted: those of the boards
    vouched      whether the moderation log vouches for all files in the folder: only then are sums in
                 verifications taken for those of the answers
    say          is called with each that is left out, and the reason

    Other answers are scored again with the tagged data. Where these are not at hand, or a task, its data
    or the rules have changed since, a submission is shown without them, and so not compared. The same
    holds where sums that were drawn to be counted again are not those of the answers.
    """
    reading = _Reading(vouched)
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        folder = path.parent
        try:
            record = intake.read(folder, accepted=True)
            verification = verifications.read(folder)
        except RefusedError as error:
            say(f"{folder.name} is left out: {error}")
            continue
        if record.season is not None:
            continue  # it stands with its season
        found = {}
        for run in record.tasks:
            if run.task in tasks:
                try:
                    found[run.task] = reading.reduced(folder, run, verification)
                except (RefusedError, UnavailableError) as error:
                    say(f"{folder.name} is not compared by {run.task}: {error}")
        yield Entry(folder.name, record, verification, found)
    if reading.without:
        say(
            f"The answers of {len(reading.without)} submissions were read again, such as those of "
            f"{min(reading.without)}: their verifications have no sums of them."
        )


@dataclass
class _Reading:
    """Reads what a board needs of answers; `without` are the submissions that lack sums of open data."""

    vouched: bool
    without: set[str] = field(default_factory=set)

    def reduced(self, folder: Path, stated: TaskRun, verification: Verification) -> Reduced:
        """Raises RefusedError and UnavailableError where a task is not compared."""
        run = verification.scored(stated)
        known = asked(run.task, run.subset)
        rescore.check_stated(run, known.known.rules)
        rescore.check_data(run, known.known)
        right = self._kept(folder, run, verification, known) if self.vouched else None
        if right is None:
            right = known.cells.totals(known.right(folder / run.answers, run))
        return of_right_answers(known.cells, right, run.repeats)

    def _kept(
        self, folder: Path, run: TaskRun, verification: Verification, known: Asked
    ) -> IntArray | None:
        kept = verification.sums.get(run.task)
        right = None if kept is None else sums.read(kept, run, known.cells)
        if right is None:
            if known.known.is_open:
                self.without.add(folder.name)
            return None
        # Whoever writes verification and log could write false sums, but not unnoticed for long.
        if secrets.randbelow(_COUNTED_AGAIN) == 0:
            sums.check(right, known.cells.totals(known.right(folder / run.answers, run)), run)
        return right
