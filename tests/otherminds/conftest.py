"""The generated dataset, built once for the whole session and all its processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from otherminds import build


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that holds the released dataset; processes of this session find it too."""
    configured = os.environ.get("OTHERMINDS_CACHE")
    folder = Path(configured) if configured else tmp_path_factory.getbasetemp().parent / "cache"
    os.environ["OTHERMINDS_CACHE"] = str(folder)
    build.cached("hugagent-synthetic")
    return folder


@pytest.fixture(autouse=True)
def _no_other_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTHERMINDS_DATA", raising=False)
