"""What operators decide about accepted submissions, in a copy of the board's repository or on the Hub.

On the Hub, verifications and the lines of the log change in one commit that names its parent; in a copy,
each file is written whole.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from otherminds.errors import OtherMindsError
from otherminds.files import atomic_file
from otherminds.leaderboard import intake, moderation, verifications
from otherminds.leaderboard import regrade as regrading
from otherminds.leaderboard import rerun as rerunning
from otherminds.leaderboard.hub_board import Board
from otherminds.leaderboard.moderation import LOG, Action, Decision
from otherminds.leaderboard.reasons import plain
from otherminds.leaderboard.record import SUBMISSIONS, VERIFICATION, Name
from otherminds.publishing.contents import difference, of_folder
from otherminds.publishing.remote import MAIN

Say = Callable[[str], None]

_ACTIONS: dict[str, Action] = {"not-comparable": "not-comparable"}
_LONGEST = 1_500


@dataclass(frozen=True)
class Operator:
    """Who decides, when, and where.

    folder  a copy of the board's repository; None for the one on the Hub
    by      a name on the Hub; None for whoever is logged in
    """

    today: date
    folder: Path | None = None
    by: str | None = None


def rerun(name: str, results: Sequence[Path], operator: Operator, *, say: Say) -> None:
    """Raise a submission to the level re-run.

    Raises OtherMindsError where there is no such accepted submission, and as `rerun.rerun` does.
    """

    def decide(copy: Path, by: str) -> list[Decision]:
        place = copy / SUBMISSIONS / name
        if not intake.is_id(name) or not (place / VERIFICATION).is_file():
            raise OtherMindsError(f"There is no accepted submission '{plain(name, limit=100)}'.")
        found = rerunning.rerun(place, results, by=by, date=operator.today)
        verifications.write(place, found)
        detail = f"{by} ran the model too and found no other scores."
        told = {"submission": name, "action": "re-run", "detail": detail}
        return [Decision.model_validate({**told, "date": operator.today, "by": by})]

    _carry_out(decide, operator, say)


def regrade(operator: Operator, *, say: Say) -> None:
    """Bring all accepted submissions up to date. Raises OtherMindsError as `regrade.regrade` does."""

    def decide(copy: Path, by: str) -> list[Decision]:
        return [
            Decision(
                date=operator.today,
                submission=one.submission,
                action=_ACTIONS.get(one.action, "regraded"),
                detail=plain(f"{one.task}: {one.action}. {one.detail}", limit=_LONGEST),
                by=by,
            )
            for one in regrading.regrade(copy / SUBMISSIONS, say=say)
        ]

    _carry_out(decide, operator, say)


def _carry_out(decide: Callable[[Path, str], list[Decision]], operator: Operator, say: Say) -> None:
    """Let `decide` change a copy, and log what it decided."""
    if operator.folder is not None:
        if not (operator.folder / SUBMISSIONS).is_dir():
            raise OtherMindsError(f"{operator.folder} is no copy of the board's repository.")
        decisions = decide(operator.folder, _name(operator.by))
        _log(operator.folder, decisions)
    else:
        board = Board.open(for_writing=True)
        decisions = _on_hub(board, decide, _name(operator.by or board.remote.user))
    for one in decisions:
        say(f"{one.submission}: {one.action}. {one.detail}")
    if not decisions:
        say("Nothing to change.")


def _on_hub(board: Board, decide: Callable[[Path, str], list[Decision]], by: str) -> list[Decision]:
    head = board.remote.commit_of(MAIN)
    with tempfile.TemporaryDirectory() as work:
        submissions = board.accepted(head, Path(work))
        decisions = decide(submissions.parent, by)
        if not decisions:
            return []
        _log(submissions.parent, decisions)
        files = {f"{SUBMISSIONS}/{path}": file for path, file in of_folder(submissions).items()}
        files[LOG] = of_folder(submissions.parent)[LOG]
        change = difference(files, board.remote.files(head))
        changed = {path: files[path] for path in (*change.added, *change.replaced)}
        about = ", ".join(sorted({one.action for one in decisions})).capitalize()
        message = f"{about}: {len({one.submission for one in decisions})} submissions"
        board.remote.commit(changed, deleted=(), message=message, parent=head)
    return decisions


def _log(copy: Path, decisions: Sequence[Decision]) -> None:
    if not decisions:
        return
    path = copy / LOG
    written = path.read_bytes() if path.is_file() else b""
    moderation.parse(written)
    with atomic_file(path) as partial:
        partial.write_bytes(moderation.appended(written, decisions))


def _name(by: str | None) -> str:
    try:
        return TypeAdapter(Name).validate_python(by)
    except ValidationError as error:
        raise OtherMindsError(
            "Say who decides, with --by and a name as on the Hub: log and verification name them."
        ) from error
