"""Operators' decisions about accepted submissions, in a copy of the board's repository or on the Hub.

On the Hub, verifications and the lines of the log change in one commit that names its parent. In a copy
the log is written first: its lines vouch for verifications by their hash, so those of a writer that was
killed in between count for nothing, and the same command does it again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from otherminds.errors import OtherMindsError
from otherminds.files import atomic_file
from otherminds.leaderboard.hub import CHANGED, Board
from otherminds.leaderboard.operating import regrade as regrading
from otherminds.leaderboard.operating import rerun as rerunning
from otherminds.leaderboard.records import intake, moderation, verifications, vouching
from otherminds.leaderboard.records.moderation import LOG, LONGEST, Action, Decision
from otherminds.leaderboard.records.reasons import RefusedError, plain
from otherminds.leaderboard.records.record import RECORD, SUBMISSIONS, VERIFICATION, Name
from otherminds.publishing.contents import LocalFile, difference, of_folder
from otherminds.publishing.remote import MAIN
from otherminds.types import Say

_ACTIONS: dict[str, Action] = {"not-comparable": "not-comparable"}


@dataclass(frozen=True)
class Operator:
    """Who decides, when, and where.

    folder  a copy of the board's repository; None for the one on the Hub
    by      a name on the Hub; None for the user who is logged in
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
        facts = {"submission": name, "action": "re-run", "detail": detail}
        return [Decision.model_validate({**facts, "date": operator.today, "by": by})]

    _carry_out(decide, operator, say)


def regrade(operator: Operator, *, say: Say) -> None:
    """Bring all accepted submissions up to date. Raises OtherMindsError as `regrade.regrade` does."""

    def decide(copy: Path, by: str) -> list[Decision]:
        return [
            Decision(
                date=operator.today,
                submission=one.submission,
                action=_ACTIONS.get(one.action, "regraded"),
                detail=plain(f"{one.task}: {one.action}. {one.detail}", limit=LONGEST),
                by=by,
            )
            for one in regrading.regrade(copy / SUBMISSIONS, say=say)
        ]

    _carry_out(decide, operator, say)


def withdraw(name: str, reason: str, operator: Operator, *, say: Say) -> None:
    """Remove a submission, accepted or not, from the board's repository, and log why.

    Raises OtherMindsError where there is no such submission, or the reason is not plain text.
    """
    if not intake.is_id(name):
        raise OtherMindsError(f"'{plain(name, limit=100)}' is not an id of a submission.")
    detail = plain(reason, limit=LONGEST)
    facts = {"date": operator.today, "submission": name, "action": "withdrawn", "detail": detail}
    place = f"{SUBMISSIONS}/{name}"
    missing = OtherMindsError(f"There is no submission '{name}'.")
    if operator.folder is not None:
        decision = Decision.model_validate({**facts, "by": _name(operator.by)})
        _check_copy(operator.folder)
        if not (operator.folder / place).is_dir():
            raise missing
        known = _answers(operator.folder / place / RECORD)
        _log(operator.folder, [decision.model_copy(update={"answers_sha256": known})])
        shutil.rmtree(operator.folder / place)
    else:
        board = Board.open(for_writing=True)
        decision = Decision.model_validate({**facts, "by": _name(operator.by or board.remote.user)})
        head = board.remote.commit_of(MAIN)
        deleted = [path for path in board.files(head) if path.startswith(f"{place}/")]
        if not deleted:
            raise missing
        with tempfile.TemporaryDirectory() as work:
            log = Path(work) / LOG
            log.write_bytes(board.log(head))
            known = None
            if (path := f"{place}/{RECORD}") in deleted:
                known = _answers(board.remote.download(path, head, Path(work)))
            _log(log.parent, [decision.model_copy(update={"answers_sha256": known})])
            message = f"Withdrawn: {name}"
            board.remote.commit(
                {LOG: LocalFile(log)}, deleted=deleted, message=message, parent=head
            )
    say(f"{name}: withdrawn. {detail}")


def _answers(record: Path) -> dict[str, str] | None:
    """The hashes of a submission's answers by task; None where its record cannot be read."""
    try:
        return {run.task: run.answers_sha256 for run in intake.parse(record.read_bytes()).tasks}
    except (OSError, RefusedError):
        return None


def _carry_out(decide: Callable[[Path, str], list[Decision]], operator: Operator, say: Say) -> None:
    """Let `decide` change a copy of the accepted submissions; keep it, and log the decisions."""
    if operator.folder is not None:
        _check_copy(operator.folder)
        decisions = _in_folder(operator.folder, decide, _name(operator.by), say)
    else:
        board = Board.open(for_writing=True)
        decisions = _on_hub(board, decide, _name(operator.by or board.remote.user), say)
    for one in decisions:
        say(f"{one.submission}: {one.action}. {one.detail}")
    if not decisions:
        say("Nothing to change.")


def _in_folder(
    folder: Path, decide: Callable[[Path, str], list[Decision]], by: str, say: Say
) -> list[Decision]:
    known = moderation.parse((folder / LOG).read_bytes())
    # Of a writer that was killed, the log has the newest hashes, and the files are those of before.
    others = vouching.unvouched(folder / SUBMISSIONS, known, also_earlier=True)
    for name in others:
        say(f"{plain(name, limit=100)} is left as it is: {CHANGED}")
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work)
        for path in sorted((folder / SUBMISSIONS).glob(f"*/{VERIFICATION}")):
            if path.parent.name not in others:
                shutil.copytree(path.parent, copy / SUBMISSIONS / path.parent.name)
        decisions = _vouching(decide(copy, by), copy)
        _log(folder, decisions)
        for name in dict.fromkeys(str(one.submission) for one in decisions):
            found = verifications.read(copy / SUBMISSIONS / name)
            verifications.write(folder / SUBMISSIONS / name, found)
    return decisions


def _on_hub(
    board: Board, decide: Callable[[Path, str], list[Decision]], by: str, say: Say
) -> list[Decision]:
    head = board.remote.commit_of(MAIN)
    with tempfile.TemporaryDirectory() as work:
        submissions = board.accepted(head, Path(work), say=say)
        decisions = _vouching(decide(submissions.parent, by), submissions.parent)
        if not decisions:
            return []
        _log(submissions.parent, decisions)
        files = {f"{SUBMISSIONS}/{path}": file for path, file in of_folder(submissions).items()}
        files[LOG] = of_folder(submissions.parent)[LOG]
        change = difference(files, board.files(head))
        changed = {path: files[path] for path in (*change.added, *change.replaced)}
        about = ", ".join(sorted({one.action for one in decisions})).capitalize()
        message = f"{about}: {len({one.submission for one in decisions})} submissions"
        board.remote.commit(changed, deleted=(), message=message, parent=head)
    return decisions


def _vouching(decisions: Sequence[Decision], copy: Path) -> list[Decision]:
    """The decisions, each with the hash of its submission's files as they are in a copy now."""
    hashes = {
        name: vouching.digest(copy / SUBMISSIONS / name)
        for name in dict.fromkeys(str(one.submission) for one in decisions)
    }
    return [
        one.model_copy(update={"files_sha256": hashes[str(one.submission)]}) for one in decisions
    ]


def _log(copy: Path, decisions: Sequence[Decision]) -> None:
    if not decisions:
        return
    path = copy / LOG
    written = path.read_bytes()
    moderation.parse(written)
    with atomic_file(path) as partial:
        partial.write_bytes(moderation.appended(written, decisions))


def _check_copy(folder: Path) -> None:
    if not (folder / SUBMISSIONS).is_dir() or not (folder / LOG).is_file():
        raise OtherMindsError(
            f"{folder} is not a copy of the board's repository: that has {SUBMISSIONS}/ and {LOG}."
        )


def _name(by: str | None) -> str:
    try:
        return TypeAdapter(Name).validate_python(by)
    except ValidationError as error:
        raise OtherMindsError(
            "Say who decides, with --by and a name as on the Hub: log and verification name them."
        ) from error
