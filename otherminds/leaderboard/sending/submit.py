"""Submitting: build the record, verify it as the board will, open a pull request."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds import progress
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.exports import write as records
from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging.beside import Beside
from otherminds.leaderboard.judging.held import Seasons
from otherminds.leaderboard.judging.surroundings import Surroundings
from otherminds.leaderboard.judging.verify import Outcome, verify
from otherminds.leaderboard.records import moderation
from otherminds.leaderboard.records.reasons import FLAGS, REASONS, RefusedError
from otherminds.leaderboard.records.record import Finding
from otherminds.leaderboard.sending.build import Stated, build
from otherminds.types import Say


@dataclass(frozen=True)
class Submitted:
    """The outcome of submitting; `url` of the pull request is None where it was only prepared."""

    id: str
    outcome: Outcome
    url: str | None


def submit(
    results: Sequence[str | Path],
    stated: Stated,
    *,
    out: Path,
    dry_run: bool = False,
    season: Path | None = None,
    say: Say,
) -> Submitted:
    """Write a submission into `out`, verify it, and open a pull request on the board's dataset.

    With `dry_run`, nothing is sent and no token is needed. With the folder of a `season`, it is an entry
    of that. Raises OtherMindsError where it would be refused, before anything is sent.
    """
    board = None if dry_run else Board.open(for_writing=True)
    if board is not None and stated.submitter != board.remote.user:
        raise OtherMindsError(
            f"You are logged in as {board.remote.user}, and the board refuses a submission that "
            f"{stated.submitter} did not send: leave --submitter out, or log in as who submits."
        )
    known = None if season is None else Seasons([season], stated.date)
    with progress.status() as show, tempfile.TemporaryDirectory() as work:
        show("scoring the samples again")
        folder = build(results, stated, out, season=season)
        show("verifying the submission, as the board will")
        there = board.records(Path(work)) if board is not None else None
        outcome = verify(folder, submissions=there, seasons=known)
    for line in lines(outcome):
        say(line)
    if not outcome.is_accepted:
        raise OtherMindsError(
            f"{folder} would be refused, for the reasons above; nothing was sent."
        )
    records.write(folder, outcome, say=say)
    if board is None:
        words = ["leaderboard", "build", "board-preview", "--preview", str(folder)]
        words += [] if season is None else ["--season", str(season)]
        say(f"To see it as a page: `otherminds {shlex.join(words)}`")
        say(f"Written to {folder}; nothing was sent.")
        return Submitted(folder.name, outcome, None)
    url = board.propose(folder, f"Submission: {stated.name}")
    say(f"Opened: {url}")
    return Submitted(folder.name, outcome, url)


def verify_pull_request(number: int, *, seasons: Sequence[Path] = ()) -> Outcome:
    """Verify the additions of a pull request on the board's dataset. Raises OtherMindsError.

    seasons  folders of the seasons that take entries; the Hub says on which day this one was received
    """
    board = Board.open()
    known = Seasons(seasons, board.received(number)) if seasons else None
    with tempfile.TemporaryDirectory() as work:
        try:
            folder = board.fetch(number, Path(work) / "pr")
        except RefusedError as error:
            return Outcome(None, [error.finding])
        author, decisions = board.author(number), moderation.parse(board.log())
        around = Surroundings(board, Path(work) / "beside", say=lambda text: None)
        return verify(
            folder,
            submissions=board.records(Path(work) / "main"),
            seasons=known,
            author=author,
            beside=Beside.read(around.of(number, author, decisions)),
        )


def lines(outcome: Outcome) -> list[str]:
    """The findings of a verification, for a terminal: level or reasons, flags, scores."""
    shown = [f"Accepted: {outcome.level}" if outcome.is_accepted else "Refused"]
    shown += [_line("✗", REASONS, one) for one in outcome.reasons]
    shown += [_line("!", FLAGS, one) for one in outcome.flags]
    for task, metrics in outcome.recomputed.items():
        for name, metric in metrics.items():
            interval = ""
            if metric.low is not None and metric.high is not None:
                interval = f" [{metric.low:.4g}, {metric.high:.4g}]"
            shown.append(f"  {task} {name} {metric.value:.4g}{interval}")
    return shown


def _line(mark: str, known: dict[str, str], one: Finding) -> str:
    return f"{mark} {one.code}: {known[one.code]} {one.detail}"
