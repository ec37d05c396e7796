"""One pass over the board's repository: proposals are verified, answered, and accepted or not.

The state of the work is on the Hub alone, so a pass can be killed at any time and the next one goes on:

accepted  one commit on main with the files that were verified, the verification and the line of the
          log, which vouches for them; then the pull request is closed with a comment. The Hub's own
          merging is not used: it takes the branch as it is at that moment, which may hold other files
          than were verified, and files of others.
refused   a comment, then a commit with the line of the log. The pull request stays open, and is looked
          at again when its commit is another.
held      as refused; a person looks at it, and accepts it by `accept` at the commit that was looked at.
waiting   an entry of a season that this pass does not have: nothing is written down, and the next pass
          looks again.

Files on main without a line that vouches for them are reported, and nowhere count as accepted.
Every commit names its parent, so nothing that others did meanwhile is overwritten: the step fails, and
the next pass does it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.hub import UNVOUCHED, Board
from otherminds.leaderboard.judging import bounded
from otherminds.leaderboard.judging.bounded import Judged
from otherminds.leaderboard.judging.held import Seasons
from otherminds.leaderboard.judging.surroundings import Surroundings
from otherminds.leaderboard.operating import outdated, policy, replies
from otherminds.leaderboard.operating.done import Done
from otherminds.leaderboard.records import intake, moderation, verifications, vouching
from otherminds.leaderboard.records.moderation import LOG, Action, Decision
from otherminds.leaderboard.records.reasons import RefusedError, plain
from otherminds.leaderboard.records.record import SUBMISSIONS
from otherminds.publishing.contents import LocalFile
from otherminds.publishing.remote import MAIN
from otherminds.types import Say

_SHORTEST = 7
"""Characters of a commit's id that name it."""


@dataclass(frozen=True)
class Settings:
    """How a pass is done.

    today    the day that is written down
    dry_run  change nothing
    seasons  folders of the seasons that take entries

    Raises OtherMindsError for a folder without a season: one error before anything is done, and not one
    for each submission.
    """

    today: date
    dry_run: bool = False
    seasons: Sequence[Path] = ()

    def __post_init__(self) -> None:
        Seasons(self.seasons, None)


def work(board: Board, settings: Settings, *, say: Say) -> list[Done]:
    """Do one pass; returns the outcomes, without pull requests that were decided before.

    A failure of one submission is reported for it and does not stop the others. Raises
    OtherMindsError where the repository itself cannot be read, or its log is broken.
    """
    with tempfile.TemporaryDirectory() as folder:
        this = _Pass(board, settings, Path(folder), say)
        this.look()
        done = [
            Done(None, plain(name, limit=100), "unvouched", f"It is not shown: {UNVOUCHED}")
            for name in board.unvouched(this.head, this.decisions)
        ]
        for number in board.open_pull_requests():
            done += this.guarded(number, partial(this.proposed, number))
        this.say_what_is_outdated()
        return done


def accept(board: Board, settings: Settings, number: int, commit: str, *, say: Say) -> Done:
    """Accept a pull request that a person has looked at, as it was at a commit: flags hold nothing.

    commit  its id, or how that begins; it must be the pull request's newest

    It is verified as in a pass, and refused where a pass would refuse it. Raises OtherMindsError where
    the pull request is at another commit, and where the Hub fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        this = _Pass(board, settings, Path(folder), say)
        this.look()
        head = board.head(number)
        if len(commit) < _SHORTEST or not head.startswith(commit):
            raise OtherMindsError(
                f"Pull request {number} is at commit {head}, and not at {plain(commit, limit=40)}: "
                "look at what it holds now, and name that commit."
            )
        return this.decided(number, head, is_seen=True)


@dataclass
class _Pass:
    """The files on main, as of the commit `head`."""

    board: Board
    settings: Settings
    work: Path
    say: Say
    head: str = ""
    log: bytes = b""
    decisions: list[Decision] = field(default_factory=list)
    is_fetched: bool = False
    surroundings: Surroundings = field(init=False)

    def __post_init__(self) -> None:
        self.surroundings = Surroundings(self.board, self.work / "beside", self.say)

    @property
    def submissions(self) -> Path:
        return self.work / "main" / SUBMISSIONS

    def look(self) -> None:
        """Read main anew if others have changed it."""
        head = self.board.remote.commit_of(MAIN)
        if head != self.head:
            self.log = self.board.log(head)
            self.decisions = moderation.parse(self.log)
            self.head, self.is_fetched = head, False

    def earlier(self) -> Path:
        """The accepted submissions with their answers; downloaded only when there is need of them."""
        if not self.is_fetched:
            shutil.rmtree(self.work / "main", ignore_errors=True)
            self.board.accepted(self.head, self.work / "main", say=self.say)
            self.is_fetched = True
        return self.submissions

    def say_what_is_outdated(self) -> None:
        """Where the accepted submissions are at hand, say whether they have to be regraded."""
        if self.is_fetched:
            outdated.tell(self.submissions, say=self.say)

    def guarded(self, number: int, step: Callable[[], Done | None]) -> Iterator[Done]:
        try:
            self.look()
            done = step()
        except Exception as error:  # any error of one submission; the others have their turn
            yield Done(number, None, "failed", plain(f"{type(error).__name__}: {error}"))
            return
        if done is not None:
            yield done

    def proposed(self, number: int) -> Done | None:
        """Decide about a pull request; None for one that was decided before."""
        commit = self.board.head(number)
        known = moderation.last(self.decisions, number, commit)
        if known is not None and known.action != "accepted":
            return None
        return self.decided(number, commit)

    def decided(self, number: int, commit: str, *, is_seen: bool = False) -> Done:
        """Decide about a pull request at a commit.

        is_seen  a person has looked at it as it is
        """
        known = moderation.last(self.decisions, number, commit)
        if known is not None and known.action == "accepted":
            return self._accepted_before(number, commit, known)
        self.say(f"Pull request {number} …")
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            return self._decided(number, commit, known, Path(folder), is_seen=is_seen)

    def _accepted_before(self, number: int, commit: str, known: Decision) -> Done:
        """Close pull requests that a killed pass has accepted, or that were opened again since."""
        place = f"{SUBMISSIONS}/{known.submission}/"
        is_there = known.submission in vouching.vouched(self.decisions)
        if is_there and any(path.startswith(place) for path in self.board.files(self.head)):
            self._close(number, replies.accepted(commit, self.head, None, ()))
            return Done(number, known.submission, "accepted", known.detail)
        self._close(number, replies.withdrawn(commit))
        return Done(number, known.submission, "withdrawn", "It is on main no more.")

    def _decided(
        self, number: int, commit: str, known: Decision | None, work: Path, *, is_seen: bool
    ) -> Done:
        folder, name, author = work, None, self.board.author(number)
        try:
            folder = self.board.fetch(number, work, commit=commit)
            name = folder.name
            judged = self._verified(folder, number, author)
        except RefusedError as error:
            judged = Judged(None, [error.finding])
        if self.board.head(number) != commit:
            return Done(number, name, "moved", "It changed while it was looked at.")
        action = policy.action(judged, is_seen=is_seen)
        detail = moderation.summary([*judged.reasons, *judged.flags])
        if action == "waiting":
            return Done(number, name, "waiting", f"{detail} Name its season's folder by --season.")
        if known is not None and known.action == action:
            return Done(number, name, action, detail)
        decision = self._decision(action, judged, name, number, commit, author)
        if action == "accepted":
            level = judged.verification.level if judged.verification else None
            self._accept(decision, judged, folder)
            self._close(number, replies.accepted(commit, self.head, level, judged.flags))
        else:
            self._say(decision, judged)
            self._commit({}, decision)
        return Done(number, name, action, decision.detail)

    def _decision(
        self,
        action: Action,
        judged: Judged,
        name: str | None,
        number: int,
        commit: str,
        author: str,
    ) -> Decision:
        found = [*judged.reasons, *judged.flags]
        return Decision(
            date=self.settings.today,
            pull_request=number,
            commit=commit,
            submission=name,
            action=action,
            codes=list(dict.fromkeys(one.code for one in found)),
            detail=moderation.summary(found),
            by=self.board.remote.user or "nobody",
            author=author,
        )

    def _verified(self, folder: Path, number: int, author: str) -> Judged:
        """Verified against the accepted submissions, and all beside them. Raises RefusedError."""
        seasons = self.settings.seasons
        if (self.earlier() / folder.name).exists():
            # Accepted in this pass, which a dry run has not put on main.
            raise RefusedError("duplicate-id", folder.name)
        return bounded.verify(
            folder,
            self.earlier(),
            checked=self.settings.today,
            seasons=seasons,
            received=self.board.received(number) if seasons else None,
            author=author,
            beside=self.surroundings.of(number, author, self.decisions),
        )

    def _accept(self, decision: Decision, judged: Judged, folder: Path) -> None:
        """Commit the files of a submission with its verification, and the line that vouches for them."""
        if judged.verification is None:
            raise OtherMindsError(f"{folder.name} has no verification, so it cannot be accepted.")
        verifications.write(folder, judged.verification)
        self._commit(
            {
                f"{SUBMISSIONS}/{folder.name}/{path}": LocalFile(folder / path)
                for path in sorted(intake.files(folder))
            },
            decision.model_copy(update={"files_sha256": vouching.digest(folder)}),
        )
        if decision.pull_request is not None:
            self.surroundings.accepted(decision.pull_request)
        # Among the earlier ones, for those that come after it in this pass; not before it is on main.
        shutil.copytree(folder, self.submissions / folder.name)

    def _commit(self, files: dict[str, LocalFile], decision: Decision) -> None:
        """Commit files and the line of the log, on the commit of main that was looked at."""
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
        """Comment on a refusal or a hold, unless a pass that was killed has done so."""
        number, commit = decision.pull_request, decision.commit
        if self.settings.dry_run or number is None or commit is None:
            return
        if self.board.has_said(number, replies.mark(decision.action, commit)):
            return
        if decision.action == "refused":
            self.board.comment(number, replies.refused(commit, judged.reasons, judged.flags))
        else:
            self.board.comment(number, replies.held(commit, judged.flags))

    def _close(self, number: int, text: str) -> None:
        if not self.settings.dry_run:
            self.board.close(number, text)
