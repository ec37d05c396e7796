"""The lowest versions that pyproject.toml allows: data are built, and runs asked, scored and compared.

The environment has the package and pytest alone: nothing of the extras.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

pytestmark = pytest.mark.lowest


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for text in project["dependencies"]]


@pytest.mark.parametrize("wanted", requirements(), ids=lambda one: one.name)
def test_every_dependency_has_a_floor_and_is_no_newer_than_needed(wanted: Requirement) -> None:
    floors = [one.version for one in wanted.specifier if one.operator == ">="]
    assert len(floors) == 1
    if wanted.marker is not None and not wanted.marker.evaluate():
        return
    installed = importlib.metadata.version(wanted.name)
    # Another dependency may ask for a newer one; it is named then in the floor of ours.
    assert installed.startswith(floors[0]), f"{wanted.name} {installed} was installed"


def called(*words: str, cwd: Path) -> str:
    done = subprocess.run(
        [Path(sys.executable).parent / "otherminds", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_release_is_built_asked_scored_and_compared(tmp_path: Path) -> None:
    """The rows of a release have the hashes of its manifest, or the build would end with an error."""
    for model in ("random", "demographic-logistic"):
        called("run", "debate_both_synthetic", "--model", model, "--limit", "60", cwd=tmp_path)
    scored = called("score", "otherminds-results", cwd=tmp_path)
    assert "acc" in scored
    compared = called("compare", "otherminds-results", cwd=tmp_path)
    assert re.search(r"random", compared)
    called("show", "hugagent_bsi_synthetic", cwd=tmp_path)


def test_staged_runs_and_the_doctor(tmp_path: Path) -> None:
    called("run", "trust_game_individual", "--limit", "2", cwd=tmp_path)
    assert "otherminds" in called("--version", cwd=tmp_path)
