"""Accepted submissions that are of older versions of tasks or data than the installed ones."""

from __future__ import annotations

from pathlib import Path

from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import check_supported
from otherminds.leaderboard.records import intake, verifications
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION, TaskRun
from otherminds.types import Say


def tell(submissions: Path, *, say: Say) -> None:
    """Say how many submissions in a folder have to be regraded, if any has; of none, nothing is said."""
    found = outdated(submissions)
    if found:
        say(
            f"{len(found)} accepted submissions are of older versions of tasks or data, and stand "
            f"without a rank, {found[0]} among them: run `otherminds leaderboard regrade`."
        )


def outdated(submissions: Path) -> list[str]:
    """The ids of those with a task of an older version that `regrade` has not marked, sorted.

    Entries of seasons have the season's version for good. Where only prompts or rows differ, under the
    same version, nothing is noticed here: that takes the data.
    """
    found = []
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        try:
            record = intake.read(path.parent, accepted=True)
            verification = verifications.read(path.parent)
        except RefusedError:
            continue  # it is not shown either
        runs = [run for run in record.tasks if not verification.not_comparable(run.task)]
        if record.season is None and any(_is_older(verification.scored(run)) for run in runs):
            found.append(path.parent.name)
    return found


def _is_older(run: TaskRun) -> bool:
    try:
        rescore.check_stated(run, check_supported(run.task))
    except RefusedError:
        return True
    return False
