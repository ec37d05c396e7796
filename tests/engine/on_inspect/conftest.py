"""Small data of every dataset, for the tasks that Inspect runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from otherminds.data.build import trial
from tests.helpers import small_builds
from tests.synchtom.tasks.test_synchtom import built


@pytest.fixture(scope="session")
def small_shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small build of each dataset, made once for all processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "small-shelf"
    with FileLock(folder.with_suffix(".lock")):
        for name in small_builds.ALL:
            if not (folder / name).exists():
                (folder / ".made").mkdir(parents=True, exist_ok=True)
                made = _made(name, folder / ".made" / name)
                made.rename(folder / name)
    return folder


def _made(name: str, folder: Path) -> Path:
    """The data that `otherminds doctor` tries tasks on; of others' data, fictional ones."""
    if name in small_builds.GENERATED and trial.write(name, folder):
        return folder
    if name == "synchtom":
        # With enough of each kind, so that other users' minds can be shown.
        return built(folder)
    return small_builds.write(name, folder, "9.9")


@pytest.fixture(scope="module", autouse=True)
def _small_data(small_shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTHERMINDS_DATA", str(small_shelf))
        patch.setenv("OTHERMINDS_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("INSPECT_LOG_DIR", str(tmp_path_factory.mktemp("logs")))
        yield
