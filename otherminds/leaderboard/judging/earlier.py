"""The submissions that are there already: for duplicates, and for names that look alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from otherminds.leaderboard.judging.flags import skeleton
from otherminds.leaderboard.records import intake, limits
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import RECORD, Finding, Submission, TaskRun

Records = dict[str, Submission]
"""By id."""


def read(folder: Path, *, besides: Path | None = None) -> Records:
    """The records in a folder `submissions`, without `besides`; broken ones, of older rules, are not.

    Only records are read: their hashes of answers were checked when they were accepted.
    """
    found = {}
    for path in sorted(folder.glob(f"*/{RECORD}")):
        if besides is not None and path.parent.resolve() == besides.resolve():
            continue
        if path.is_symlink() or path.stat().st_size > limits.RECORD_BYTES:
            continue
        try:
            found[path.parent.name] = intake.parse(path.read_bytes())
        except RefusedError:
            continue
    return found


@dataclass(frozen=True)
class Duplicate:
    """A task whose answers an earlier submission has too."""

    task: str
    of: str
    model: str


def duplicates(run: TaskRun, records: Records) -> Duplicate | None:
    """The first earlier submission with the very same answers to the same documents."""
    for name, other in records.items():
        for theirs in other.tasks:
            if (theirs.task, theirs.answers_sha256) == (run.task, run.answers_sha256):
                return Duplicate(run.task, name, other.model.name)
    return None


def look_alikes(submission: Submission, records: Records) -> Iterator[Finding]:
    """Names of other models that look like this one's."""
    ours = submission.model.name
    others = dict.fromkeys(other.model.name for other in records.values())
    for name in others:
        if name != ours and skeleton(name) == skeleton(ours):
            yield finding("look-alike-name", f"{ours} and {name}")
