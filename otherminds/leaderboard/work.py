"""One pass over the board's repository: what was proposed is verified, answered, and accepted or not.

What is done is on the Hub alone, so a pass can be killed at any time and the next one goes on:

accepted  one commit on main with the files that were verified, the verification and the line of the
          log; then the pull request is closed with a comment. The Hub's own merging is not used: it
          takes what the branch holds at that moment, which may be other files than were verified.
refused   a comment, then a commit with the line of the log. The pull request stays open, and is looked
          at again when its commit is another.
held      as refused; a person looks at it, and merges it by hand or runs a pass with `merge_flagged`.

What a person merged by hand is verified where it lies on main. Every commit names its parent, so nothing
that others did meanwhile is overwritten: the step fails, and the next pass does it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

from otherminds.leaderboard import bounded, intake, moderation, policy, replies, verifications
from otherminds.leaderboard.bounded import Judged
from otherminds.leaderboard.done import Done
from otherminds.leaderboard.hub_board import Board
from otherminds.leaderboard.moderation import LOG, Action, Decision
from otherminds.leaderboard.reasons import RefusedError, plain
from otherminds.leaderboard.record import SUBMISSIONS, VERIFICATION
from otherminds.publishing.contents import LocalFile
from otherminds.publishing.remote import MAIN
from otherminds.seasons.received import received

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How a pass is done.

    today          the day that is written down
    dry_run        change nothing
    merge_flagged  accept what would be held
    seasons        folders of the seasons that take entries
    """

    today: date
    dry_run: bool = False
    merge_flagged: bool = False
    seasons: Sequence[Path] = ()


def work(board: Board, settings: Settings, *, say: Say) -> list[Done]:
    """Do one pass; returns what was done, and nothing for what was decided before.

    Whatever goes wrong with one submission is told of it and does not stop the others. Raises
    OtherMindsError where the repository itself cannot be read, or its log is broken.
    """
    with tempfile.TemporaryDirectory() as folder:
        this = _Pass(board, settings, Path(folder), say)
        this.look()
        done: list[Done] = []
        for name in this.merged_by_hand():
            done += this.guarded(None, name, partial(this.merged, name))
        for number in board.open_pull_requests():
            done += this.guarded(number, None, partial(this.proposed, number))
        return done


@dataclass
class _Pass:
    """What main holds, as of the commit `head`: its log, and ids without a verification."""

    board: Board
    settings: Settings
    work: Path
    say: Say
    head: str = ""
    log: bytes = b""
    decisions: list[Decision] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)

    is_fetched: bool = False

    @property
    def submissions(self) -> Path:
        return self.work / "main" / SUBMISSIONS

    def look(self) -> None:
        """Read main anew if others have changed it."""
        head = self.board.remote.commit_of(MAIN)
        if head != self.head:
            self.log = self.board.log(head)
            self.decisions = moderation.parse(self.log)
            self.unverified = self.board.unverified(head)
            self.head, self.is_fetched = head, False

    def earlier(self) -> Path:
        """The accepted submissions with their answers; downloaded only when there is need of them."""
        if not self.is_fetched:
            shutil.rmtree(self.work / "main", ignore_errors=True)
            self.board.accepted(self.head, self.work / "main")
            self.is_fetched = True
        return self.submissions

    def guarded(
        self, number: int | None, name: str | None, step: Callable[[], Done | None]
    ) -> Iterator[Done]:
        try:
            self.look()
            done = step()
        except Exception as error:  # of one submission, whatever it is; the others have their turn
            yield Done(number, name, "failed", plain(f"{type(error).__name__}: {error}"))
            return
        if done is not None:
            yield done

    def merged_by_hand(self) -> list[str]:
        """The submissions that a person put on main, but for those that were refused as they are."""
        return [name for name in self.unverified if not self._is_refused(name)]

    def merged(self, name: str) -> Done:
        """Verify what a person merged; that they did answers the flags."""
        self.say(f"{name}, which was merged by hand …")
        with tempfile.TemporaryDirectory(dir=self.work) as work:
            folder = Path(work)
            try:
                folder = self.board.fetch_merged(name, self.head, folder)
                judged = self._verified(folder, None)
            except RefusedError as error:
                judged = Judged(None, [error.finding])
            action = policy.action(judged, merge_flagged=True)
            decision = self._decision(action, judged, name)
            if action == "accepted":
                self._accept(decision, {}, judged, folder)
            else:
                self._commit({}, decision)
        return Done(None, name, action, decision.detail)

    def proposed(self, number: int) -> Done | None:
        """Decide about a pull request; None for what was decided before."""
        commit = self.board.head(number)
        known = moderation.last(self.decisions, number, commit)
        if known is not None and known.action == "accepted":
            # A pass that was killed did not come to this.
            self._close(number, commit, None)
            return Done(number, known.submission, "accepted", known.detail)
        if known is not None and not (known.action == "held" and self.settings.merge_flagged):
            return None
        self.say(f"Pull request {number} …")
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            return self._decided(number, commit, known, Path(folder))

    def _decided(self, number: int, commit: str, known: Decision | None, work: Path) -> Done | None:
        folder, name = work, None
        try:
            folder = self.board.fetch(number, work, commit=commit)
            name = folder.name
            judged = self._verified(folder, number)
        except RefusedError as error:
            judged = Judged(None, [error.finding])
        if self.board.head(number) != commit:
            return Done(number, name, "moved", "It changed while it was looked at.")
        action = policy.action(judged, merge_flagged=self.settings.merge_flagged)
        if known is not None and known.action == action:
            return None
        decision = self._decision(action, judged, name, number=number, commit=commit)
        if action == "accepted":
            self._accept(decision, _files(folder), judged, folder)
            self._close(number, commit, judged)
        else:
            self._say(decision, judged)
            self._commit({}, decision)
        return Done(number, name, action, decision.detail)

    def _decision(
        self,
        action: Action,
        judged: Judged,
        name: str | None,
        *,
        number: int | None = None,
        commit: str | None = None,
    ) -> Decision:
        found = [*judged.reasons, *judged.flags]
        return Decision(
            date=self.settings.today,
            pull_request=number,
            commit=commit or self.head,
            submission=name,
            action=action,
            codes=list(dict.fromkeys(one.code for one in found)),
            detail=moderation.summary(found),
            by=self.board.remote.user or "nobody",
        )

    def _verified(self, folder: Path, number: int | None) -> Judged:
        """Verified against what is accepted; of what a person merged, the day is not known."""
        seasons = self.settings.seasons
        return bounded.verify(
            folder,
            self.earlier(),
            checked=self.settings.today,
            seasons=seasons,
            received=received(self.board, number) if seasons and number is not None else None,
        )

    def _accept(
        self, decision: Decision, files: dict[str, LocalFile], judged: Judged, folder: Path
    ) -> None:
        """Commit the files of a submission with its verification, and the line of the log."""
        if judged.verification is None:
            return
        # Among the earlier ones, for those that come after it in this pass.
        accepted = self.submissions / folder.name
        shutil.copytree(folder, accepted)
        verifications.write(accepted, judged.verification)
        place = f"{SUBMISSIONS}/{folder.name}/{VERIFICATION}"
        self._commit({**files, place: LocalFile(accepted / VERIFICATION)}, decision)

    def _commit(self, files: dict[str, LocalFile], decision: Decision) -> None:
        """Commit files and the line of the log, on what main was when it was looked at."""
        if self.settings.dry_run:
            return
        log = self.work / LOG
        log.write_bytes(moderation.appended(self.log, [decision]))
        about = decision.submission or f"pull request {decision.pull_request}"
        self.head = self.board.remote.commit(
            {**files, LOG: LocalFile(log)},
            deleted=(),
            message=f"{decision.action.capitalize()}: {about}",
            parent=self.head,
        )
        self.log = log.read_bytes()
        self.decisions.append(decision)

    def _say(self, decision: Decision, judged: Judged) -> None:
        """Comment on what is not accepted, unless a pass that was killed has done so."""
        number, commit = decision.pull_request, decision.commit
        if self.settings.dry_run or number is None or commit is None:
            return
        if self.board.has_said(number, replies.mark(decision.action, commit)):
            return
        if decision.action == "refused":
            self.board.comment(number, replies.refused(commit, judged.reasons, judged.flags))
        else:
            self.board.comment(number, replies.held(commit, judged.flags))

    def _close(self, number: int, commit: str, judged: Judged | None) -> None:
        """Close an accepted pull request; `judged` is None where an earlier pass accepted it."""
        if self.settings.dry_run:
            return
        flags = judged.flags if judged else ()
        level = judged.verification.level if judged and judged.verification else None
        self.board.close(number, replies.accepted(commit, self.head, level, flags))

    def _is_refused(self, name: str) -> bool:
        """Whether the log has refused or held a submission on main with just these files."""
        for one in reversed(self.decisions):
            if one.submission == name and one.pull_request is None and one.commit is not None:
                return self._files_of(name, one.commit) == self._files_of(name, self.head)
        return False

    def _files_of(self, name: str, commit: str) -> dict[str, str]:
        place = f"{SUBMISSIONS}/{name}/"
        return {
            path: file.blob_id
            for path, file in self.board.remote.files(commit).items()
            if path.startswith(place)
        }


def _files(folder: Path) -> dict[str, LocalFile]:
    place = f"{SUBMISSIONS}/{folder.name}/"
    return {f"{place}{path}": LocalFile(folder / path) for path in sorted(intake.files(folder))}
