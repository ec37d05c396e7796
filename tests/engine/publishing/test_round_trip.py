"""There and back: published to a local Hub, loaded, evaluated on, and the results pushed.

Loading, lm-eval and its pushing are the real clients in processes of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import manifest, paths
from otherminds.data import hub
from otherminds.data.repository import write as repository
from otherminds.publishing import publish
from tests.conftest import Command
from tests.helpers import small_builds
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

ORG = "otherminds"
TOKEN = "hf_alice"
USERS = {TOKEN: User("alice", orgs=(ORG,)), "hf_bob": User("bob")}

# A task on each dataset that may be published; debate-beliefs and hugagent may not, and the cores of
# HugAgent and SocialMindChange are still to be written.
TASKS = {
    "debate-beliefs-issues": "debate_both_issues",
    "debate-beliefs-synthetic": "debate_both_synthetic_logprob",
    "hugagent-stated": "hugagent_bdu_stated",
    "hugagent-synthetic": "hugagent_bdu_synthetic",
    "socialmindchange-codes": "socialmindchange_codes_lite",
    "socialmindchange-scale": "socialmindchange_scale_lite",
    "synchtom": "synchtom_vanilla",
    "synchtom-made": "synchtom_made_10turn",
    "trust-game": "trust_game_round1_genagents",
    "trust-game-synthetic": "trust_game_round1",
}
LIMIT = 2

# Loads every configuration whole, by tag, and streamed, and one dataset without the right to.
LOAD = """
import json, os, sys
from datasets import load_dataset
from otherminds.data import hub
found = {}
# Nobody else may have loaded it into the cache before.
closed, tag = sys.argv[2:]
for token in ("hf_bob", ""):
    os.environ["HF_TOKEN"] = token
    try:
        hub.rows(closed, "beliefs", tag)
    except hub.UnavailableError as error:
        found[f"as {token or 'nobody'}"] = str(error)
os.environ["HF_TOKEN"] = "hf_alice"
for repo, (tag, configs) in json.loads(sys.argv[1]).items():
    for config in configs:
        whole = load_dataset(repo, config, split="test")
        tagged = load_dataset(repo, config, split="test", revision=tag)
        streamed = load_dataset(repo, config, split="test", revision=tag, streaming=True)
        found[f"{repo} {config}"] = (
            len(whole), whole[:] == tagged[:], list(streamed) == whole.to_list())
print("FOUND" + json.dumps(found), flush=True)
# The threads of a stream may outlive the interpreter, which then aborts.
os._exit(0)
"""


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    monkeypatch.delenv("OTHERMINDS_HUB_ORG", raising=False)
    with MiniHub(users=USERS) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token=TOKEN)
        yield running


@pytest.fixture
def small(local: MiniHub, tmp_path: Path) -> dict[str, Path]:
    """A small build of each dataset, on the Hub too."""
    folders = {}
    for dataset in TASKS:
        folders[dataset] = folder = small_builds.write(dataset, tmp_path / dataset, "0.9")
        publish.publish_repository(folder, f"{ORG}/{dataset}", say=lambda line: None)
    return folders


def processes(local: MiniHub, home: Path) -> dict[str, str]:
    return {**os.environ, **local.env(TOKEN, home), "OTHERMINDS_HUB_ORG": ORG}


def evaluate(
    process: Command, tasks: list[str], metadata: Mapping[str, Any], local: MiniHub, folder: Path
) -> dict[str, Any]:
    """Run plain lm-eval on tasks, let it push results and samples; returns the results."""
    out = folder / "out"
    push = "push_results_to_hub=True,push_samples_to_hub=True,public_repo=False"
    process(
        *("lm_eval", "--model", "dummy", "--tasks", ",".join(tasks), "--limit", LIMIT),
        *("--include_path", paths.tasks(), "--metadata", json.dumps(metadata)),
        *("--output_path", out, "--log_samples"),
        *("--hf_hub_log_args", f"hub_results_org={ORG},{push}"),
        cwd=folder,
        env=processes(local, folder / "home"),
    )
    [path] = out.rglob("results_*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_a_folder_of_the_datasets_name_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In a checkout, tasks/synchtom is a folder of code.
    (tmp_path / ORG / "synchtom").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(hub.UnavailableError, match="run this from another folder"):
        hub.rows(f"{ORG}/synchtom", "instances", "v1.0")


def test_every_dataset_may_be_published_or_says_why_not() -> None:
    refused = set(manifest.names()) - set(TASKS)
    assert refused == {"hugagent", "debate-beliefs", "hugagent-core", "socialmindchange-core"}


@pytest.mark.slow
def test_what_is_published_is_loaded_whole_by_tag_and_streamed(
    small: dict[str, Path], local: MiniHub, tmp_path: Path
) -> None:
    known = {dataset: repository.manifest_of(folder) for dataset, folder in small.items()}
    wanted = {
        f"{ORG}/{dataset}": (f"v{one.version}", list(one.configs)) for dataset, one in known.items()
    }
    closed = f"{ORG}/debate-beliefs-issues"
    assert local.repo(closed).gated == "auto"
    done = subprocess.run(
        [sys.executable, "-c", LOAD, json.dumps(wanted), closed, wanted[closed][0]],
        env=processes(local, tmp_path / "home"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.split("FOUND")[1])
    for who in ("as hf_bob", "as nobody"):
        assert f"Cannot load '{closed}'" in found.pop(who)
    assert found == {
        f"{ORG}/{dataset} {config}": [facts.splits["test"], True, True]
        for dataset, one in known.items()
        for config, facts in one.configs.items()
    }


@pytest.mark.slow
def test_lm_eval_runs_on_what_is_published_and_pushes_what_it_found(
    small: dict[str, Path], local: MiniHub, process: Command, tmp_path: Path
) -> None:
    # Small builds are not releases; to state a revision is to know that.
    metadata = {"data_source": "hub", "data_revision": "main"}
    found = evaluate(process, list(TASKS.values()), metadata, local, tmp_path)
    assert found["n-samples"].keys() == set(TASKS.values())
    assert all(count["effective"] == LIMIT for count in found["n-samples"].values())
    assert not [one for one in local.requests if one.status >= 500]
    read = [one.path for one in local.requests if one.method == "GET"]
    for dataset in TASKS:
        assert any(f"/{ORG}/{dataset}/" in path for path in read)
    pushed = local.files("dataset", f"{ORG}/lm-eval-results-private")
    assert any(path.rsplit("/")[-1].startswith("results_") for path in pushed)
    for task in TASKS.values():
        lines = samples_of(task, pushed)
        assert len(lines) == LIMIT
        # This is why `otherminds run` warns, and why there is `otherminds redact`.
        assert all("target" in line and len(line["doc"]) > 1 for line in lines)


def samples_of(task: str, pushed: Mapping[str, bytes]) -> list[dict[str, Any]]:
    [text] = [text for path, text in pushed.items() if f"/samples_{task}_2" in path]
    return [json.loads(line) for line in text.decode().splitlines()]


@pytest.mark.slow
def test_a_release_is_published_by_the_command_and_evaluated_on_from_there(
    process: Command, tmp_path: Path
) -> None:
    dataset = "trust-game-synthetic"
    with MiniHub(users=USERS) as local:
        env = {**processes(local, tmp_path / "home"), "OTHERMINDS_CACHE": str(tmp_path / "none")}
        done = process("otherminds", "publish", dataset, cwd=tmp_path, env=env)
        assert "Published: " in done.stdout
        published = len(local.requests)
        # The rows must have the content hash that the manifest states.
        found = evaluate(process, [TASKS[dataset]], {"data_source": "hub"}, local, tmp_path)
        assert found["n-samples"][TASKS[dataset]]["effective"] == LIMIT
        tagged = f"/{ORG}/{dataset}/resolve/v{manifest.load(dataset).version}/"
        assert any(tagged in one.path for one in local.requests[published:])
        flags = ("--metadata", '{"data_source": "hub"}', "--limit", LIMIT, "--output_path", "ours")
        push = f"hub_results_org={ORG},push_results_to_hub=True,push_samples_to_hub=True"
        run = ("otherminds", "run", TASKS[dataset], *flags, "--hf_hub_log_args", push)
        done = process(*run, cwd=tmp_path, env=env)
        assert "contain the gold answers" in done.stderr
        pushed = local.files("dataset", f"{ORG}/lm-eval-results-private")
        assert sum(f"/samples_{TASKS[dataset]}_2" in path for path in pushed) == 2
        # Nothing is asked of a model that could not be pushed for want of a token ...
        refused = process(*run, cwd=tmp_path, env={**env, "HF_TOKEN": ""}, code=1)
        assert "takes a token, and there is none" in refused.stderr
        # ... and what cannot be pushed after all is not lost.
        refused = process(*run, cwd=tmp_path, env={**env, "HF_TOKEN": "hf_wrong"}, code=1)
        assert "could not be pushed to the Hub" in refused.stderr
        assert len(list((tmp_path / "ours").rglob("samples_*"))) == 2
    assert not (tmp_path / "none").exists()
