"""Scoring a task for the first time whose data were not at hand when its submission was accepted."""

from __future__ import annotations

from pathlib import Path

from otherminds.benchmark import of_dataset
from otherminds.leaderboard.judging import flags, rescore
from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.records import answers, limits
from otherminds.leaderboard.records.record import Finding, Metric, Submission, TaskRun, Verification

UNAVAILABLE = "data-unavailable"


def scored(
    folder: Path, run: TaskRun, known: Expected, *, as_claimed: bool
) -> tuple[dict[str, Metric], list[Finding]]:
    """The metrics that a submission's answers give, and their flags.

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
    return dict(found.metrics), list(flags.of_scores(found.records, found.metrics, known))


def recorded(
    verification: Verification,
    record: Submission,
    task: str,
    found: tuple[dict[str, Metric], list[Finding]],
) -> Verification:
    """The verification with the findings on a task; re-scored once every task is."""
    metrics, flagged = found
    recomputed = {**verification.recomputed, task: metrics}
    kept = [flag for flag in verification.flags if (flag.code, flag.detail) != (UNAVAILABLE, task)]
    level = verification.level
    if level == "self-reported" and all(run.task in recomputed for run in record.tasks):
        level = "re-scored"
    return verification.model_copy(
        update={"level": level, "recomputed": recomputed, "flags": [*kept, *flagged]}
    )
