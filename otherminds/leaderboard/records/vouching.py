"""Which accepted submissions the moderation log vouches for.

A `verification.json` is a file as any other: a submitter whose file is merged could state any level
and score in it. So a line of the log that accepts a submission, or changes its verification, holds
a hash over all files of it. A submission in a folder or on main counts only if the newest such line
has its hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from otherminds import files
from otherminds.leaderboard.records import intake
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION


def digest(folder: Path) -> str:
    """SHA-256 of the output of `sha256sum` for a submission's files, by path, with its verification.

    Raises RefusedError for links, and for files that no submission has.
    """
    paths = sorted(intake.files(folder))
    lines = (f"{files.sha256(folder / path)}  {path}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def vouched(decisions: Iterable[Decision]) -> dict[str, list[str]]:
    """By id of submissions accepted and not withdrawn since, the hashes that they had, oldest first."""
    found: dict[str, list[str]] = {}
    for one in decisions:
        if one.submission is None:
            continue
        if one.action == "withdrawn":
            found.pop(one.submission, None)
        elif one.files_sha256 is not None:
            found.setdefault(one.submission, []).append(one.files_sha256)
    return found


@dataclass(frozen=True)
class Withdrawn:
    """A submission that was accepted once and is on main no more.

    answers_sha256  by task; empty where the log has none, as of earlier releases
    commit          at which it was accepted last; None where the log has none
    """

    answers_sha256: Mapping[str, str]
    commit: str | None


def withdrawn(decisions: Iterable[Decision]) -> dict[str, Withdrawn]:
    """By id, the submissions that were accepted, withdrawn, and not accepted again since."""
    found: dict[str, Withdrawn] = {}
    commits: dict[str, str | None] = {}
    for one in decisions:
        if one.submission is None:
            continue
        if one.action == "withdrawn":
            commit = commits.get(one.submission)
            found[one.submission] = Withdrawn(one.answers_sha256 or {}, commit)
        elif one.action == "accepted":
            found.pop(one.submission, None)
            commits[one.submission] = one.commit
    return found


def unvouched(
    submissions: Path, decisions: Iterable[Decision], *, also_earlier: bool = False
) -> list[str]:
    """The ids in a folder of submissions whose files are not those that the log vouches for, sorted.

    also_earlier  files are right too that an older line has: those of a writer that was killed
    Other folders without a `verification.json` are not looked at: they do not count as accepted.
    """
    known = vouched(decisions)
    names = sorted(
        path.name
        for path in submissions.iterdir()
        if path.name in known or (path / VERIFICATION).is_file()
    )
    first = 0 if also_earlier else -1
    return [name for name in names if not _has(submissions / name, known.get(name, [])[first:])]


def _has(folder: Path, hashes: list[str]) -> bool:
    try:
        return bool(hashes) and digest(folder) in hashes
    except RefusedError:
        return False
