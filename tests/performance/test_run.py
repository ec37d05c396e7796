"""The benchmarks that `performance.run` names are there to be run."""

from __future__ import annotations

import importlib

import pytest

from performance import run
from performance.ratio import Ratio


@pytest.mark.parametrize("name", run.NAMES)
def test_every_named_benchmark_is_found_and_measured(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"performance.{name}")
    measured = [Ratio.alone(name, 1.0, "s")]
    monkeypatch.setattr(module, "measure", lambda: measured)
    assert run.measured(name) == measured
