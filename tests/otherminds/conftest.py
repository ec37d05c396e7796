"""The generated dataset, built once for the whole session and all its processes."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
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


@pytest.fixture(scope="session", autouse=True)
def _templates_compiled_once() -> Iterator[None]:
    """lm-eval compiles a task's description again for every document: a sixth of a run's time."""
    from lm_eval.utils import env

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env, "from_string", functools.cache(env.from_string))
        yield


@pytest.fixture(autouse=True)
def _no_other_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTHERMINDS_DATA", raising=False)
