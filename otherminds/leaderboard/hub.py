"""The dataset `leaderboard` on the Hub: its pull requests, and the submissions on main."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from otherminds.data import hub
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records import intake, limits, moderation, vouching
from otherminds.leaderboard.records.moderation import LOG, Decision
from otherminds.leaderboard.records.reasons import RefusedError, plain
from otherminds.leaderboard.records.record import RECORD, SUBMISSIONS
from otherminds.publishing.contents import RemoteFile
from otherminds.publishing.remote import MAIN, ManyFilesError, Remote
from otherminds.types import Say

if TYPE_CHECKING:
    from huggingface_hub import DiscussionWithDetails

REPOSITORY = "leaderboard"

_RECORD_OF = re.compile(rf"{SUBMISSIONS}/([a-z0-9-]+)/{re.escape(RECORD)}")
_FOLDER_OF = re.compile(rf"{SUBMISSIONS}/([^/]+)/.+")

_LISTINGS = 8
"""Of commits of main, that are kept: as many as the pull requests of one pass begin at, mostly."""

CHANGED = "its files are not those that the log vouches for."
UNVOUCHED = "no line of the log has accepted it."


@dataclass(frozen=True)
class Board:
    """The repository of the board, seen by the user who is logged in."""

    remote: Remote
    _listings: dict[str, dict[str, RemoteFile]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _main: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

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
            # Discussions have no branch to look at, although pull requests alone were asked for.
            return sorted(one.num for one in found if one.is_pull_request)

    def head(self, number: int) -> str:
        """The commit that a pull request is at now."""
        return self.remote.commit_of(f"refs/pr/{number}")

    def author(self, number: int) -> str:
        """Who opened a pull request, as the Hub says. Raises OtherMindsError."""
        with self._asking(f"read pull request {number} of"):
            return str(self._details(number).author)

    def owners(self, name: str) -> frozenset[str]:
        """An account, and the organisations that it is seen to belong to. Raises OtherMindsError.

        Members may hide that they are: then nobody can tell. A deleted account belongs to none.
        """
        from huggingface_hub.errors import HfHubHTTPError

        with self._asking(f"find the organisations of {name}, who proposes something to"):
            try:
                found = self.remote.api.get_user_overview(name)
            except HfHubHTTPError as error:
                if error.response.status_code != 404:
                    raise
                return frozenset((name,))
        return frozenset((name, *(org.name for org in found.orgs or ())))

    def received(self, number: int) -> date:
        """The day (UTC) of `received_at`. Raises OtherMindsError."""
        return self.received_at(number).date()

    def received_at(self, number: int) -> datetime:
        """The time (UTC) of a pull request's last change: of its opening, or of its newest commit.

        The Hub states when a pull request was opened, and when each commit arrived in it. Commits state
        a time themselves too, which their author can choose with git: it can make an entry later
        here, and never earlier. Nothing of the entry's own record is used. Raises OtherMindsError.
        """
        with self._asking(f"find when pull request {number} was received by"):
            details = self._details(number)
            newest = self.remote.committed_at(f"refs/pr/{number}")
        arrived = [event.created_at for event in details.events if event.type == "commit"]
        return max(details.created_at, newest, *arrived).astimezone(UTC)

    def files(self, commit: str) -> dict[str, RemoteFile]:
        """The files of a commit of main; the Hub is asked once."""
        if commit not in self._listings:
            found = self.remote.files(commit)
            while len(self._listings) >= _LISTINGS:
                del self._listings[next(iter(self._listings))]
            self._listings[commit] = found
        return self._listings[commit]

    def has_said(self, number: int, text: str) -> bool:
        """Whether a comment of this user on a pull request holds a text."""
        from huggingface_hub import DiscussionComment

        with self._asking(f"read pull request {number} of"):
            found = self._details(number)
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
            commit = commit or self.head(number)
        base = self._base(commit)
        if base is None:
            raise RefusedError("touches-others", "It shares no history with main.")
        before = self.files(base)
        try:
            there = self.remote.files(commit, most=_entries(before) + 2 * limits.FILES)
        except ManyFilesError as error:
            raise RefusedError("too-many-files", f"More than {limits.FILES} are added.") from error
        name, added = added_submission(there, before)
        main = self.files(self.remote.commit_of(MAIN))
        if any(path.startswith(f"{SUBMISSIONS}/{name}/") for path in main):
            raise RefusedError("duplicate-id", name)
        intake.check_files(added)
        for path in added:
            # By the commit: the pull request's branch may move meanwhile.
            self.remote.download(f"{SUBMISSIONS}/{name}/{path}", commit, work)
        return work / SUBMISSIONS / name

    def records(self, work: Path) -> Path:
        """Download the records on main; returns the folder `submissions` that they lie in."""
        folder = work / SUBMISSIONS
        folder.mkdir(parents=True, exist_ok=True)
        head = self.remote.commit_of(MAIN)
        for path, file in self.files(head).items():
            if _RECORD_OF.fullmatch(path) and file.size <= limits.RECORD_BYTES:
                self.remote.download(path, head, work)
        return folder

    def log(self, head: str | None = None) -> bytes:
        """The moderation log, as it is at a commit of main or now; empty where there is none."""
        head = head or self.remote.commit_of(MAIN)
        if LOG not in self.files(head):
            return b""
        with tempfile.TemporaryDirectory() as work:
            return self.remote.download(LOG, head, Path(work)).read_bytes()

    def unvouched(self, head: str, decisions: Iterable[Decision]) -> list[str]:
        """The folders of submissions on main, at a commit of it, that no line of the log accepted."""
        known = vouching.vouched(decisions)
        there = {found[1] for path in self.files(head) if (found := _FOLDER_OF.fullmatch(path))}
        return sorted(there - known.keys())

    def accepted(self, head: str, work: Path, *, say: Say = lambda text: None) -> Path:
        """Download the accepted submissions with their answers, and the log, as they are at a commit.

        Returns the folder `submissions`; the log lies beside it. Folders that the log does not
        vouch for are left out, and `say` is called with each. Raises OtherMindsError.
        """
        decisions = moderation.parse(self.log(head))
        folder = work / SUBMISSIONS
        folder.mkdir(parents=True, exist_ok=True)
        names = sorted(vouching.vouched(decisions))
        self.remote.download_all([LOG, *(f"{SUBMISSIONS}/{one}/*" for one in names)], head, work)
        for name in vouching.unvouched(folder, decisions):
            shutil.rmtree(folder / name)
            say(f"{name} is left out: {CHANGED}")
        for name in self.unvouched(head, decisions):
            say(f"{plain(name, limit=100)} is left out: {UNVOUCHED}")
        return folder

    def withdrawn(self, name: str, commit: str, work: Path) -> Path:
        """Download a submission that is on main no more, as it was when it was accepted.

        commit  of the pull request that added it, which the Hub keeps
        Raises OtherMindsError where it is not there any more, and RefusedError where it cannot be read.
        """
        place = f"{SUBMISSIONS}/{name}"
        record = self.remote.download(f"{place}/{RECORD}", commit, work)
        for run in intake.parse(record.read_bytes()).tasks:
            self.remote.download(f"{place}/{run.answers}", commit, work)
        return work / place

    def _base(self, commit: str) -> str | None:
        """The newest commit of a pull request that main has too. Raises RefusedError for too many."""
        new = []
        for one in self.remote.history(MAIN):
            if one in self._main:
                break
            new.append(one)
        self._main.update(new)
        theirs = list(islice(self.remote.history(commit), limits.COMMITS + 1))
        base = next((one for one in theirs if one in self._main), None)
        if base is None and len(theirs) > limits.COMMITS:
            raise RefusedError("too-many-commits", f"At most {limits.COMMITS} are looked at.")
        return base

    def _details(self, number: int) -> DiscussionWithDetails:
        return self.remote.api.get_discussion_details(
            self.remote.repo_id, number, repo_type="dataset"
        )

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


def _entries(files: Mapping[str, RemoteFile]) -> int:
    """Files and folders, as the Hub lists them; with the .gitattributes, which we leave out."""
    folders = {folder for path in files for folder in PurePosixPath(path).parents}
    return len(files) + len(folders)
