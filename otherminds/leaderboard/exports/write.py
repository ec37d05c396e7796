"""A submission's scores in the formats of others, written beside its folder."""

from __future__ import annotations

from pathlib import Path

from otherminds.leaderboard.exports import eval_results, every_eval_ever
from otherminds.leaderboard.judging.verify import Outcome
from otherminds.leaderboard.records.record import RECORD
from otherminds.types import Say

SUFFIX = "-records"
"""How the folder is called, after the submission's id."""


def submission_of(folder: Path) -> Path | None:
    """The submission beside which these records were written; None for other folders."""
    if not folder.name.endswith(SUFFIX) or (folder / RECORD).exists():
        return None
    submission = folder.with_name(folder.name.removesuffix(SUFFIX))
    return submission if (submission / RECORD).is_file() else None


def write(folder: Path, outcome: Outcome, *, say: Say) -> Path | None:
    """Write `<id>-records` beside a submission's folder; returns that folder.

    An entry of a season has none: its data are not the released ones, and have no golds as yet.

    .eval_results/*.yaml  for the model's own repository on the Hub
    data/…                records in the format of Every Eval Ever

    `say` is called with each score that is in neither, and the reason. Raises ValueError for a refused
    submission, and OtherMindsError where a file cannot be written.
    """
    if outcome.level is None or outcome.submission is None:
        raise ValueError("A refused submission has no records.")
    submission, metrics = outcome.submission, outcome.recomputed
    if submission.season is not None:
        return None
    out = folder.parent / f"{folder.name}{SUFFIX}"
    found = eval_results.write(submission, metrics, folder.name, out)
    for task, reason in found.left_out.items():
        say(f"{task} is not in {eval_results.FOLDER}: {reason}.")
    if not every_eval_ever.has_owner(submission):
        say(
            f"There is no record for Every Eval Ever: it files models as owner/name, and "
            f"'{submission.model.name}' has no owner."
        )
    every_eval_ever.write(submission, metrics, outcome.level, folder, out)
    say(f"The same scores for the model's repository and for Every Eval Ever: {out}")
    return out
