"""An earlier commit in an environment of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from performance import cpu, landed
from performance.machine import Used

PYPROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "otherminds"
version = "0.0.1"

[tool.setuptools]
packages = ["otherminds"]
"""


def git(folder: Path, *words: str) -> None:
    told = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", "-C", folder, *told, *words], check=True, capture_output=True)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A repository whose first commit has another package than its working tree."""
    folder = tmp_path / "history"
    (folder / "otherminds").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "otherminds" / "__init__.py").write_text("SAID = 'before'\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Before")
    git(folder, "tag", "before")
    (folder / "otherminds" / "__init__.py").write_text("SAID = 'after'\n")
    return folder


@pytest.mark.parametrize("root", ["history", "nothing"])
def test_without_the_commit_nothing_is_made(root: str, history: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    made = tmp_path / "made"
    with pytest.raises(landed.NotHereError, match="no git history with the commit 0123abc"):
        landed.environment(made, "0123abc", root=history.parent / root)
    assert not made.exists()


@pytest.mark.install
def test_the_environment_has_the_earlier_package_and_the_others_of_this_one(
    history: Path, tmp_path: Path
) -> None:
    python = landed.environment(tmp_path / "made", "before", root=history)
    code = "import otherminds, numpy; print(otherminds.SAID, numpy.__version__)"
    done = subprocess.run(
        [python, "-c", code],
        env=landed.apart(python, tmp_path / "cache"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    import numpy

    assert done.stdout.split() == ["before", numpy.__version__]


def test_where_the_commit_is_missing_the_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(folder: Path) -> Path:
        raise landed.NotHereError("this checkout has no git history")

    ran: list[str] = []

    def run(programs: dict[str, cpu.Program], *rest: object) -> dict[str, Used]:
        ran.extend(programs)
        return dict.fromkeys(programs, Used(1.0, 2.0, 3.0))

    monkeypatch.setattr(landed, "environment", missing)
    monkeypatch.setattr(cpu, "run", run)
    monkeypatch.setattr(cpu, "cached", lambda dataset: None)
    found = cpu.measure(limit=1)
    assert ran == ["ours", "lm_eval"]
    assert found[-1].note == "left out: this checkout has no git history"
    assert found[-1].is_met is None
    assert found[-1].target == cpu.AGAINST_LANDED
    # The harder reference stands first.
    assert found[0].name.endswith("against lm_eval")
