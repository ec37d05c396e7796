"""Scoring a task for the first time whose data were not at hand when its submission was accepted."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from otherminds.benchmark import of_dataset
from otherminds.leaderboard.judging import flags, rescore, sums
from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.records import answers, limits
from otherminds.leaderboard.records.record import (
    Finding,
    Metric,
    Submission,
    Sums,
    TaskRun,
    Verification,
)

UNAVAILABLE = "data-unavailable"


class Found(NamedTuple):
    """The metrics that a submission's answers give, their flags, and their sums."""

    metrics: dict[str, Metric]
    flags: list[Finding]
    sums: Sums | None

    def in_place(self, verification: Verification, task: str) -> Verification:
        """The verification with these metrics and sums of a task, and not those of before."""
        others = {name: one for name, one in verification.sums.items() if name != task}
        own = {} if self.sums is None else {task: self.sums}
        recomputed = {**verification.recomputed, task: self.metrics}
        return verification.model_copy(update={"recomputed": recomputed, "sums": others | own})


def scored(folder: Path, run: TaskRun, known: Expected, *, as_claimed: bool) -> Found:
    """Score a submission's answers.

    as_claimed  whether the claims are by these rules, and so must equal the metrics

    Raises RefusedError where they are not, and for answers that do not fit record or data.
    """
    rows = answers.read(folder / run.answers, rows=min(run.n_items * run.repeats, limits.ROWS))
    rescore.check_digest(run, rows)
    # Which answers are right may have changed with the rules; how replies are read may not: the board's
    # parsed answers would be others than those that are scored.
    found = rescore.rescore(rows, run.repeats, known, is_marked=as_claimed)
    if as_claimed:
        rescore.compare(run.metrics, found.metrics, of_dataset(known.rules.dataset).known_ranges)
    return Found(
        dict(found.metrics),
        list(flags.of_scores(found.records, found.metrics, known)),
        sums.of_records(found.records, run, known),
    )


def recorded(
    verification: Verification,
    record: Submission,
    task: str,
    found: Found,
) -> Verification:
    """The verification with the findings on a task; re-scored once every task is."""
    after = found.in_place(verification, task)
    kept = [flag for flag in verification.flags if (flag.code, flag.detail) != (UNAVAILABLE, task)]
    level = verification.level
    if level == "self-reported" and all(run.task in after.recomputed for run in record.tasks):
        level = "re-scored"
    return after.model_copy(update={"level": level, "flags": [*kept, *found.flags]})
