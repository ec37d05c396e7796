"""Engines: whichever builds, the rows are the same."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

import pytest

from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.data.build import engines
from otherminds.errors import OtherMindsError

DEBATE = "debate-beliefs-synthetic"


def plan(users: int) -> Any:
    builder: Any = build.builder_of(manifest.load(DEBATE))
    return builder.plan(builder.SyntheticSpec(users=users, seed=3, subset=20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "workers"),
    [
        ("processes", 2),
        pytest.param(
            "ray",
            2,
            marks=[
                pytest.mark.ray,
                pytest.mark.skipif(
                    importlib.util.find_spec("ray") is None,
                    reason="Ray is not installed; `pip install 'otherminds[ray]'`.",
                ),
            ],
        ),
    ],
)
def test_rows_do_not_depend_on_the_engine(engine: str, workers: int) -> None:
    done: list[tuple[int, int]] = []
    # Three parts of 100, 100 and 50 people.
    wanted = plan(250).tables(engines.run_of("processes", 1))
    found = plan(250).tables(
        engines.run_of(engine, workers), lambda now, total: done.append((now, total))
    )
    assert found["beliefs"].equals(wanted["beliefs"])
    assert done == [(100, 250), (200, 250), (250, 250)]


def test_ray_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(OtherMindsError, match=r"pip install 'otherminds\[ray\]'"):
        engines.run_of("ray", 2)


def test_a_worker_that_is_killed_is_one_clear_error() -> None:
    with (
        pytest.raises(OtherMindsError, match=r"A worker process was killed .* smaller --num-proc"),
        engines.run_of("processes", 2)(os._exit, [1, 1]) as parts,  # type: ignore[arg-type]
    ):
        list(parts)


def test_no_workers_build_nothing() -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        engines.run_of("processes", 0)
