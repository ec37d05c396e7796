"""`otherminds.rewards`: one place to import from, whatever package a benchmark lies in."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from otherminds import benchmark, rewards

THEIRS = """
from otherminds.benchmark import Benchmark

BENCHMARK = Benchmark(
    name="{name}", datasets=(), person="player", rewards={rewards!r}
)
"""


def test_the_documented_imports() -> None:
    for one in benchmark.every():
        if one.rewards is None:
            assert not hasattr(rewards, one.name)
            with pytest.raises(ModuleNotFoundError, match=f"rewards.{one.name}'"):
                importlib.import_module(f"otherminds.rewards.{one.name}")
            continue
        module = importlib.import_module(one.rewards)
        assert importlib.import_module(f"otherminds.rewards.{one.name}") is module
        assert getattr(rewards, one.name) is module
        # It stays what it was.
        assert module.__spec__ is not None
        assert (module.__name__, module.__spec__.name) == (one.rewards, one.rewards)
    from otherminds.rewards import WEIGHTS, combined, sample_turns, separate

    assert {one.__module__ for one in (combined, sample_turns, separate)} == {
        "otherminds.tasks.synchtom.rewards"
    }
    assert sum(WEIGHTS) == pytest.approx(1)


def test_what_no_benchmark_has() -> None:
    with pytest.raises(ImportError, match="cannot import name 'applause'"):
        from otherminds.rewards import applause  # noqa: F401
    assert not hasattr(rewards, "applause")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("otherminds.rewards.applause")


def installed(site: Path, name: str, rewards: str | None) -> None:
    """A package with a benchmark, as pip leaves it."""
    folder = site / f"{name}_minds" / "tasks" / name
    folder.mkdir(parents=True)
    for package in (folder, folder.parent, folder.parents[1]):
        (package / "__init__.py").write_text("")
    (folder / "benchmark.py").write_text(THEIRS.format(name=name, rewards=rewards))
    (folder / "rewards.py").write_text(
        f"import sys\n\nLOADED_{name} = 1\n\n\ndef combined():\n    return {name!r}\n"
    )
    info = site / f"{name}_minds-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-minds\nVersion: 1\n")
    points = f"{name} = {name}_minds.tasks.{name}.benchmark:BENCHMARK"
    (info / "entry_points.txt").write_text(f"[otherminds.benchmarks]\n{points}\n")


def test_benchmarks_of_other_packages(tmp_path: Path) -> None:
    """One that works, one without rewards, and one whose module cannot be imported."""
    installed(tmp_path, "chess", "chess_minds.tasks.chess.rewards")
    installed(tmp_path, "go", None)
    installed(tmp_path, "poker", "poker_minds.tasks.poker.nowhere")
    code = """
import sys
from otherminds import rewards
from otherminds.rewards import separate, LOADED_chess
assert "chess_minds.tasks.chess.rewards" in sys.modules
import otherminds.rewards.chess
from otherminds.rewards.chess import combined
# Ours come first.
assert (combined(), rewards.combined.__module__) == ("chess", "otherminds.tasks.synchtom.rewards")
assert not hasattr(rewards, "go")
try:
    import otherminds.rewards.poker
except ModuleNotFoundError as error:
    assert error.name == "poker_minds.tasks.poker.nowhere", error
else:
    raise AssertionError
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The rewards of 'poker' cannot be used" in done.stderr
