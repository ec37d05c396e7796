"""Checking a season, by anybody: the data again from the secret, and every score from the answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging.held import Held
from otherminds.leaderboard.judging.rescore import same
from otherminds.leaderboard.records.record import Metric, Verification
from otherminds.leaderboard.sealing import folder as folders
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.seasons import closing, entries, results
from otherminds.leaderboard.seasons.results import EntryResult


class Fault(NamedTuple):
    """A fault: its subject (`what`), and how it is wrong."""

    what: str
    how: str


def check(
    folder: Path, *, submissions: Path, before: Path | None = None, num_proc: int = 1
) -> list[Fault]:
    """All faults of a season; none where everything is as it must be.

    submissions  the folder with the accepted submissions
    before       a copy of `season.yaml` from when the season was open, or the folder that it lies in

    Of an open season, only the public files are looked at. Raises OtherMindsError where there is no
    season.
    """
    season = record.read(folder)
    found = list(_since(season, before)) if before is not None else []
    try:
        folders.tables(folder, season)
    except OtherMindsError as error:
        return [*found, Fault("rows", str(error))]
    if season.secret is None:
        return found
    secret = bytes.fromhex(season.secret)
    if secrets.sha256(secret) != season.secret_sha256:
        # Whatever this one gives says nothing about the season.
        return [*found, Fault("secret", "it is not the one whose hash was published")]
    complete = closing.rebuilt(season, secret, num_proc=num_proc)
    if faults := closing.differences(season, complete, secret):
        return [*found, *(Fault("rows", fault) for fault in faults)]
    return [*found, *_entries(folder, submissions, Held(folder, season, complete))]


def _since(season: Season, before: Path) -> Iterator[Fault]:
    """The differences of the record from the one of the open season."""
    kept = record.read(before) if before.is_dir() else record.read_file(before)
    then = kept.model_dump(exclude={"closed", "secret"})
    for name, value in season.model_dump(exclude={"closed", "secret"}).items():
        if then[name] != value:
            yield Fault("record", f"{name} was changed since the season opened")


def _entries(folder: Path, submissions: Path, held: Held) -> Iterator[Fault]:
    there = entries.accepted(submissions, held.season.id)
    for name, how in there.unreadable.items():
        yield Fault(name, f"it was accepted, and cannot be read: {how}")
    stated = results.read(folder)
    if stated.season != held.season.id:
        yield Fault("results", f"they are those of season {stated.season}")
        return
    listed = stated.by_id()
    if len(listed) < len(stated.entries):
        yield Fault("results", "they list an entry twice")
    known = {entry.folder.name: entry for entry in there.entries}
    scorer = entries.Scorer(held, there.entries)
    for name in sorted(known.keys() - listed.keys()):
        yield Fault(name, "it was accepted, and the results do not list it")
    for name, one in listed.items():
        if name in known:
            yield from _entry(known[name], one, scorer)
        elif name not in there.unreadable:
            yield Fault(name, "the results list it, and there is no such entry")


def _entry(entry: entries.Entry, one: EntryResult, scorer: entries.Scorer) -> Iterator[Fault]:
    submission = entry.submission
    if (submission.model.name, submission.submitter) != (one.model, one.submitter):
        yield Fault(one.id, "the results name another model or submitter")
    if {run.task: run.answers_sha256 for run in submission.tasks} != one.answers_sha256:
        yield Fault(one.id, "its answers are not those that were scored")
        return
    outcome = scorer.scored(entry)
    for reason in outcome.reasons:
        yield Fault(one.id, f"it cannot be scored again: {reason.code}: {reason.detail}")
    if outcome.is_accepted:
        yield from _scores(one.id, one.verification, outcome.verification(one.verification.checked))


def _scores(name: str, stated: Verification, ours: Verification) -> Iterator[Fault]:
    if stated.level != ours.level:
        yield Fault(name, f"its level is stated to be {stated.level}; it is {ours.level}")
    if _codes(stated) != _codes(ours):
        yield Fault(name, f"its flags are {_codes(ours)}, and {_codes(stated)} are stated")
    for task in sorted(stated.recomputed.keys() | ours.recomputed.keys()):
        theirs, found = stated.recomputed.get(task, {}), ours.recomputed.get(task, {})
        for metric in sorted(theirs.keys() | found.keys()):
            if not _same(theirs.get(metric), found.get(metric)):
                yield Fault(name, f"{metric} of {task} is not what its answers give")


def _codes(verification: Verification) -> list[str]:
    # Not their details, which state numbers that another machine may round otherwise.
    return sorted(flag.code for flag in verification.flags)


def _same(one: Metric | None, other: Metric | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(same(getattr(one, field), getattr(other, field)) for field in Metric.model_fields)
