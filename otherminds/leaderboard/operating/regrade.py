"""Accepted scores after a change of a task, its data or its rules.

the same version          nothing; but a task that was accepted as claimed, without its data, is scored
                          from its answers, where these give its claims
data or prompts changed   the submission stays as it is, flagged `not-comparable`
scoring alone changed     its answers are scored again; the scores that they had are kept beside

Which it is, is found from hashes: a task's version alone does not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from otherminds import manifest
from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import UnavailableError, check_supported, expected
from otherminds.leaderboard.operating import late
from otherminds.leaderboard.records import intake, verifications
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import (
    NOT_COMPARABLE,
    VERIFICATION,
    Finding,
    Submission,
    Superseded,
    TaskRun,
    Verification,
)
from otherminds.types import Say


class _FalseClaimError(Exception):
    """The answers do not give the claimed scores."""


@dataclass(frozen=True)
class Regraded:
    """A task of a submission whose verification has changed."""

    submission: str
    task: str
    action: Literal["rescored", "not-comparable", "comparable"]
    detail: str


def regrade(submissions: Path, *, say: Say) -> list[Regraded]:
    """Bring the verifications of all accepted submissions in a folder up to the installed version.

    Returns the changes, in order of ids and tasks: nothing when it is done a second time. Entries
    of seasons are left as they are. `say` is called with each that cannot be read, which stays as it
    is. Raises OtherMindsError where a verification cannot be written; each is written whole or not at
    all.
    """
    changed = []
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        try:
            changed += _submission(path.parent, say)
        except RefusedError as error:
            say(f"{path.parent.name} is left as it is: {error}")
    return changed


def _submission(folder: Path, say: Say) -> list[Regraded]:
    record, before = intake.read(folder, accepted=True), verifications.read(folder)
    if record.season is not None:
        return []
    after, changed = before, []
    for run in record.tasks:
        try:
            after, done = _task(folder, record, run, after)
            changed += [done] if done else []
            if run.task not in after.recomputed and not after.not_comparable(run.task):
                after, first = _first(folder, record, run, after)
                changed.append(first)
        except _FalseClaimError as error:
            say(f"{folder.name} is left as it is by {run.task}, which was only claimed: {error}")
        except UnavailableError as error:
            say(f"{folder.name} is left as it is by {run.task}: {error}")
    if after != before:
        verifications.write(folder, after)
    return changed


def _first(
    folder: Path, record: Submission, run: TaskRun, verification: Verification
) -> tuple[Verification, Regraded]:
    """Score a task of the installed version that was accepted as claimed."""
    try:
        known = expected(run.task, run.subset)
        rescore.check_data(run, known)
        found = late.scored(folder, run, known, as_claimed=True)
    except RefusedError as error:
        raise _FalseClaimError(str(error)) from error
    return late.recorded(verification, record, run.task, found), _for_the_first_time(
        folder, run, found
    )


def _task(
    folder: Path, record: Submission, run: TaskRun, verification: Verification
) -> tuple[Verification, Regraded | None]:
    before = verification.not_comparable(run.task)
    scored = verification.scored(run)
    try:
        found, version = _scored_again(folder, run, scored.task_version)
    except RefusedError as error:
        why = _versions(run, error)
        if why == before:
            return verification, None
        flagged = _without(verification, run.task)
        flagged = [*flagged, finding(NOT_COMPARABLE, f"{run.task}: {why}")]
        after = verification.model_copy(update={"flags": flagged})
        return after, Regraded(folder.name, run.task, "not-comparable", why)
    after = verification.model_copy(update={"flags": _without(verification, run.task)})
    if found is None:
        done = Regraded(folder.name, run.task, "comparable", f"version {version}")
        return after, done if before else None
    versions = {**verification.task_versions, run.task: version}
    after = after.model_copy(update={"task_versions": versions})
    before_that = verification.recomputed.get(run.task)
    if before_that is None:
        # The claims were never confirmed, and by these rules they cannot be.
        return late.recorded(after, record, run.task, found), _for_the_first_time(
            folder, run, found
        )
    old = Superseded(task=run.task, task_version=scored.task_version, metrics=before_that)
    after = found.in_place(after, run.task)
    after = after.model_copy(update={"superseded": [*verification.superseded, old]})
    detail = f"by the rules of version {version}, before {scored.task_version}"
    return after, Regraded(folder.name, run.task, "rescored", detail)


def _for_the_first_time(folder: Path, run: TaskRun, found: late.Found) -> Regraded:
    codes = ", ".join(dict.fromkeys(flag.code for flag in found.flags)) or "none"
    detail = f"for the first time, from its answers; flags: {codes}"
    return Regraded(folder.name, run.task, "rescored", detail)


def _scored_again(folder: Path, run: TaskRun, scored_by: str) -> tuple[late.Found | None, str]:
    """Metrics and flags by the installed rules and their version; None where these are the same.

    Raises RefusedError where task or data are not those that were answered, and UnavailableError.
    """
    rules = check_supported(run.task)
    now = run.model_copy(update={"task_version": rules.version})
    rescore.check_stated(now, rules)
    if scored_by == rules.version:
        return None, rules.version
    known = expected(run.task, run.subset)
    rescore.check_data(now, known)
    return late.scored(folder, run, known, as_claimed=False), rules.version


def _versions(run: TaskRun, error: RefusedError) -> str:
    """The changes, with the versions of then and now."""
    then = f"version {run.task_version} on data {run.data_version}"
    try:
        rules = check_supported(run.task)
    except RefusedError:
        return f"{then}; now {error.finding.code}"
    data = manifest.load(rules.dataset).version
    return f"{then}, now {rules.version} on {data} ({error.finding.code})"


def _without(verification: Verification, task: str) -> list[Finding]:
    """The flags but that of a task that is not comparable."""
    return [
        flag
        for flag in verification.flags
        if flag.code != NOT_COMPARABLE or not flag.detail.startswith(f"{task}: ")
    ]
