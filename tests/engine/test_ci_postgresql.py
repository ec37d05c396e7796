""".ci/postgresql: the programs of the server, installed where they can be, and else one clear line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def asked(tmp_path: Path) -> tuple[Path, Path]:
    """A folder for versions of PostgreSQL, and one for programs that come first."""
    (tmp_path / "versions").mkdir()
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "mkdir", "exit 1")  # /etc stays as it is
    program(tmp_path / "bin" / "id", "echo 0")
    return tmp_path / "versions", tmp_path / "bin"


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def run(asked: tuple[Path, Path]) -> subprocess.CompletedProcess[str]:
    versions, first = asked
    return subprocess.run(
        [ROOT / ".ci" / "postgresql", versions],
        env={"PATH": f"{first}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )


def test_the_newest_version_is_taken_and_nothing_installed(asked: tuple[Path, Path]) -> None:
    for version in ("9", "15"):
        (asked[0] / version / "bin").mkdir(parents=True)
        (asked[0] / version / "bin" / "initdb").touch()
    program(asked[1] / "apt-get", "echo apt-get was called >&2; exit 1")
    done = run(asked)
    assert (done.stdout.strip(), done.stderr) == (f"{asked[0]}/15/bin", "")


def test_it_is_installed_where_it_can_be(asked: tuple[Path, Path]) -> None:
    there = asked[0] / "15" / "bin"
    makes = f'[ "$1" = update ] || {{ /bin/mkdir -p {there} && : > {there}/initdb; }}; echo loud'
    program(asked[1] / "apt-get", makes)
    done = run(asked)
    assert (done.stdout.strip(), done.stderr) == (str(there), "")


@pytest.mark.parametrize(
    ("apt", "user", "why"),
    [
        ("echo noise; echo 'E: Unable to locate package' >&2; exit 100", "0", "E: Unable to loc"),
        ("exit 0", "0", "the package has no initdb"),
        ("exit 0", "1000", "only root can install it"),
    ],
)
def test_where_it_cannot_be_there_is_one_line(
    asked: tuple[Path, Path], apt: str, user: str, why: str
) -> None:
    program(asked[1] / "apt-get", apt)
    program(asked[1] / "id", f"echo {user}")
    done = run(asked)
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert why in line
    assert "its tests are skipped" in line
