"""Commands recorded in a terminal, as performance/first_hour.py does for a whole hour."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import otherminds

pytest.importorskip("pyte", reason="pyte is not installed")

from performance import first_hour

WIDTH = 80


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return first_hour._environment(Path(sys.prefix), tmp_path)


def test_what_stands_on_the_terminal_is_recorded(
    environment: dict[str, str], tmp_path: Path
) -> None:
    step = first_hour.Step("Which version?", "otherminds --version")
    found = first_hour.record(step, WIDTH, environment, tmp_path)
    assert (found.code, found.wrapped) == (0, 0)
    assert otherminds.__version__ in found.lines[0]
    written = first_hour.transcript([found], WIDTH)
    assert written.startswith("The first hour in a terminal of 80 columns.\n\n# Which version?\n$ ")
    assert "exit code" not in written


def test_a_typo_is_told_within_the_width_and_with_its_exit_code(
    environment: dict[str, str], tmp_path: Path
) -> None:
    step = first_hour.Step("A typo", "otherminds rnu hugagent_synthetic")
    found = first_hour.record(step, WIDTH, environment, tmp_path)
    assert (found.code, found.wrapped) == (2, 0)
    assert "Did you mean 'run'?" in " ".join(found.lines)
    assert all(len(line) <= WIDTH for line in found.lines)
    assert first_hour.transcript([found], WIDTH).endswith("[exit code 2]\n")


def test_words_that_run_into_the_edge_are_counted(
    environment: dict[str, str], tmp_path: Path
) -> None:
    step = first_hour.Step("Too long", f"echo {'x' * (WIDTH + 1)}; echo short")
    found = first_hour.record(step, WIDTH, environment, tmp_path)
    assert (found.lines, found.wrapped) == (("x" * WIDTH, "x", "short"), 1)
