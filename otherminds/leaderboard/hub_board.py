"""The dataset `leaderboard` on the Hub: its pull requests, and the submissions on main."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from otherminds import hub
from otherminds.errors import OtherMindsError
from otherminds.leaderboard import intake, limits
from otherminds.leaderboard.moderation import LOG
from otherminds.leaderboard.reasons import RefusedError
from otherminds.leaderboard.record import RECORD, SUBMISSIONS, VERIFICATION
from otherminds.publishing.contents import RemoteFile
from otherminds.publishing.remote import MAIN, Remote

REPOSITORY = "leaderboard"

_RECORD_OF = re.compile(rf"{SUBMISSIONS}/([a-z0-9-]+)/{re.escape(RECORD)}")
_VERIFICATION_OF = re.compile(rf"{SUBMISSIONS}/[a-z0-9-]+/{re.escape(VERIFICATION)}")


@dataclass(frozen=True)
class Board:
    """The repository of the board, seen by whoever is logged in."""

    remote: Remote

    @classmethod
    def open(cls, *, for_writing: bool = False) -> Board:
        """The board's repository under the organisation in use. Raises OtherMindsError."""
        repo = hub.dataset_id(REPOSITORY)
        return cls(Remote.open(repo, "dataset", for_writing=for_writing))

    def propose(self, folder: Path, title: str) -> str:
        """Open a pull request that adds a submission; returns its address.

        Raises OtherMindsError where there is no such repository, or the Hub refuses.
        """
        from huggingface_hub import CommitOperationAdd

        additions = [
            CommitOperationAdd(f"{SUBMISSIONS}/{folder.name}/{path}", str(folder / path))
            for path in intake.files(folder)
        ]
        with self._asking("open a pull request on"):
            made = self.remote.api.create_commit(
                self.remote.repo_id,
                additions,
                commit_message=title,
                repo_type="dataset",
                create_pr=True,
            )
        return str(made.pr_url)

    def open_pull_requests(self) -> list[int]:
        """Their numbers, oldest first. Raises OtherMindsError where the Hub fails."""
        api, repo = self.remote.api, self.remote.repo_id
        with self._asking("list the pull requests of"):
            found = api.get_repo_discussions(
                repo,
                discussion_type="pull_request",
                discussion_status="open",
                repo_type="dataset",
            )
            # Discussions have no branch to look at, whatever the Hub was asked for.
            return sorted(one.num for one in found if one.is_pull_request)

    def head(self, number: int) -> str:
        """The commit that a pull request is at now."""
        return self.remote.commit_of(f"refs/pr/{number}")

    def has_said(self, number: int, text: str) -> bool:
        """Whether a comment of this user on a pull request holds a text."""
        from huggingface_hub import DiscussionComment

        with self._asking(f"read pull request {number} of"):
            found = self.remote.api.get_discussion_details(
                self.remote.repo_id, number, repo_type="dataset"
            )
        return any(
            isinstance(one, DiscussionComment)
            and one.author == self.remote.user
            and text in one.content
            for one in found.events
        )

    def comment(self, number: int, text: str) -> None:
        """Comment on a pull request."""
        with self._asking(f"comment on pull request {number} of"):
            self.remote.api.comment_discussion(
                self.remote.repo_id, number, text, repo_type="dataset"
            )

    def close(self, number: int, text: str) -> None:
        """Close a pull request with a comment."""
        with self._asking(f"close pull request {number} of"):
            self.remote.api.change_discussion_status(
                self.remote.repo_id, number, "closed", comment=text, repo_type="dataset"
            )

    def fetch(self, number: int, work: Path, *, commit: str | None = None) -> Path:
        """Download the one submission that a pull request adds; returns its folder.

        commit  that the pull request is looked at as; its newest one where none is given
        Names and sizes are checked before anything is downloaded. Raises RefusedError for a pull
        request that changes anything else, and OtherMindsError where the Hub fails.
        """
        with self._asking(f"find pull request {number} of"):
            commit, base = self._commits(commit or f"refs/pr/{number}")
        if base is None:
            raise RefusedError("touches-others", "It shares no history with main.")
        name, added = added_submission(self.remote.files(commit), self.remote.files(base))
        if any(path.startswith(f"{SUBMISSIONS}/{name}/") for path in self.remote.files(MAIN)):
            raise RefusedError("duplicate-id", name)
        intake.check_files(added)
        for path in added:
            # By the commit: the pull request's branch may move meanwhile.
            self.remote.download(f"{SUBMISSIONS}/{name}/{path}", commit, work)
        return work / SUBMISSIONS / name

    def fetch_merged(self, name: str, head: str, work: Path) -> Path:
        """Download a submission that is on main at a commit; returns its folder.

        Raises RefusedError, before anything is downloaded, for names and sizes that none may have.
        """
        place = f"{SUBMISSIONS}/{name}/"
        there = {
            path.removeprefix(place): file.size
            for path, file in self.remote.files(head).items()
            if path.startswith(place)
        }
        intake.check_id(name)
        intake.check_files(there)
        for path in there:
            self.remote.download(f"{place}{path}", head, work)
        return work / place

    def records(self, work: Path) -> Path:
        """Download the records on main; returns the folder `submissions` that they lie in."""
        folder = work / SUBMISSIONS
        folder.mkdir(parents=True, exist_ok=True)
        head = self.remote.commit_of(MAIN)
        for path, file in self.remote.files(head).items():
            if _RECORD_OF.fullmatch(path) and file.size <= limits.RECORD_BYTES:
                self.remote.download(path, head, work)
        return folder

    def log(self, head: str | None = None) -> bytes:
        """The moderation log, as it is at a commit of main or now; empty where there is none."""
        head = head or self.remote.commit_of(MAIN)
        if LOG not in self.remote.files(head):
            return b""
        with tempfile.TemporaryDirectory() as work:
            return self.remote.download(LOG, head, Path(work)).read_bytes()

    def unverified(self, head: str) -> list[str]:
        """The ids of the submissions on main, at a commit of it, that have no verification."""
        there = self.remote.files(head)
        names = sorted(found[1] for path in there if (found := _RECORD_OF.fullmatch(path)))
        return [
            name
            for name in names
            # Others cannot be named in the log; without a verification they are not shown.
            if intake.is_id(name) and f"{SUBMISSIONS}/{name}/{VERIFICATION}" not in there
        ]

    def accepted(self, head: str, work: Path) -> Path:
        """Download the accepted submissions with their answers, and the log, as they are at a commit.

        Returns the folder `submissions`; the log lies beside it.
        """
        names = [
            path.removesuffix(VERIFICATION)
            for path in self.remote.files(head)
            if _VERIFICATION_OF.fullmatch(path)
        ]
        folder = work / SUBMISSIONS
        folder.mkdir(parents=True, exist_ok=True)
        self.remote.download_all([LOG, *(f"{name}*" for name in names)], head, work)
        return folder

    def _commits(self, revision: str) -> tuple[str, str | None]:
        """The newest commit of a revision, and the newest that main has too."""
        main, theirs = (
            [
                one.commit_id
                for one in self.remote.api.list_repo_commits(
                    self.remote.repo_id, repo_type="dataset", revision=name
                )
            ]
            for name in (MAIN, revision)
        )
        shared = set(main)
        return theirs[0], next((one for one in theirs if one in shared), None)

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # HTTP, Hub and file layers raise their own kinds
            said = str(error).strip().splitlines() or [type(error).__name__]
            raise OtherMindsError(f"Cannot {what} {self.remote.repo_id}: {said[0]}") from error


def added_submission(
    there: Mapping[str, RemoteFile], base: Mapping[str, RemoteFile]
) -> tuple[str, dict[str, int]]:
    """The id of the one submission that is added, and its files' sizes by path within it.

    there, base  the files of the pull request, and of the commit that it began at
    Raises RefusedError where it changes or removes anything, or adds anything else.
    """
    for path, file in base.items():
        if path not in there or there[path].blob_id != file.blob_id:
            raise RefusedError("touches-others", f"It changes or removes {path}.")
    places = {path: path.split("/", 2) for path in there if path not in base}
    names = set()
    for path, place in places.items():
        if len(place) < 3 or place[0] != SUBMISSIONS:
            raise RefusedError("touches-others", f"It adds {path}.")
        names.add(place[1])
    if len(names) != 1:
        raise RefusedError("touches-others", f"It adds {len(names)} submissions, not one.")
    [name] = names
    intake.check_id(name)
    if any(path.startswith(f"{SUBMISSIONS}/{name}/") for path in base):
        raise RefusedError("duplicate-id", name)
    return name, {place[2]: there[path].size for path, place in places.items()}
