"""The local cache of generated datasets: their rows, without card and what else goes to the Hub."""

from __future__ import annotations

from pathlib import Path

from otherminds import manifest, paths
from otherminds.data.repository import rows
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest


def cached(dataset: str) -> Path:
    """The folder of this version of a generated dataset in the local cache, built if need be.

    A cached build that does not match the manifest, or whose files have been altered, is built
    again. Two processes that need it at once build it once.
    """
    known = manifest.load(dataset)
    folder = paths.cache_home() / dataset / known.version
    if not _is_intact(folder, known):
        _build(known, folder)
    return folder


def _build(known: Manifest, folder: Path) -> None:
    from otherminds.data.build import dataset as build
    from otherminds.progress import bar

    with build.alone(folder, folder.with_name(f"{folder.name}.lock")):
        if not _is_intact(folder, known):
            with bar(f"Building {known.dataset} {known.version}, once") as progress:
                build.build(known.dataset, folder, progress=progress, rows_only=True)


def _is_intact(folder: Path, known: Manifest) -> bool:
    try:
        if rows.manifest_of(folder).configs != known.configs:
            return False
        for config in known.configs:
            rows.check(folder, config)
    except OtherMindsError:
        return False
    return True
