"""What a run executes of ours: the files of its own benchmark, and not many others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from otherminds import benchmark
from performance.startup import environment

_BENCHMARK, _TASK = "hugagent", "hugagent_bdu_synthetic"

# Executed is a file of which a function is called, but for what modules call when they are imported.
_RUN = """
import inspect, json, sys
from otherminds.cli.main import main

called = set()

def importing(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and "otherminds" in frame.f_globals.get("__name__", ""):
            return True
        frame = frame.f_back
    return False

def note(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename not in called and code.co_flags & inspect.CO_OPTIMIZED:
        if not importing(frame):
            called.add(code.co_filename)

sys.argv = ["otherminds", *sys.argv[1:]]
sys.setprofile(note)
try:
    main()
except SystemExit as done:
    if done.code:
        raise
sys.setprofile(None)
files = {
    name: module.__file__
    for name, module in sys.modules.items()
    if name.partition(".")[0] == "otherminds" and getattr(module, "__file__", None)
}
print(json.dumps({name: path in called for name, path in files.items()}))
"""

MOST = 55


@pytest.fixture(scope="module")
def imported(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """The modules of ours that a run imports, the cache being warm, and whether each is executed."""
    words = ("run", _TASK, "--model", "random", "--limit", "20")
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        cwd=tmp_path_factory.mktemp("run"),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_run_imports_nothing_of_publishing_leaderboard_or_seasons(
    imported: dict[str, bool],
) -> None:
    assert f"otherminds.tasks.{_BENCHMARK}.scoring" in imported
    rooms = ("otherminds.publishing", "otherminds.leaderboard", "otherminds.rewards")
    assert [name for name in imported if name.startswith(rooms)] == []


def test_a_run_builds_nothing_and_writes_no_repository(imported: dict[str, bool]) -> None:
    rooms = ("otherminds.data.build", "otherminds.data.upstream", "otherminds.data.hub")
    assert [name for name in imported if name.startswith(rooms)] == []
    assert not {"otherminds.data.repository.write", "otherminds.data.repository.card"} & {*imported}


def test_a_run_imports_nothing_of_another_benchmark(imported: dict[str, bool]) -> None:
    assert f"otherminds.tasks.{_BENCHMARK}.questions" in imported
    others = {one.name for one in benchmark.every()} - {_BENCHMARK}
    assert [name for name in imported if others & {*name.split(".")}] == []


def test_a_run_executes_few_files_of_ours(imported: dict[str, bool]) -> None:
    executed = sorted(name for name, is_executed in imported.items() if is_executed)
    assert {"otherminds.harness.evaluation", f"otherminds.tasks.{_BENCHMARK}.scoring"} <= {
        *executed
    }
    assert len(executed) <= MOST, "\n".join(executed)
