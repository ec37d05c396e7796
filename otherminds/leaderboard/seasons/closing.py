"""Closing a season: the data made again, every entry scored, the secret published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq

from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging.held import Held
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.sealing import record, tables
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.sealing.tables import Tables
from otherminds.leaderboard.seasons import entries, results
from otherminds.leaderboard.seasons.opening import golds_path
from otherminds.leaderboard.seasons.results import Results

SUBMISSIONS = "submissions"

Say = Callable[[str], object]


def close(
    folder: Path,
    *,
    operator: Path,
    submissions: Path,
    day: date,
    say: Say,
    no_entries: bool = False,
    num_proc: int = 1,
) -> Results:
    """Score the entries of a season and publish its secret.

    operator     the folder with the secret, and with the golds if they are still there
    submissions  the folder with the accepted submissions, of this season and others
    day          the day on which it is closed, after the last one that takes entries
    say          is called with each entry, before anything is written
    no_entries   whether it is known that there are none; otherwise that is an error

    Everything is computed first. Then `results.json` is written, and last `season.yaml` with the secret:
    the season is closed when that is there, and before, closing again begins anew.
    Raises OtherMindsError, and nothing is written, where anything is not as it was when the season
    opened, for an entry that cannot be read or scored, and for one that waits to be accepted.
    """
    season = record.read(folder)
    if not season.is_open:
        raise OtherMindsError(
            f"Season {season.id} was closed on {season.closed}; `season check` it."
        )
    if day <= season.closes:
        raise OtherMindsError(
            f"Season {season.id} takes entries until the end of {season.closes} (UTC): close it after "
            "that day."
        )
    secret = secrets.read(operator / secrets.NAME)
    if secrets.sha256(secret) != season.secret_sha256:
        raise OtherMindsError(
            f"The secret in {operator} is not the one that season {season.id} was opened with."
        )
    there = _entries(submissions, season, none_expected=no_entries)
    complete = rebuilt(season, secret, num_proc=num_proc)
    if faults := differences(season, complete, secret):
        raise OtherMindsError(f"Season {season.id} cannot be closed: {'; '.join(faults)}.")
    _check_golds(operator, season, complete)
    # Raises where the published rows were changed.
    scorer = entries.Scorer(Held(folder, season, complete), there)
    found = []
    for entry in there:
        try:
            verified = scorer.verification(entry, day)
        except RefusedError as error:
            raise OtherMindsError(
                f"The entry {entry.folder.name} cannot be scored: {error}. It was accepted, so its "
                "files were changed since: restore them."
            ) from error
        found.append(results.result(entry.folder.name, entry.submission, verified))
    outcome = Results(season=season.id, entries=found)
    for one in found:
        flags = ", ".join(dict.fromkeys(flag.code for flag in one.verification.flags))
        say(f"{one.id}: {one.model} by {one.submitter}, {flags or 'no flags'}")
    results.write(folder, outcome)
    record.write(folder, season.model_copy(update={"closed": day, "secret": secret.hex()}))
    return outcome


def _entries(submissions: Path, season: Season, *, none_expected: bool) -> Sequence[entries.Entry]:
    """The accepted entries. Raises OtherMindsError for all that would leave one out unseen."""
    found = entries.accepted(submissions, season.id)
    if found.unreadable:
        reasons = "; ".join(f"{name}: {why}" for name, why in found.unreadable.items())
        raise OtherMindsError(
            f"Accepted submissions cannot be read, and may be entries of season {season.id}: {reasons}. "
            "Restore their files."
        )
    if found.waiting:
        raise OtherMindsError(
            f"Not accepted, and entries of season {season.id}: {', '.join(found.waiting)}. Do a pass of "
            "`otherminds leaderboard work`, or take what was refused out of the folder; once the season "
            "has closed, none is accepted."
        )
    if not found.entries and not none_expected:
        raise OtherMindsError(
            f"{submissions} holds no entry of season {season.id}, and closing cannot be undone. If "
            "there is none, say so with --no-entries."
        )
    if found.entries and none_expected:
        raise OtherMindsError(
            f"{submissions} holds {len(found.entries)} entries of season {season.id}: leave out "
            "--no-entries."
        )
    return found.entries


def rebuilt(season: Season, secret: bytes, *, num_proc: int = 1) -> Tables:
    """The rows of a season with golds, from its secret."""
    return tables.complete(
        season.dataset,
        season.generator,
        secret,
        season.id,
        kept=season.questions_per_stage,
        num_proc=num_proc,
    )


def differences(season: Season, complete: Tables, secret: bytes) -> list[str]:
    """In words, how the rows that a secret gives differ from the season's record."""
    shown = tables.content_hashes(season.dataset, tables.published(season.dataset, complete))
    golds = tables.commitments(season.dataset, complete, secret, season.id)
    faults = [
        f"the rows of {name} that the secret gives are not those that participants got"
        for name in sorted(shown.keys() | season.content_hash.keys())
        if shown.get(name) != season.content_hash.get(name)
    ]
    faults += [
        f"the golds of {name} that the secret gives are not those that were committed to"
        for name in sorted(golds.keys() | season.commitment.keys())
        if golds.get(name) != season.commitment.get(name)
    ]
    if faults:
        made = ", ".join(f"{name} {version}" for name, version in season.made_with.items())
        faults.append(f"they were made with {made}, and other versions may give others")
    return faults


def _check_golds(operator: Path, season: Season, complete: Tables) -> None:
    """Compare the golds that the operator kept, which nothing rests on, with those of the secret."""
    known = manifest.load(season.dataset)
    for name, table in complete.items():
        path = golds_path(operator, name)
        if path.is_file() and build.content_hash(known, pq.read_table(path)) != build.content_hash(
            known, table
        ):
            raise OtherMindsError(
                f"{path} was changed: its golds are not those that the secret gives. Remove it; they "
                "are made again from the secret."
            )
