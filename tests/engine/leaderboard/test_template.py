"""The repository of the board: written whole, kept up to date, and what was submitted left alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml
from huggingface_hub import DatasetCard, HfApi
from pydantic import TypeAdapter
from typer.testing import CliRunner

import otherminds
from otherminds.cli import leaderboard as cli_leaderboard
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.board import Board, load
from otherminds.leaderboard.operating import template
from otherminds.leaderboard.records.record import Submission
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

REPO = "otherminds/leaderboard"
FILES = {
    *("README.md", "record.schema.json", "boards.yaml", "references.yaml"),
    *("operations/job.py", "submissions/.gitkeep", "moderation.jsonl"),
}

APP = typer.Typer()
APP.add_typer(cli_leaderboard.LEADERBOARD, name="leaderboard")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    with MiniHub(users={"hf_owner": User("owner", orgs=("otherminds",))}) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token="hf_owner")
        yield running


def test_it_is_written_once_and_is_then_up_to_date(tmp_path: Path) -> None:
    assert set(template.write(tmp_path / "a")) == FILES
    assert contents(tmp_path / "a").keys() == FILES
    assert template.write(tmp_path / "a") == []
    template.write(tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_only_what_is_stale_is_written_again(tmp_path: Path) -> None:
    template.write(tmp_path)
    (tmp_path / "README.md").write_text("old")
    (tmp_path / "boards.yaml").unlink()
    log = tmp_path / "moderation.jsonl"
    log.write_text("a decision\n")
    assert template.write(tmp_path, check=True) == ["README.md", "boards.yaml"]
    assert (tmp_path / "README.md").read_text() == "old"
    assert template.write(tmp_path) == ["README.md", "boards.yaml"]
    assert log.read_text() == "a decision\n"


def test_the_card_is_one_of_the_hub_and_names_each_board(tmp_path: Path) -> None:
    template.write(tmp_path)
    card = DatasetCard.load(tmp_path / "README.md")
    assert card.data.license == "cc-by-4.0"
    assert card.data.to_dict()["viewer"] is False
    for board in load().boards:
        assert f"`{board.task}`" in card.text
    assert "near-duplicate" in card.text


def test_the_schema_is_that_of_a_record(tmp_path: Path) -> None:
    template.write(tmp_path)
    written = json.loads((tmp_path / "record.schema.json").read_bytes())
    assert written == Submission.model_json_schema()
    boards = yaml.safe_load((tmp_path / "boards.yaml").read_text(encoding="utf-8"))
    assert TypeAdapter(list[Board]).validate_python(boards) == load().boards


def test_the_hub_takes_the_command_that_the_card_states(tmp_path: Path) -> None:
    template.write(tmp_path)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^hf jobs .*$", card, re.MULTILINE)
    words = shlex.split(line)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("hf")), *words[1:], "--dry-run"],
        cwd=tmp_path,
        env={**os.environ, "HF_TOKEN": "hf_x", "HF_HOME": str(tmp_path / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "hf_x" not in done.stdout
    for part in ("cpu-upgrade", "17 * * * *", "HF_TOKEN", "OTHERMINDS_HUB_ORG", "job.py"):
        assert part in done.stdout


def test_the_job_installs_this_version_and_does_one_pass(tmp_path: Path) -> None:
    template.write(tmp_path)
    job = (tmp_path / "operations" / "job.py").read_text(encoding="utf-8")
    assert f'# dependencies = ["otherminds=={otherminds.__version__}"]' in job
    done = subprocess.run(
        [sys.executable, "-c", job, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--season" in done.stdout


def test_the_hub_holds_it_after_one_commit(hub: MiniHub) -> None:
    said: list[str] = []
    assert set(template.push(say=said.append)) == FILES
    assert hub.files("dataset", REPO).keys() >= FILES
    assert hub.repo(REPO).private
    assert "private" in said[0]
    before = len(hub.repo(REPO).commits)
    assert template.push(say=said.append) == []
    assert len(hub.repo(REPO).commits) == before
    HfApi().upload_file(
        path_or_fileobj=b"{}\n", path_in_repo="moderation.jsonl", repo_id=REPO, repo_type="dataset"
    )
    assert template.push(check=True, say=said.append) == []
    HfApi().upload_file(
        path_or_fileobj=b"old", path_in_repo="boards.yaml", repo_id=REPO, repo_type="dataset"
    )
    assert template.push(check=True, say=said.append) == ["boards.yaml"]
    assert template.push(say=said.append) == ["boards.yaml"]
    assert hub.files("dataset", REPO)["moderation.jsonl"] == b"{}\n"


def test_nothing_is_checked_where_nothing_is(hub: MiniHub) -> None:
    with pytest.raises(OtherMindsError, match="There is no dataset otherminds/leaderboard"):
        template.push(check=True, say=lambda text: None)
    assert hub.repos == {}


def test_the_command_says_what_it_wrote(hub: MiniHub, tmp_path: Path) -> None:
    def asked(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(APP, ["leaderboard", "init", *words])
        return done.exit_code, done.output

    out = str(tmp_path / "out")
    assert asked(out, "--check")[0] == 1
    code, told = asked(out, "--push")
    assert (code, "README.md" in told) == (0, True)
    assert asked(out, "--push", "--check") == (0, f"{out}: up to date\nThe Hub: up to date\n")
    done = CliRunner().invoke(APP, ["leaderboard", "init"])
    assert isinstance(done.exception, OtherMindsError)
