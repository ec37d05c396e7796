"""The page of the board as it would be with one submission more: for its maker, before it is sent."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.leaderboard import board as page
from otherminds.leaderboard.judging.held import Seasons
from otherminds.leaderboard.judging.verify import verify
from otherminds.leaderboard.operating import space as pages
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.reasons import FLAGS, plain
from otherminds.leaderboard.records.record import RECORD, VERIFICATION
from otherminds.types import Say


def build(
    submission: Path,
    others: Path | None,
    out: Path,
    *,
    seasons: Sequence[Path] = (),
    today: date,
    say: Say,
) -> None:
    """Build the page with a submission as if it were accepted, among the accepted ones of a folder.

    others  a folder of submissions, of which those are shown that the moderation log beside it vouches
            for; without it, the page has this one alone
    Raises OtherMindsError where there is no submission, and where it would be refused.
    """
    if not (submission / RECORD).is_file():
        raise OtherMindsError(
            f"{submission} is not a submission: it has no {RECORD}. `otherminds submit --dry-run` "
            "writes one and names its folder."
        )
    held = Seasons(seasons, today) if seasons else None
    outcome = verify(submission.resolve(), submissions=others, seasons=held)
    if not outcome.is_accepted or outcome.submission is None:
        reasons = "; ".join(f"{one.code}: {plain(one.detail)}" for one in outcome.reasons)
        raise OtherMindsError(f"{submission} would be refused, so no board can show it: {reasons}")
    decisions: Sequence[Decision] = []
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "submissions"
        if others is not None:
            with pages.vouched(others, say=say) as (shown, decisions):
                # Only what was accepted has a place beside it.
                for path in sorted(shown.glob(f"*/{VERIFICATION}")):
                    shutil.copytree(path.parent, folder / path.parent.name)
        mine = folder / submission.resolve().name
        shutil.copytree(submission, mine, dirs_exist_ok=True)
        verification = outcome.verification(today).model_dump_json(indent=1)
        (mine / VERIFICATION).write_text(verification + "\n", encoding="utf-8")
        pages.build_unlogged(folder, out, decisions=decisions, seasons=seasons, say=say)
    boards = {board.task: board.title for board in page.load().boards}
    say(f"A preview of {outcome.submission.model.name}, as if it were accepted:")
    for run in outcome.submission.tasks:
        where = f"on the board '{boards[run.task]}'" if run.task in boards else "on no board"
        say(f"  {run.task}: {where}")
    if not any(run.task in boards for run in outcome.submission.tasks):
        say(f"Boards are of the tasks {', '.join(sorted(boards))}.")
    for flag in outcome.flags:
        say(f"It would be flagged ({flag.code}): {FLAGS[flag.code]} {plain(flag.detail)}")
    if others is None:
        say("It is shown alone; --submissions FOLDER shows it among accepted ones.")
