"""Every stage of .ci/run that runs tests has a budget, and ends when that is spent."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

CI = ROOT / ".ci"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy with budgets of its own."""
    shutil.copy(CI / "within", tmp_path)
    (tmp_path / "budgets.toml").write_text("factor = 2\n[minutes]\nlong = 60\nshort = 0.0001\n")
    return tmp_path


def within(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / "within", *words], capture_output=True, text=True, check=False)


def test_the_stages_and_the_budgets_are_the_same_and_take_less_than_an_hour() -> None:
    budgets = tomllib.loads((CI / "budgets.toml").read_text(encoding="utf-8"))
    text = (CI / "run").read_text(encoding="utf-8")
    stages = re.findall(r'"\$within" (\S+)', text)
    assert sorted(stages) == sorted(budgets["minutes"])
    assert sum(budgets["minutes"].values()) < 60
    assert budgets["minutes"]["readme"] <= 15
    assert budgets["factor"] > 1
    # No tests but within a budget; the README's command is the only one that is not written out.
    calls = [line for line in text.splitlines() if "-m pytest" in line]
    assert all('"$within"' in line for line in calls)
    assert len(calls) == len(stages) - 1


def test_what_has_an_environment_of_its_own_is_not_run_in_another() -> None:
    text = (CI / "run").read_text(encoding="utf-8")
    marks = re.findall(r"-m (\w+) tests/integrations", text)
    assert marks
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options = project["tool"]["pytest"]["ini_options"]["addopts"]
    chosen = options[options.index("-m") + 1].split(" and ")
    assert {f"not {mark}" for mark in marks} <= {*chosen}


def test_a_stage_ends_as_its_command_does(own: Path) -> None:
    done = within(own, "long", "sh", "-c", "echo found; exit 3")
    assert done.returncode == 3
    assert "found" in done.stdout
    assert "long: 0.0 minutes of 60 (at most 120)" in done.stdout


def test_a_stage_that_takes_too_long_is_stopped_with_all_that_it_started(own: Path) -> None:
    # If any of the two were left, the pipe would stay open and this would wait for it.
    done = within(own, "short", "sh", "-c", "sleep 3600 & sleep 3600")
    assert done.returncode == 1
    assert "short: stopped after 0.0002 minutes; its budget is 0.0001." in done.stderr


def test_a_stage_without_a_budget_does_not_run(own: Path) -> None:
    done = within(own, "new", "touch", str(own / "ran"))
    assert done.returncode == 1
    assert "'new' has no budget: add it to .ci/budgets.toml." in done.stderr
    assert not (own / "ran").exists()
