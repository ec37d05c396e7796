"""The licence text that goes with a dataset."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from otherminds import paths
from otherminds.errors import OtherMindsError

NAME = "LICENSE"

_NAMES = (NAME, f"{NAME}.txt", f"{NAME}.md", "LICENCE", "COPYING")
_LEVELS = 4
"""How many folders the licence of a clone is looked for in, from the innermost on."""


def of_project() -> str:
    """The licence of this project, which generated data have too."""
    beside = paths.cards().parent / NAME
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    for installed in metadata.files("otherminds") or ():
        if installed.name == NAME:
            return installed.read_text(encoding="utf-8")
    raise OtherMindsError(f"{NAME} is missing from this installation of otherminds; reinstall it.")


def of_source(source: Path) -> str | None:
    """The licence of data of others: in the folder `source` or beside the file, or in their clone."""
    for folder in _theirs(source.resolve()):
        for name in _NAMES:
            if (folder / name).is_file():
                return (folder / name).read_text(encoding="utf-8", errors="replace")
    return None


def _theirs(source: Path) -> list[Path]:
    """The folder of the source and those around it, up to the root of the clone that it lies in.

    Outside of a clone just its own folder: a licence further up may be that of anything.
    """
    nearest = source if source.is_dir() else source.parent
    around = [nearest, *nearest.parents][:_LEVELS]
    root = next((level for level, folder in enumerate(around) if (folder / ".git").exists()), 0)
    ours = paths.cards().parent
    return [folder for folder in around[: root + 1] if folder != ours]
