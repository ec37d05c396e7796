"""eval.yaml: what Inspect makes of it, from a Hub to scores."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from otherminds import harness, manifest, paths
from otherminds.data.repository import eval_yaml
from otherminds.data.repository import write as repository
from tests.helpers import small_builds
from tests.minihub import MiniHub, User

WITHOUT = {
    "hugagent": "the repository of these data is their authors'",
    "socialmindchange-codes": "an item lies in one configuration, and its scenes in another",
    "socialmindchange-core": "an item lies in one configuration, and its scenes in another",
    "socialmindchange-scale": "an item lies in one configuration, and its scenes in another",
    "synchtom": "a judge grades answers by criteria",
    "synchtom-made": "a judge grades answers by criteria",
    "trust-game": "no answer is right",
    "trust-game-synthetic": "no answer is right",
}
"""Why the other datasets have no eval.yaml."""

EXPRESSED = {
    "debate-beliefs": ["blind", "demographics", "beliefs", "both"],
    "debate-beliefs-issues": ["blind", "demographics", "beliefs", "both"],
    "debate-beliefs-synthetic": ["blind", "demographics", "beliefs", "both"],
    "hugagent-stated": ["bsi"],
    "hugagent-synthetic": ["bsi"],
}
SHOWN = {
    "blind": set(),
    "demographics": {"background"},
    "beliefs": {"known_beliefs"},
    "both": {"background", "known_beliefs"},
    "bsi": {"demographics", "context"},
}
ORG = "otherminds"

needs_inspect = pytest.mark.skipif(
    importlib.util.find_spec("inspect_ai") is None, reason="needs inspect-ai (extra inspect)"
)


def described(dataset: str) -> dict[str, Any]:
    text = eval_yaml.text(manifest.load(dataset))
    assert text is not None
    content = yaml.safe_load(text)
    assert isinstance(content, dict)
    return content


def rows_of(folder: Path, task: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(
        repository.parquet_path(folder, task["config"])
    ).to_pylist()
    return rows


@pytest.mark.parametrize("dataset", manifest.names())
def test_only_what_can_be_expressed_has_one(dataset: str) -> None:
    known = manifest.load(dataset)
    text = eval_yaml.text(known)
    if dataset not in EXPRESSED:
        assert text is None
        return
    content = described(dataset)
    assert (content["name"], content["description"]) == (known.title, known.description)
    assert content["evaluation_framework"] == "inspect-ai"
    assert text is not None
    assert known.canary in text
    assert [task["id"] for task in content["tasks"]] == EXPRESSED[dataset]
    for task in content["tasks"]:
        assert known.configs[task["config"]].splits.keys() == {task["split"]}


@pytest.mark.parametrize(
    ("dataset", "base"),
    [
        ("hugagent-synthetic", "hugagent/_hugagent"),
        ("hugagent-stated", "hugagent/_hugagent"),
        ("debate-beliefs-synthetic", "debate/_debate"),
    ],
)
def test_the_system_text_is_that_of_the_tasks(dataset: str, base: str) -> None:
    said = harness.load_yaml(paths.tasks() / base, resolve_functions=False)["description"]
    for task in described(dataset)["tasks"]:
        assert task["solvers"][0]["name"] == "system_message"
        assert task["solvers"][0]["args"]["template"] == said.strip()


@pytest.mark.parametrize("dataset", EXPRESSED)
def test_the_answer_is_in_no_column_that_a_template_can_show(dataset: str) -> None:
    for task in described(dataset)["tasks"]:
        spec = task["field_spec"]
        shown = {spec["input"], spec.get("choices"), *spec["metadata"]}
        assert spec["target"] not in shown
        templates = "".join(str(one.get("args", {})) for one in task["solvers"])
        assert f"{{{spec['target']}}}" not in templates
        evidence = {name for name in spec["metadata"] if f"{{{name}}}" in templates}
        assert evidence == SHOWN[task["id"]]


def test_each_dataset_can_have_results_on_the_hub_or_there_is_a_reason() -> None:
    assert {*EXPRESSED, *WITHOUT} == set(manifest.names())
    for dataset in EXPRESSED:
        named = {one.id for one in eval_yaml.named(dataset).values()}
        assert named == {task["id"] for task in described(dataset)["tasks"]}


@needs_inspect
@pytest.mark.parametrize(
    ("dataset", "answers"),
    [
        (
            "hugagent-synthetic",
            {"ANSWER: B": "B", "a\nanswer: A": "A", "I cannot say.": None, "ANSWER: A, B": None},
        ),
        ("hugagent-stated", {"ANSWER: A": "A", "Both.": None}),
        ("debate-beliefs-synthetic", {"ANSWER: False": "False", "ANSWER: maybe": None}),
        ("debate-beliefs-issues", {"ANSWER: true.": "True"}),
    ],
)
def test_inspect_scores_what_it_finds_on_the_hub(
    dataset: str, answers: dict[str, str | None], tmp_path: Path
) -> None:
    folder = small_builds.write(dataset, tmp_path)
    text = eval_yaml.text(repository.manifest_of(folder))
    assert text is not None
    (folder / eval_yaml.NAME).write_text(text, encoding="utf-8")
    tasks = described(dataset)["tasks"]
    found = evaluated(dataset, list(answers), folder, tmp_path)
    for answer, chosen in answers.items():
        # A repository with one task gives it no name of its own.
        assert list(found[answer]) == ([task["id"] for task in tasks] if len(tasks) > 1 else [""])
        for task, log in zip(tasks, found[answer].values(), strict=True):
            target, rows = task["field_spec"]["target"], rows_of(folder, task)
            for sample, row in zip(log["samples"], rows, strict=True):
                gold = str(row[target])
                assert (sample["item_id"], sample["target"]) == (row["item_id"], gold)
                assert sample["right"] == (gold == chosen)
                check_messages(sample["messages"], answer, row, task)
            share = sum(str(row[target]) == chosen for row in rows) / len(rows)
            assert (0 < share < 1) == (chosen is not None)
            assert log["accuracy"] == pytest.approx(share)


def check_messages(
    messages: list[list[str]], answer: str, row: dict[str, Any], task: dict[str, Any]
) -> None:
    """Evidence, question and options are in the prompt; other evidence and unfilled places are not."""
    system, (role, prompt), reply = messages
    assert system == ["system", task["solvers"][0]["args"]["template"]]
    assert (role, reply) == ("user", ["assistant", answer])
    spec, shown = task["field_spec"], SHOWN[task["id"]]
    assert row[spec["input"]] in prompt
    for column in ("background", "known_beliefs", "demographics", "context"):
        if column in row:
            assert (str(row[column]) in prompt) == (column in shown)
            assert f"{{{column}}}" not in prompt
    if "choices" in spec:
        for letter, option in zip("AB", row[spec["choices"]], strict=True):
            assert f"\n{letter}) {option}\n" in prompt
    assert "{prompt}" not in prompt
    assert "{question}" not in prompt


def evaluated(dataset: str, answers: list[str], folder: Path, tmp_path: Path) -> dict[str, Any]:
    """By answer and task, what Inspect logged."""
    script = Path(__file__).with_name("inspect_hub.py")
    home = tmp_path / "home"
    with MiniHub(users={"hf_writer": User("writer", orgs=(ORG,))}) as hub:
        words = [sys.executable, script, folder, f"{ORG}/{dataset}", tmp_path / "logs", *answers]
        done = subprocess.run(
            [str(word) for word in words],
            # Inspect keeps data sets in the user's cache folder, by name.
            env={
                **os.environ,
                **hub.env("hf_writer", home),
                "HF_HUB_OFFLINE": "0",
                "XDG_CACHE_HOME": str(home),
                "XDG_DATA_HOME": str(home),
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    found: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    return found
