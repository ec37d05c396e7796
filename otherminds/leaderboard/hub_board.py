"""The dataset `leaderboard` on the Hub: opening pull requests, and reading what they would change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from otherminds import hub
from otherminds.errors import OtherMindsError
from otherminds.leaderboard import intake, limits
from otherminds.leaderboard.reasons import RefusedError
from otherminds.leaderboard.record import RECORD, SUBMISSIONS
from otherminds.publishing.contents import RemoteFile
from otherminds.publishing.remote import MAIN, Remote

REPOSITORY = "leaderboard"

_RECORD_OF = re.compile(rf"{SUBMISSIONS}/([a-z0-9-]+)/{re.escape(RECORD)}")


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

    def fetch(self, number: int, work: Path) -> Path:
        """Download the one submission that a pull request adds; returns its folder.

        Names and sizes are checked before anything is downloaded. Raises RefusedError for a pull
        request that changes anything else, and OtherMindsError where the Hub fails.
        """
        revision = f"refs/pr/{number}"
        with self._asking(f"find pull request {number} of"):
            commit, base = self._commits(revision)
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

    def records(self, work: Path) -> Path:
        """Download the records on main; returns the folder `submissions` that they lie in."""
        folder = work / SUBMISSIONS
        folder.mkdir(parents=True, exist_ok=True)
        head = self.remote.commit_of(MAIN)
        for path, file in self.remote.files(head).items():
            if _RECORD_OF.fullmatch(path) and file.size <= limits.RECORD_BYTES:
                self.remote.download(path, head, work)
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
