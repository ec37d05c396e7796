"""The benchmarks that `performance.run` names are there to be run."""

from __future__ import annotations

import dataclasses
import importlib

import pytest

from performance import run
from performance.ratio import DATA, Ratio


@pytest.mark.parametrize("name", run.NAMES)
def test_every_named_benchmark_is_found_and_measured(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"performance.{name}")
    measured = [Ratio.alone(name, 1.0, "s"), Ratio.alone(name, 1.0, "s", data="real")]
    monkeypatch.setattr(module, "measure", lambda: measured)
    found = run.measured(name)
    # A row says whose data it took, or took those of its benchmark.
    assert [one.data for one in found] == [module.DATA, "real"]
    assert module.DATA in DATA
    assert [dataclasses.replace(one, data="") for one in found] == [measured[0]] * 2
