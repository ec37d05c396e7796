"""The sample files of a log, made once and kept in the cache."""

from __future__ import annotations

import shutil
from pathlib import Path

from filelock import FileLock

import otherminds
from otherminds import files, paths
from otherminds.errors import OtherMindsError
from otherminds.on_inspect.logs import ENDING
from otherminds.samples.names import named

_DONE = "log.json"
"""The file that says that all others of its folder are there."""


def is_log(path: Path) -> bool:
    """Whether a file is called as Inspect's logs are."""
    return path.suffix == ENDING


def sample_files(path: Path) -> list[Path]:
    """The sample files of the run that a log holds, with its results beside them.

    Raises OtherMindsError, in one line, for a log that is no whole run of one of our tasks.
    """
    try:
        sha256 = files.sha256(path)
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    folder = paths.cache_home() / "inspect" / f"{otherminds.__version__}-{sha256[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if not (folder / _DONE).is_file():
                _write(path, folder, sha256)
    except OSError as error:
        raise files.unwritable(folder, error) from error
    return sorted(one for one in folder.rglob("samples_*") if named(one))


def _write(path: Path, folder: Path, sha256: str) -> None:
    from otherminds.on_inspect import logs, replaying

    log = logs.read(path)
    # What a killed command has left.
    shutil.rmtree(folder)
    folder.mkdir()
    replaying.write(log, folder)
    files.write_json(folder / _DONE, {"log": path.name, "sha256": sha256})
