"""Items of the human track that show the answer of their source: scores with, without, masked."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from otherminds import harness, manifest
from otherminds.analysis.comparability import check_comparable
from otherminds.analysis.runs import read_runs
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.running.models import Options
from otherminds.running.run import run
from tests.conftest import Command
from tests.helpers import fictional_hugagent as fictional
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

TOKEN = "hf_alice"
BY_SOURCE = ("bsi_acc_source_hidden", "bsi_acc_source_shown")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fictional.write_clone(fictional.sample(), tmp_path_factory.mktemp("human") / "clone")


def load(name: str, source: Path, **metadata: Any) -> Any:
    manager = harness.task_manager({"data_source": str(source), **metadata})
    return harness.load_tasks(manager, [name])[name]


def numbers(task: Any, answer: Any) -> dict[str, float]:
    rows = [task.process_results(doc, [[answer(doc)]]) for doc in task.eval_docs]
    return {
        entry["metric"]: entry["aggregation"]([row[entry["metric"]] for row in rows])
        for entry in task.config.metric_list
    }


@pytest.mark.parametrize("name", ["hugagent", "hugagent_bsi", "hugagent_logprob"])
def test_bsi_is_scored_without_and_on_the_items_that_show_their_source(
    name: str, clone: Path
) -> None:
    task = load(name, clone)
    names = [entry["metric"] for entry in task.config.metric_list]
    assert [one for one in names if one in (*BY_SOURCE, "n_source_shown")] == [
        *BY_SOURCE,
        "n_source_shown",
    ]
    if name.endswith("logprob"):
        return

    # Right on the four items that show their source, wrong on all others.
    def copying(doc: dict[str, Any]) -> str:
        if doc["task"] == "bdu":
            return "1"
        other = {"A": "B", "B": "A", "A/B": "neither"}[doc["answer"]]
        return str(doc["answer"] if doc["source_shown"] else other)

    found = numbers(task, copying)
    assert (found["bsi_acc_source_hidden"], found["bsi_acc_source_shown"]) == (0.0, 1.0)
    assert found["n_source_shown"] == 4
    # Of 8 items on each topic 1, 2 and 1 show it.
    assert found["bsi_acc"] == pytest.approx((1 / 8 + 2 / 8 + 1 / 8) / 3)


def test_where_no_item_shows_its_source_there_is_nothing_to_measure(tmp_path: Path) -> None:
    records = [record for record in fictional.sample() if record["participant_id"] == "P01"]
    records = [record for record in records if record["topic"] != "healthcare"]
    source = fictional.write_clone(records, tmp_path / "clone")
    found = numbers(load("hugagent_bsi", source), lambda doc: "A")
    assert math.isnan(found["bsi_acc_source_shown"])
    assert found["bsi_acc_source_hidden"] == found["bsi_acc"]
    assert found["n_source_shown"] == 0


def test_what_is_masked_is_the_source_and_nothing_else(clone: Path) -> None:
    records = {record["item_id"]: record for record in fictional.sample()}
    plain, hidden = load("hugagent", clone), load("hugagent", clone, mask_source=True)
    changed = 0
    for before, after in zip(plain.eval_docs, hidden.eval_docs, strict=True):
        same = {
            key: value for key, value in before.items() if key not in ("context", "source_turns")
        }
        assert {key: after[key] for key in same} == same
        if not before["source_shown"]:
            assert after["context"] == before["context"]
            continue
        changed += 1
        assert len(after["context"]) == len(before["context"]) - len(before["source_turns"])
        answer = records[before["item_id"]]["source_qa"]["answer"]
        assert answer in plain.doc_to_text(before)
        assert answer not in hidden.doc_to_text(after)
    assert changed == 4


def test_an_ablation_masks_first(clone: Path) -> None:
    for doc in load("hugagent_context10", clone, mask_source=True).eval_docs:
        answers = [turn["answer"] for turn in doc["context"]]
        if doc["source_shown"] and doc["participant_id"] == "P01":
            assert not any("point 5 of" in answer for answer in answers)
            assert len(answers) == 10


@pytest.mark.parametrize("off", [False, "false"])
def test_a_switch_that_is_off_changes_nothing(off: object, clone: Path) -> None:
    docs = load("hugagent_bsi", clone, mask_source=off).eval_docs
    assert docs.data.table.equals(load("hugagent_bsi", clone).eval_docs.data.table)


def test_a_switch_that_is_neither_on_nor_off_is_refused(clone: Path) -> None:
    with pytest.raises(OtherMindsError, match="mask_source is true or false, not 'perhaps'"):
        load("hugagent_bsi", clone, mask_source="perhaps")


def test_generated_items_have_nothing_to_mask() -> None:
    with pytest.raises(OtherMindsError, match="mask_source: these items have no source exchange"):
        data.for_task(dataset="hugagent-synthetic", configs=["bsi"], mask_source=True)


def test_a_masked_run_says_so_and_cannot_be_compared(clone: Path, tmp_path: Path) -> None:
    folders = []
    for name, told in (
        ("plain", {}),
        ("off", {"mask_source": False}),
        ("on", {"mask_source": "true"}),
    ):
        metadata = json.dumps({"data_source": str(clone), **told})
        out = tmp_path / name
        words = ("--model", "random", "--metadata", metadata, "--output_path", str(out))
        run(["hugagent_bsi"], [*words, "--log_samples"], Options())
        folders.append(out)
        [path] = out.rglob("results_*.json")
        facts = json.loads(path.read_text())["otherminds"]["data"]["hugagent_bsi"]
        assert facts.get("switches") == (["mask_source"] if name == "on" else None)
        assert ("With mask_source, other documents" in facts["note"]) == (name == "on")
    # Runs that are alike count as repeats of one.
    assert len(read_runs(folders[:2]).runs) == 1
    runs = read_runs(folders[1:]).runs
    assert len(runs) == 2
    with pytest.raises(OtherMindsError, match="parameters"):
        check_comparable(runs)


def test_the_literal_task_reads_the_hubs_form(
    command: Command, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hugagent_bdu` and `hugagent_bsi` without any source: Parquet with JSON text, from a local Hub."""
    known = manifest.load("hugagent").upstream
    assert known is not None
    folder = tmp_path / "repository"
    folder.mkdir()
    configs = [
        {
            "config_name": name,
            "data_files": [{"split": "test", "path": f"data/{name}/test-*.parquet"}],
        }
        for name in known.configs.values()
    ]
    fictional.write_parquet(fictional.sample(), folder)
    (folder / "README.md").write_text(f"---\nconfigs: {json.dumps(configs)}\n---\n")
    with MiniHub(users={TOKEN: User("alice", orgs=("social-atoms",))}) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token=TOKEN)
        api = HfApi(endpoint=running.url, token=TOKEN)
        api.create_repo(known.hub, repo_type="dataset")
        api.upload_folder(repo_id=known.hub, folder_path=folder, repo_type="dataset")
        api.create_tag(known.hub, tag=known.revision, repo_type="dataset")
        env = {**os.environ, **running.env(TOKEN, tmp_path / "home")}
        done = command(
            *("otherminds", "run", "hugagent_bdu", "hugagent_bsi", "--model", "oracle"),
            *("--output_path", tmp_path / "out", "--log_samples", "--details"),
            cwd=tmp_path,
            env=env,
        )
    said = " ".join(done.stdout.split())
    assert "do not compare these scores with scores on the release" in said
    assert "bsi_acc_source_shown" in said
    assert "source_shown: healthcare 1, surveillance 2, zoning 1" in said.casefold()
    [path] = (tmp_path / "out").rglob("results_*.json")
    scores = json.loads(path.read_text())["results"]
    assert scores["hugagent_bdu"]["bdu_acc,none"] == 1.0
    assert scores["hugagent_bsi"]["bsi_acc_source_shown,none"] == 1.0
    assert scores["hugagent_bsi"]["n_source_shown,none"] == 4
