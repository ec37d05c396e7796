"""Small repositories to publish, and what a local Hub then holds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

from otherminds import files, manifest
from otherminds.data.repository import write as repository
from otherminds.manifest import Manifest
from otherminds.publishing import contents
from otherminds.publishing.upload import Published
from tests.minihub.store import Repo

DATASET = "debate-beliefs-synthetic"
REPO = f"otherminds/{DATASET}"
DATA = "data/beliefs/test-00000-of-00001.parquet"

ALWAYS = 99
"""Times that a fault occurs that does not pass."""

Send = Callable[..., Published]


def other(built: Path, folder: Path, *, version: str = "1.0") -> Path:
    """The same rows with another card, and perhaps another version."""
    shutil.copytree(built, folder)
    known = repository.manifest_of(built).model_copy(update={"version": version})
    return altered(folder, known, {"license": "mit"})


def altered(folder: Path, known: Manifest, head: Mapping[str, object]) -> Path:
    """A repository with another manifest, and another head of its card, as a build would write them."""
    (folder / repository.MANIFEST).write_text(manifest.dump(known), encoding="utf-8")
    (folder / "README.md").write_text(f"---\n{yaml.safe_dump(dict(head))}---\n", encoding="utf-8")
    return summed(folder)


def summed(folder: Path) -> Path:
    """An altered repository with consistent checksums."""
    paths = [path for path in repository.checksums(folder) if (folder / path).is_file()]
    sums = {path: files.sha256(folder / path) for path in paths}
    (folder / repository.CHECKSUMS).write_text(json.dumps(sums), encoding="utf-8")
    return folder


def holds(repo: Repo, folder: Path, revision: str = "main") -> bool:
    """Whether a repository holds just the folder's files, besides the Hub's own."""
    there = {path: entry.data for path, entry in repo.resolve(revision).tree.items()}
    there.pop(".gitattributes")
    return there == {
        path: file.path.read_bytes() for path, file in contents.of_folder(folder).items()
    }


def finished(repo: Repo, folder: Path) -> None:
    """Everything is visible, by one commit."""
    assert holds(repo, folder, "v1.0")
    assert repo.refs["refs/tags/v1.0"] == repo.refs["refs/heads/main"]
    assert not repo.private
    assert len(repo.commits) == 2
