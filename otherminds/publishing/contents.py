"""The files of a folder and of a repository on the Hub, and how they differ, without a download."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from otherminds import files


@dataclass(frozen=True)
class LocalFile:
    """A file to publish."""

    path: Path

    @cached_property
    def size(self) -> int:
        """In bytes."""
        return self.path.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """By which the Hub knows large files."""
        return files.sha256(self.path)

    @cached_property
    def blob_id(self) -> str:
        """By which git knows small files: the SHA-1 of their length and content."""
        from huggingface_hub.utils.sha import git_hash

        return git_hash(self.path.read_bytes())


class RemoteFile(NamedTuple):
    """A file on the Hub; of large ones, which are kept apart from git, the SHA-256."""

    size: int
    blob_id: str
    sha256: str | None

    def holds(self, file: LocalFile) -> bool:
        """Whether its content is that of a local file."""
        if self.size != file.size:
            return False
        return self.sha256 == file.sha256 if self.sha256 else self.blob_id == file.blob_id


@dataclass(frozen=True)
class Difference:
    """The paths to add, replace and delete, so that a repository holds just the files of a folder."""

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    deleted: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.added or self.replaced or self.deleted)

    @property
    def paths(self) -> list[str]:
        """All files that differ, sorted."""
        return sorted((*self.added, *self.replaced, *self.deleted))


def of_folder(folder: Path) -> dict[str, LocalFile]:
    """The files of a folder by path, sorted."""
    return {
        path.relative_to(folder).as_posix(): LocalFile(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def difference(local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]) -> Difference:
    """The changes after which the repository holds just the local files."""
    return Difference(
        added=tuple(path for path in local if path not in remote),
        replaced=tuple(
            path for path, file in local.items() if path in remote and not remote[path].holds(file)
        ),
        deleted=tuple(sorted(path for path in remote if path not in local)),
    )
