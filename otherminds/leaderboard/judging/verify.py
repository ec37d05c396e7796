"""Verifying a submission: every number again, from its answers and the tagged data.

Deterministic: the same folder, data and earlier submissions give the same outcome. No network but for
data that come from the Hub. A submission is hostile input; see `limits` for how much of it is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Protocol

from otherminds.benchmark import of_dataset
from otherminds.leaderboard.judging import earlier, flags, near, rescore, sums
from otherminds.leaderboard.judging.beside import Beside, Looking
from otherminds.leaderboard.judging.expected import (
    Expected,
    UnavailableError,
    check_supported,
    expected,
    is_open,
)
from otherminds.leaderboard.records import answers, intake, limits
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import (
    RECORD,
    Finding,
    Level,
    Metric,
    Submission,
    Sums,
    TaskRun,
    Verification,
)


class Seasons(Protocol):
    """The seasons that are known here; `otherminds.leaderboard.judging.held.Seasons` is one."""

    def expected(self, season: str, task: str) -> Expected:
        """The data that an entry is held against. Raises RefusedError for an unknown season or task."""

    def check_entry(self, submission: Submission, others: earlier.Records) -> None:
        """Check day and number of entries. Raises RefusedError."""


Ask = Callable[[TaskRun], Expected]


@dataclass(frozen=True)
class Outcome:
    """The findings of a verification.

    level       how far the scores can be trusted; None of a submission that is refused
    reasons     of the refusal: the first of each task; empty where it is accepted
    recomputed  by task and metric; without tasks whose data are not at hand
    sums        by task, of data that may be shown
    submission  the record; None where it could not be read
    """

    level: Level | None
    reasons: Sequence[Finding] = ()
    flags: Sequence[Finding] = ()
    recomputed: Mapping[str, Mapping[str, Metric]] = field(default_factory=dict)
    submission: Submission | None = None
    sums: Mapping[str, Sums] = field(default_factory=dict)

    @property
    def is_accepted(self) -> bool:
        """Whether nothing speaks against it; flags are for a person to look at."""
        return self.level is not None

    def verification(self, checked: date) -> Verification:
        """The file that is written beside an accepted record. Raises ValueError for a refused one."""
        if self.level is None:
            raise ValueError("A refused submission has no verification.")
        return Verification(
            level=self.level,
            checked=checked,
            reasons=list(self.reasons),
            flags=list(self.flags),
            recomputed={task: dict(found) for task, found in self.recomputed.items()},
            sums=dict(self.sums),
        )

    def as_json(self) -> str:
        """The outcome without the record, for programs."""
        found = {
            "level": self.level,
            "reasons": [one.model_dump() for one in self.reasons],
            "flags": [one.model_dump() for one in self.flags],
            "recomputed": {
                task: {name: metric.model_dump() for name, metric in metrics.items()}
                for task, metrics in self.recomputed.items()
            },
        }
        return json.dumps(found, indent=1)


def verify(
    folder: Path,
    *,
    submissions: Path | None = None,
    is_merged: bool = False,
    seasons: Seasons | None = None,
    author: str | None = None,
    today: date | None = None,
    beside: Beside | None = None,
) -> Outcome:
    """Verify the submission in a folder, whose name is its id.

    submissions  the folder with the submissions that are there already, to look for duplicates in
    is_merged    whether it has been accepted: it may then hold a `verification.json`
    seasons      the data that entries of seasons are held against; without it, none is accepted
    author       who opened the pull request, and must be the submitter; None without a pull request
    today        the day, after which no record can be dated; None where that is not checked
    beside       open pull requests, withdrawn submissions and whose the submitter is, as a pass over the
                 board knows them; None where nobody asked
    """
    try:
        intake.check_id(folder.name)
        submission = intake.read(folder, accepted=is_merged)
    except RefusedError as error:
        return Outcome(None, [error.finding])
    if author is not None and submission.submitter != author:
        other = finding("submitter-mismatch", f"{submission.submitter}; {author} opened it.")
        return Outcome(None, [other], submission=submission)
    # A record's day is that of its own time zone.
    if today is not None and submission.date > today + timedelta(days=1):
        late = finding("record-date", f"{submission.date}; it was looked at on {today}.")
        return Outcome(None, [late], submission=submission)
    others = earlier.read(submissions, besides=folder) if submissions is not None else {}
    try:
        ask = _asker(submission, others, seasons)
    except RefusedError as error:
        return Outcome(None, [error.finding], submission=submission)
    looking = Looking(folder, submission, beside)
    found = [*earlier.look_alikes(submission, others), *looking.names(others), *looking.ids()]
    if submission.declarations.trained_on_data:
        found.append(finding("trained-on-data", submission.model.name))
    reasons: list[Finding] = []
    recomputed: dict[str, Mapping[str, Metric]] = {}
    counted: dict[str, Sums] = {}
    for run in submission.tasks:
        try:
            one = _task(folder, run, others, ask)
        except RefusedError as error:
            reasons.append(error.finding)
            if len(reasons) == limits.REASONS:
                break
            continue
        found += one.flags
        if one.metrics is not None:
            recomputed[run.task] = one.metrics
        if one.sums is not None:
            counted[run.task] = one.sums
        found += looking.answers(run, one.known)
        if submissions is not None and one.known is not None:
            found += near.flags(folder, submission, run, one.known, (submissions, others))
    # Last: a record that has to be changed gets another id anyway.
    if not reasons and not is_merged and (reason := _wrong_id(folder, submission)):
        reasons.append(reason)
    if reasons:
        return Outcome(None, reasons, found, recomputed, submission)
    level: Level = "re-scored" if len(recomputed) == len(submission.tasks) else "self-reported"
    if submission.season is not None and not recomputed:
        level = "sealed"
    return Outcome(level, [], found, recomputed, submission, counted)


def _wrong_id(folder: Path, submission: Submission) -> Finding | None:
    right = intake.id_of(submission.model.name, (folder / RECORD).read_bytes())
    if folder.name == right:
        return None
    return finding("id-mismatch", f"{folder.name} must be {right}: give the folder that name.")


@dataclass(frozen=True)
class _Task:
    """The recomputed metrics, None without data or golds; the flags; None without data; the sums."""

    metrics: Mapping[str, Metric] | None
    flags: Sequence[Finding]
    known: Expected | None = None
    sums: Sums | None = None


def _asker(submission: Submission, others: earlier.Records, seasons: Seasons | None) -> Ask | None:
    """The seasons that an entry's tasks are held against; None for a submission outside of seasons."""
    season = submission.season
    if season is None:
        return None
    if seasons is None:
        raise RefusedError("season-unknown", season)
    seasons.check_entry(submission, others)

    def ask(run: TaskRun) -> Expected:
        if run.subset is not None:
            raise RefusedError("subset-unknown", f"{run.task}: a season is played whole.")
        return seasons.expected(season, run.task)

    return ask


def _task(
    folder: Path,
    run: TaskRun,
    others: earlier.Records,
    ask: Ask | None,
) -> _Task:
    rules = check_supported(run.task)
    if ask is None:
        rescore.check_stated(run, rules)
    try:
        known = expected(run.task, run.subset) if ask is None else ask(run)
    except UnavailableError:
        _read(folder, run, others, is_open=is_open(rules.dataset))
        return _Task(None, [finding("data-unavailable", run.task)])
    if known.in_season:
        rescore.check_stated(run, rules, version=known.version)
    # Before the answers are read, how many there can be must be known from the data.
    rescore.check_data(run, known)
    rows = _read(folder, run, others, is_open=known.is_open)
    if known.is_sealed:
        answered = rescore.read(rows, run.repeats, known)
        return _Task(None, list(flags.of_answers(answered, known.task)), known)
    found = rescore.rescore(rows, run.repeats, known)
    if not known.in_season:
        rescore.compare(run.metrics, found.metrics, of_dataset(rules.dataset).known_ranges)
    flagged = list(flags.of_scores(found.records, found.metrics, known))
    if known.is_open and not known.takes_options and rows[0].raw is None:
        flagged.append(finding("no-raw-answers", run.task))
    return _Task(found.metrics, flagged, known, sums.of_records(found.records, run, known))


def _read(folder: Path, run: TaskRun, others: earlier.Records, *, is_open: bool) -> list[Row]:
    """The answers of a task, checked as far as they can be without the data."""
    rows = answers.read(folder / run.answers, rows=min(run.n_items * run.repeats, limits.ROWS))
    rescore.check_digest(run, rows)
    rescore.check_shown(rows, is_open=is_open)
    rescore.check_complete(rows, run.repeats, run.n_items)
    duplicate = earlier.duplicates(run, others)
    if duplicate is not None and not flags.is_constant((row.parsed,) for row in rows):
        raise RefusedError(
            "duplicate-answers", f"{run.task}: as {duplicate.model} in {duplicate.of}."
        )
    return rows
