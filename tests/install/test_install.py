"""The ways in which people install the package, in virtual environments that have nothing of it.

The package and lm-eval are installed anew, so that `otherminds link` writes into the fresh environment
alone.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.helpers.environment import Environment, project_wheel

pytestmark = pytest.mark.install

TASK = ("--tasks", "hugagent_bdu_synthetic", "--model", "dummy", "--limit", "5")
LM_EVAL = f"lm_eval=={version('lm_eval')}"


def lm_eval_works(environment: Environment, cwd: Path) -> None:
    """Plain lm_eval, from another folder, without --include_path."""
    table = environment.call("lm_eval", *TASK, cwd=cwd).stdout
    assert "hugagent_bdu_synthetic" in table
    assert "n_people" in table
    listed = environment.call("lm_eval", "ls", "tags", cwd=cwd).stdout
    assert "otherminds_hugagent_synthetic" in listed


def unlinking_leaves_nothing(environment: Environment, folder: Path, cwd: Path) -> None:
    before = folder / "tasks" / "otherminds"
    assert before.is_dir()
    environment.call("otherminds", "unlink", cwd=cwd)
    assert not before.exists()
    assert list((folder / "tasks").glob(".otherminds*")) == []


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built from a copy of the checkout as pip would build it."""
    return project_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def fresh(tmp_path: Path) -> Environment:
    """A fresh environment."""
    return Environment(tmp_path / "venv")


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with lm-eval, whose thousands of files are written once."""
    environment = Environment(tmp_path_factory.mktemp("one") / "venv")
    environment.install(LM_EVAL)
    return environment


@pytest.fixture
def with_lm_eval(one: Environment) -> Iterator[Environment]:
    """The same without the package, which is gone again after each test, as is what it linked."""
    assert not list(one.lm_eval.parent.glob("*otherminds*"))
    yield one
    shutil.rmtree(one.lm_eval / "tasks" / "otherminds", ignore_errors=True)
    one.call("python", "-m", "pip", "uninstall", "--quiet", "--yes", "otherminds", cwd=one.bin)


def test_an_ordinary_install(wheel: Path, with_lm_eval: Environment, tmp_path: Path) -> None:
    with_lm_eval.install(wheel)
    with_lm_eval.call("otherminds", "link", cwd=tmp_path)
    lm_eval_works(with_lm_eval, tmp_path)
    with_lm_eval.call("otherminds", "run", "hugagent_bsi_synthetic", "--limit", "3", cwd=tmp_path)
    path = with_lm_eval.call("otherminds", "tasks-path", cwd=tmp_path).stdout.strip()
    assert Path(path).is_relative_to(with_lm_eval.bin.parent)
    unlinking_leaves_nothing(with_lm_eval, with_lm_eval.lm_eval, tmp_path)
    # Python started in a checkout finds the checkout's package first; it must be whole.
    program = "import otherminds.metrics, otherminds.dataset_builders; print('whole')"
    assert "whole" in with_lm_eval.call("python", "-c", program, cwd=ROOT).stdout


@pytest.mark.parametrize("mode", ["lenient", "strict"])
def test_an_editable_package(mode: str, with_lm_eval: Environment, tmp_path: Path) -> None:
    source = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", ROOT, source], check=True)
    with_lm_eval.install("--config-settings", f"editable_mode={mode}", "--editable", source)
    with_lm_eval.call("otherminds", "link", cwd=tmp_path)
    lm_eval_works(with_lm_eval, tmp_path)
    unlinking_leaves_nothing(with_lm_eval, with_lm_eval.lm_eval, tmp_path)


def test_an_editable_lm_eval(wheel: Path, fresh: Environment, tmp_path: Path) -> None:
    download = ("pip", "download", "--no-deps", "--no-binary", ":all:", "--quiet", LM_EVAL)
    fresh.call("python", "-m", *download, cwd=tmp_path)
    [archive] = tmp_path.glob("lm_eval-*.tar.gz")
    subprocess.run(["tar", "--extract", "--file", archive], cwd=tmp_path, check=True)
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    fresh.install("--editable", source)
    fresh.install(wheel)
    fresh.call("otherminds", "link", cwd=tmp_path)
    assert (source / "lm_eval" / "tasks" / "otherminds").is_dir()
    lm_eval_works(fresh, tmp_path)
    unlinking_leaves_nothing(fresh, source / "lm_eval", tmp_path)


def test_the_wheel_holds_every_file_of_the_mapped_folders(wheel: Path) -> None:
    import zipfile

    packed = set(zipfile.ZipFile(wheel).namelist())
    mapped = {"tasks": "*", "templates": "*", "cards": "*", "metrics": "*.py"}
    mapped |= {"dataset_builders": "*.py", "otherminds": "*.py"}
    tracked = subprocess.run(
        ["git", "ls-files", *mapped], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    missing = [
        name
        for name in tracked
        if (name if name.startswith("otherminds/") else f"otherminds/{name}") not in packed
    ]
    assert missing == []
    assert not any(name.startswith("lm_eval/") for name in packed)
