"""docs/benchmarks/hugagent.md: its numbers are the manifest's, and its commands run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds import manifest
from otherminds.cli import main as cli
from tests.conftest import ROOT
from tests.helpers import fictional_hugagent as fictional
from tests.hugagent.tasks import test_ceiling as ceilings

PAGE = (ROOT / "docs" / "benchmarks" / "hugagent.md").read_text(encoding="utf-8")
BESIDES = PAGE.partition("| question | command |\n")[2].partition("\n\n")[0]
COMMANDS = sorted(set(re.findall(r"`(otherminds [^`]+)`", BESIDES)))


def test_the_baselines_numbers_are_the_manifests() -> None:
    known = manifest.load("hugagent").references
    text = " ".join(PAGE.partition("### Baselines")[2].partition("###")[0].split())
    stated = {"majority": ("bdu_acc", "bdu_mae", "bdu_dir"), "constant": ("bdu_acc", "bdu_mae")}
    for name, metrics in stated.items():
        for metric in metrics:
            assert f" {known[name].scores['all'][metric]:.3f}" in text


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fictional.write_clone(fictional.sample(), tmp_path_factory.mktemp("human") / "clone")


@pytest.fixture(scope="module")
def output(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two runs wrote."""
    folder = tmp_path_factory.mktemp("output")
    for seed in ("1", "2"):
        words = ("run", "hugagent", "--model", "random", "--model_args", f"seed={seed}")
        told = ("--metadata", json.dumps({"data_source": str(clone)}))
        called([*words, *told, "--output_path", str(folder)])
    return folder


def called(words: list[str]) -> str:
    done = CliRunner().invoke(cli.app, words, env={"COLUMNS": "160"})
    if done.exception is not None:
        raise done.exception
    return done.output


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) == 5


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs_without_weights(
    command: str, clone: Path, output: Path, cache: Path, tmp_path: Path
) -> None:
    words = shlex.split(command.replace("--derangements 19", "--derangements 2"))[1:]
    is_synthetic = "synthetic" in command
    told = {"data_subset": 50} if is_synthetic else {"data_source": str(clone)}
    if words[-1] == "…":
        words = [*words[:-1], "--model", "constant", "--output_path", str(tmp_path)]
        words += ["--limit", "30"] if is_synthetic else []
    if words[0] in ("run", "identity", "baselines", "show"):
        words += ["--metadata", json.dumps(told)]
    rows = (f"P{n},zoning,1.1,1,10,{1 + n},{10 - n}" for n in range(8))
    places = {"OUTPUT": str(output), "TABLE.csv": str(ceilings.table(tmp_path, *rows))}
    printed = called([places.get(word, word) for word in words])
    assert printed
    if words[0] == "run":
        # A run that scored nothing would still print. Groups stand beside their tasks.
        tasks = [word.removesuffix("_topics") for word in words if word.startswith("hugagent")]
        written = [json.loads(path.read_text()) for path in tmp_path.rglob("results_*.json")]
        scored = [name for results in written for name in results["results"]]
        assert all(any(name.startswith(task) for name in scored) for task in tasks)
