"""A complete benchmark in a package of its own (tests/toy), from its wheel to the board.

Both packages are installed from wheels, and every command is a process of its own. No file of this
project knows the benchmark.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from huggingface_hub import HfApi

from tests.conftest import ROOT
from tests.helpers.environment import Environment, built_wheel, project_wheel
from tests.minihub import MiniHub, User
from tests.minihub.boards import REPO

pytestmark = pytest.mark.install

TOY = ROOT / "tests" / "toy"
DATASET, TASK = "commute-synthetic", "commute"
ORG, OWNER, ALICE = "otherminds", "hf_owner", "hf_alice"

LOADED = """
from datasets import load_dataset
rows = load_dataset("otherminds/commute-synthetic", "mornings", split="test", revision="v1.0")
print(len(rows), rows[0]["options"])
"""


@pytest.fixture(scope="module")
def local() -> Iterator[MiniHub]:
    """A Hub with an empty board, on which Alice may propose and the owner may write."""
    users = {OWNER: User("owner", orgs=(ORG,)), ALICE: User("alice")}
    with MiniHub(users=users) as running:
        api = HfApi(endpoint=running.url, token=OWNER)
        api.create_repo(REPO, repo_type="dataset")
        card = b"---\nlicense: mit\n---\n# Board\n"
        api.upload_file(
            path_or_fileobj=card, path_in_repo="README.md", repo_id=REPO, repo_type="dataset"
        )
        yield running


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with both packages, from their wheels."""
    folder = tmp_path_factory.mktemp("installed")
    fresh = Environment(folder / "venv")
    fresh.install(f"lm_eval=={version('lm_eval')}")
    fresh.install(project_wheel(folder / "ours"))
    # pip builds in the folder itself, and would leave things there.
    source = shutil.copytree(TOY, folder / "source")
    fresh.install(built_wheel(source, folder / "theirs"))
    return fresh


@pytest.fixture(scope="module")
def work(installed: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two models have been run."""
    folder = tmp_path_factory.mktemp("work")
    for model in ("random", "majority"):
        call(installed, folder, "run", TASK, "--model", model, "--output_path", f"results/{model}")
    return folder


def call(
    installed: Environment, folder: Path, *words: str | Path, env: dict[str, str] | None = None
) -> str:
    """What an `otherminds` command prints, with a cache of the test's own."""
    settings = {"OTHERMINDS_CACHE": str(folder / "cache"), "COLUMNS": "160", **(env or {})}
    return installed.call("otherminds", *words, cwd=folder, env=settings).stdout


def on_hub(local: MiniHub, token: str, folder: Path) -> dict[str, str]:
    return {**local.env(token, folder / "home"), "HF_HUB_OFFLINE": "0", "OTHERMINDS_HUB_ORG": ORG}


def test_it_is_listed_beside_ours(installed: Environment, work: Path) -> None:
    tasks = call(installed, work, "list")
    assert {TASK, "commute_logprob", "hugagent_synthetic"} <= set(tasks.split())
    assert DATASET in call(installed, work, "list", "--datasets")
    shown = call(installed, work, "show", TASK)
    assert "How does this person go to work?" in shown
    assert "about 40 people" in shown


def test_plain_lm_eval_runs_it_once_linked(installed: Environment, work: Path) -> None:
    call(installed, work, "link")
    words = ("lm_eval", "--tasks", TASK, "--model", "dummy", "--limit", "5")
    settings = {"OTHERMINDS_CACHE": str(work / "cache")}
    assert "n_people" in installed.call(*words, cwd=work, env=settings).stdout


def test_runs_are_scored_compared_and_reported(installed: Environment, work: Path) -> None:
    [path] = (work / "results" / "random").rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))["otherminds"]["scores"][TASK]["estimates"]
    # 40 people on 3 mornings, four options: a standard error of about sqrt(0.25 · 0.75 / 120).
    assert found["acc"]["n"] == 120
    assert found["acc"]["n_clusters"] == 40
    assert abs(found["acc"]["value"] - 0.25) < 4 * (0.25 * 0.75 / 120) ** 0.5
    scored = call(installed, work, "score", "results", "--details")
    assert "documents: 120 have the person, topic and gold that the data have" in scored
    compared = call(installed, work, "compare", "results")
    # The better one stands first.
    assert "random − majority" in compared or "majority − random" in compared
    call(installed, work, "report", "results", "--out", "report")
    assert "Accuracy" in (work / "report" / f"table_{DATASET}.md").read_text(encoding="utf-8")
    assert (work / "report" / "report.html").is_file()


def test_its_data_are_published_and_loaded(
    installed: Environment, work: Path, local: MiniHub
) -> None:
    said = call(installed, work, "publish", DATASET, env=on_hub(local, OWNER, work))
    assert f"{ORG}/{DATASET}" in said
    environment = on_hub(local, ALICE, work / "elsewhere")
    done = installed.call("python", "-c", LOADED, cwd=work, env=environment)
    assert done.stdout.startswith("120 ['")
    metadata = json.dumps({"data_source": "hub"})
    words = ("run", TASK, "--model", "oracle", "--metadata", metadata, "--output_path", "hub")
    call(installed, work, *words, env=environment)
    [path] = (work / "hub").rglob("results_*.json")
    assert json.loads(path.read_text(encoding="utf-8"))["results"][TASK]["acc,none"] == 1.0


def test_a_submission_of_it_is_accepted(installed: Environment, work: Path, local: MiniHub) -> None:
    words = ("submit", "results/random", "--model-name", "tests/random", "--revision", "seed-0")
    words += ("--reference",)
    said = call(installed, work, *words, "--out", "sub", env=on_hub(local, ALICE, work))
    assert "Accepted: re-scored" in said
    discussions = HfApi(endpoint=local.url, token=OWNER).get_repo_discussions(
        REPO, repo_type="dataset"
    )
    assert [one.is_pull_request for one in discussions] == [True]


def test_nothing_of_this_project_names_it() -> None:
    folders = ("otherminds", "tasks", "templates", "metrics", "dataset_builders", "cards")
    done = subprocess.run(
        # The word itself is also one of English.
        ["git", "grep", "-ilE", rf"{DATASET}|(^|[^ a-z]){TASK}", "--", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
