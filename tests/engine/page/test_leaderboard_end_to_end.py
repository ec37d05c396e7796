"""The leaderboard as its users see it: models run, are submitted and accepted, and stand on the page.

Every step is the command that a user or the operator types, with a local Hub.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from tests.conftest import Command
from tests.minihub import MiniHub, User

TASK = "debate_both_synthetic"
BOARD = "#board/debate-synthetic"
# What each knows: who thinks alike, what most people think, nothing.
MODELS = ("neighbours", "majority", "random")
USERS = {
    "hf_owner": User("owner", orgs=("otherminds",)),
    "hf_alice": User("alice"),
}


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[MiniHub]:
    monkeypatch.delenv("OTHERMINDS_HUB_ORG", raising=False)
    with MiniHub(users=USERS) as running:
        yield running


@pytest.fixture
def users(local: MiniHub, cache: Path, tmp_path: Path) -> dict[str, Mapping[str, str]]:
    """The environment of each user's processes."""
    return {
        user.name: {**os.environ, **local.env(token, tmp_path / user.name)}
        for token, user in USERS.items()
    }


@pytest.mark.slow
@pytest.mark.first
def test_three_models_from_their_runs_to_the_page(
    local: MiniHub,
    users: Mapping[str, Mapping[str, str]],
    command: Command,
    page: Any,
    tmp_path: Path,
) -> None:
    owner, alice = users["owner"], users["alice"]
    command("otherminds", "leaderboard", "init", "--push", cwd=tmp_path, env=owner)
    # It was made private: who sees it is a person's decision.
    hub = HfApi(endpoint=local.url, token="hf_owner")
    hub.update_repo_settings("otherminds/leaderboard", private=False, repo_type="dataset")
    claimed = {}
    for model in MODELS:
        out = tmp_path / model
        ran = command(
            *("otherminds", "run", TASK, "--model", model, "--log_samples"),
            *("--output_path", out),
            cwd=tmp_path,
            env=alice,
        )
        claimed[model] = shown_value("macro_f1", ran.stdout)
        command(
            *("otherminds", "submit", out, "--model-name", f"alice/{model}", "--revision", "v1"),
            "--reference",
            cwd=tmp_path,
            env=alice,
        )

    space = ("--space", "otherminds/board")
    done = command("otherminds", "leaderboard", "work", *space, cwd=tmp_path, env=owner)
    assert len(re.findall(r"alice-\w+", done.stdout)) >= 3
    log = command("otherminds", "leaderboard", "log", cwd=tmp_path, env=alice).stdout
    assert log.count("accepted") == 3

    built = Path(
        hub.snapshot_download("otherminds/board", repo_type="space", local_dir=tmp_path / "b")
    )
    page.open(built / "index.html", BOARD)
    page.until(lambda: page.all("main h1"))
    order = sorted(MODELS, key=lambda model: -claimed[model])
    assert page.texts("tbody tr:not(.published) th bdi") == [f"alice/{model}" for model in order]
    # Each is far from the others: about 0.7, 0.6 and 0.5 of 11,447 answers are right.
    assert page.texts("tbody tr:not(.published) .letters") == ["a", "b", "c"]
    with (built / "board.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["model"].startswith("alice/")]
    assert {row["model"].removeprefix("alice/") for row in rows} == set(MODELS)


def shown_value(metric: str, printed: str) -> float:
    """The value of a metric in what a run prints."""
    line = next(line for line in printed.splitlines() if line.startswith(f"{metric} "))
    return float(re.findall(r"-?\d+\.\d+", line)[0])
