"""A repository on the Hub, as publishing sees it; every failure becomes one clear sentence."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from otherminds.errors import OtherMindsError
from otherminds.progress import bar
from otherminds.publishing.contents import LocalFile, RemoteFile

if TYPE_CHECKING:
    from huggingface_hub import HfApi

Kind = Literal["dataset", "space"]
Gate = Literal["auto", "manual"]

MAIN = "main"


class RemoteError(OtherMindsError):
    """Something that was asked of the Hub failed; `conflict` where others were faster."""

    def __init__(self, message: str, *, conflict: bool = False) -> None:
        super().__init__(message)
        self.conflict = conflict


class ManyFilesError(RemoteError):
    """A revision has more files than were asked for."""


@dataclass(frozen=True)
class State:
    """A repository that exists: its visibility, its gate, and its newest commit."""

    private: bool
    gate: Gate | None
    head: str


@dataclass(frozen=True)
class Remote:
    """One repository on the Hub, which need not exist yet.

    user  whose token is used; None without a token, which allows reading only
    """

    api: HfApi
    repo_id: str
    kind: Kind
    user: str | None

    @classmethod
    def open(cls, repo_id: str, kind: Kind, *, for_writing: bool) -> Remote:
        """The repository for the user who is logged in.

        Raises RemoteError for a token that the Hub does not know and, `for_writing`, for none.
        """
        from huggingface_hub import HfApi, get_token

        token = get_token()
        if token is None and for_writing:
            raise RemoteError(
                "Publishing takes a token of the Hub, and there is none. Log in with `hf auth login`, "
                "or set HF_TOKEN; the token needs the role 'write'."
            )
        # Without a token of its own it would look for one again, at every request.
        api = HfApi(token=token or False, library_name="otherminds")
        if token is None:
            return cls(api, repo_id, kind, None)
        with _asking("Cannot log in to the Hub"):
            return cls(api, repo_id, kind, api.whoami()["name"])

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"{self.api.endpoint}/{self.kind}s/{self.repo_id}"

    def state(self) -> State | None:
        """The state of the repository; None where none exists that this user may see."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with self._asking("look at"):
            try:
                found = self.api.repo_info(self.repo_id, repo_type=self.kind)
            except RepositoryNotFoundError:
                return None
        # A Space has no gate.
        gate: Gate | None = getattr(found, "gated", None) or None
        return State(bool(found.private), gate, str(found.sha))

    def tags(self) -> list[str]:
        """The names of all tags."""
        with self._asking("list the tags of"):
            refs = self.api.list_repo_refs(self.repo_id, repo_type=self.kind)
        return [tag.name for tag in refs.tags]

    def commit_of(self, revision: str) -> str:
        """The id of the commit that a tag or branch is at."""
        with self._asking(f"find {revision} of"):
            found = self.api.repo_info(self.repo_id, repo_type=self.kind, revision=revision)
        return str(found.sha)

    def files(self, revision: str, *, most: int | None = None) -> dict[str, RemoteFile]:
        """All files by path, without the Hub's own .gitattributes.

        most  files and folders; raises ManyFilesError for more, and lists no more of them
        """
        from huggingface_hub.hf_api import RepoFile

        with self._asking("list the files of"):
            listing = self.api.list_repo_tree(
                self.repo_id, repo_type=self.kind, revision=revision, recursive=True
            )
            found = list(listing if most is None else islice(listing, most + 1))
        if most is not None and len(found) > most:
            raise ManyFilesError(f"{revision} of {self.repo_id} has more than {most} files.")
        return {
            one.path: RemoteFile(one.size, one.blob_id, one.lfs.sha256 if one.lfs else None)
            for one in found
            if isinstance(one, RepoFile) and one.path != ".gitattributes"
        }

    def history(self, revision: str) -> Iterator[str]:
        """The ids of a revision's commits, newest first; asked for page by page, as they are taken."""
        for one in self._commits(revision):
            yield str(one["id"])

    def committed_at(self, revision: str) -> datetime:
        """The time that a revision's newest commit states."""
        from huggingface_hub.utils import (  # type: ignore[attr-defined]  # as in `_commits`
            parse_datetime,
        )

        found: datetime = parse_datetime(str(next(self._commits(revision))["date"]))
        return found

    def _commits(self, revision: str) -> Iterator[Mapping[str, object]]:
        # The library's own listing takes all pages before it returns.
        from huggingface_hub.utils import (  # type: ignore[attr-defined]  # not named in its __all__
            build_hf_headers,
            paginate,
        )

        name = quote(revision, safe="")
        address = f"{self.api.endpoint}/api/{self.kind}s/{self.repo_id}/commits/{name}"
        headers = build_hf_headers(token=self.api.token, library_name=self.api.library_name)
        with self._asking(f"list the commits of {revision} of"):
            yield from paginate(address, params={}, headers=headers)

    def check_write(self) -> None:
        """Raise RemoteError unless the user may write to the repository, which exists."""
        with self._asking("write to"):
            self.api.auth_check(self.repo_id, repo_type=self.kind, write=True)

    def create(self, *, space_sdk: str | None = None) -> None:
        """Make the repository, private."""
        with self._asking("create"):
            self.api.create_repo(
                self.repo_id, repo_type=self.kind, private=True, space_sdk=space_sdk
            )

    def set(self, *, private: bool | None = None, gated: Gate | None = None) -> None:
        """Change the visibility or the gate of the repository; None changes nothing."""
        with self._asking("change the settings of"):
            self.api.update_repo_settings(
                self.repo_id, repo_type=self.kind, private=private, gated=gated
            )

    def commit(
        self,
        files: Mapping[str, LocalFile],
        *,
        deleted: Collection[str],
        message: str,
        parent: str,
    ) -> str:
        """Make one commit on the commit `parent` of main; returns its id.

        Raises RemoteError, with `conflict` where main is at another commit meanwhile.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        additions = [
            CommitOperationAdd(path_in_repo=path, path_or_fileobj=str(file.path))
            for path, file in files.items()
        ]
        with self._asking("upload to"), _without_their_bars(), bar("Uploading") as progress:
            # One by one, to show how far it is. They become visible by the commit alone.
            for place, addition in enumerate(additions):
                progress(place, len(additions))
                self.api.preupload_lfs_files(self.repo_id, [addition], repo_type=self.kind)
            progress(len(additions), len(additions))
        deletions = [CommitOperationDelete(path_in_repo=path) for path in deleted]
        with self._asking("commit to"):
            made = self.api.create_commit(
                self.repo_id,
                [*additions, *deletions],
                commit_message=message,
                repo_type=self.kind,
                revision=MAIN,
                parent_commit=parent,
            )
        return str(made.oid)

    def tag(self, name: str, commit: str, message: str) -> None:
        """Tag a commit."""
        with self._asking("tag"):
            self.api.create_tag(
                self.repo_id,
                tag=name,
                tag_message=message,
                revision=commit,
                repo_type=self.kind,
            )

    def download(self, path: str, revision: str, folder: Path) -> Path:
        """Download a file anew, into a folder that nothing was downloaded to."""
        with self._asking(f"download {path} of"), _without_their_bars():
            found = self.api.hf_hub_download(
                *(self.repo_id, path), repo_type=self.kind, revision=revision, local_dir=folder
            )
        return Path(found)

    def download_all(self, patterns: list[str], revision: str, folder: Path) -> None:
        """Download the files whose paths match one of the patterns, into such a folder."""
        with self._asking("download the files of"), _without_their_bars():
            self.api.snapshot_download(
                self.repo_id,
                repo_type=self.kind,
                revision=revision,
                local_dir=folder,
                allow_patterns=patterns,
            )

    def check_card(self, path: Path) -> None:
        """Let the Hub itself judge a card, before anything is changed; RemoteError if it refuses."""
        from huggingface_hub import DatasetCard, SpaceCard

        card = (DatasetCard if self.kind == "dataset" else SpaceCard).load(path)
        with self._asking("have the Hub check the card of"):
            try:
                card.validate()
            except ValueError as error:
                raise RemoteError(
                    f"The Hub refuses the card of {self.repo_id}: {_refusals(str(error))}. Nothing was "
                    "changed."
                ) from error

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        with _asking(f"Cannot {what} {self.repo_id}"):
            yield


@contextmanager
def _asking(what: str) -> Iterator[None]:
    """Turn any error on the way to the Hub into a RemoteError that begins with `what`."""
    try:
        yield
    except OtherMindsError:
        raise
    except Exception as error:  # HTTP, Hub, LFS and file layers raise their own kinds
        status = next(filter(None, map(_status, _chain(error))), None)
        raise RemoteError(f"{what}: {_reason(error, status)}", conflict=status == 412) from error


def _refusals(answer: str) -> str:
    """What the Hub says is wrong with a card, on one line."""
    try:
        found = [str(one["message"]) for one in json.loads(answer)["errors"]]
    except (ValueError, KeyError, TypeError):
        found = [answer]
    return "; ".join(" ".join(one.split()).rstrip(".") for one in found) or "it does not say why"


_STATUS = {
    401: "the Hub does not accept this token. Log in again with `hf auth login`, or set HF_TOKEN.",
    403: "this token may not do that. It needs the role 'write', and its owner must be allowed to write "
    "to the organisation or user.",
    404: "the Hub does not find it, or this token may not see it.",
    412: "somebody else changed it in the meantime.",
    429: "the Hub takes no more requests for now (429). Wait some minutes.",
}


def _reason(error: Exception, status: int | None) -> str:
    if status in _STATUS:
        return _STATUS[status]
    if status is not None and status >= 500:
        return f"the Hub answered with an error of its own ({status})."
    answers = [text for one in _chain(error) if (text := getattr(one, "server_message", None))]
    # Without an answer, the innermost cause names the event; those around it only the place.
    causes = answers[:1] or [text for one in _chain(error) if (text := str(one).strip())]
    said = causes[-1].splitlines()[0] if causes else type(error).__name__
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _status(error: BaseException) -> int | None:
    status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _without_their_bars() -> AbstractContextManager[object]:
    from huggingface_hub.utils.tqdm import disable_progress_bars

    return disable_progress_bars()
