"""A whole construction of two people: from frame to scores, on a local Hub as well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, manifest
from otherminds.construct import Plan, Unit, blind, pipelines, release
from otherminds.construct import folder as folders
from otherminds.construct.importing import Imported
from otherminds.data import kept
from otherminds.data.repository import rows as repository
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.hugagent.authored import core as builder
from otherminds.dataset_builders.hugagent.authored.checks import STAGES
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.sources import SourceError
from otherminds.publishing import publish
from otherminds.tasks.hugagent import references
from tests.helpers import scripted_hugagent as author
from tests.helpers.scripted_author import read_together, sheets, stepped
from tests.hugagent.construction.conftest import frames, written
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

WRONG = 3
"""Of the items, how many both readers get wrong."""


def step(path: Path, write: Callable[[Unit, str], Any] = author.good) -> Imported:
    """An author answers what waits."""
    return stepped(path, write)


def read(path: Path, turn: int, wrong: frozenset[str], *, off: int = 0) -> None:
    """Two blind readers; wrong on some items, and elsewhere off by a number where they may be."""
    read_together(path, turn, lambda item: _given(item, item.item_id in wrong, off))


def _given(item: blind.Item, wrong: bool, off: int) -> str:
    right = {item.gold, *item.right}
    if wrong:
        return next(one for one in item.answers if one not in right)
    assert item.gold is not None
    place = item.answers.index(item.gold)
    near = item.answers[max(place - off, 0)]
    return near if near in right else item.gold


@dataclass(frozen=True)
class Made:
    """A finished construction, its release, and what its funnel says."""

    folder: Path
    out: Path
    facts: dict[str, Any]
    wrong: frozenset[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("made") / "made"
    folders.export(pipelines.named("hugagent"), Plan(n=2), path)
    for _ in STAGES:
        assert len(step(path).accepted) == 2
    key = blind.read_key(path)
    assert key is not None
    wrong = frozenset(item.item_id for item in key.items[:WRONG])
    read(path, 1, wrong)
    read(path, 2, frozenset(), off=1)
    out = path.parent / "out"
    done = release.release(folders.opened(path), out)
    return Made(path, out, done.facts, wrong)


def all_rows(out: Path) -> list[dict[str, Any]]:
    return [row for task in ("bsi", "bdu") for row in repository.read(out, task).to_pylist()]


def test_metrics_say_of_readers_what_they_say_of_a_model(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the last round, in which all are right, but off by one where that is near enough."""
    release.keep(folders.opened(made.folder), tmp_path / "kept")
    monkeypatch.setattr(kept, "source", lambda _: tmp_path / "kept")
    tables = {name: repository.read(made.out, name) for name in ("bsi", "bdu")}
    found = references.of_release(manifest.load("hugagent-core"), tables)["blind_readers"]
    scores = found.scores["all"]
    assert scores["bsi_acc"] == scores["bdu_acc"] == 1.0
    assert 0 < scores["bdu_mae"] <= 1
    assert found.interval is not None
    assert found.interval["bsi_acc"] == (1.0, 1.0)


def test_every_item_is_read_and_what_is_read_otherwise_is_dropped(made: Made) -> None:
    count = sum(
        len(topic[task])
        for unit in frames()
        for topic in unit.frame["topics"].values()
        for task in ("bsi", "bdu")
    )
    reading = made.facts["reading"]
    assert reading["items"] == count
    assert reading["dropped"] == WRONG
    assert reading["agreement"] == 1.0
    rows = all_rows(made.out)
    assert len(rows) == count - WRONG
    assert {item.partition(":")[2] for item in made.wrong}.isdisjoint(r["item_id"] for r in rows)
    assert {row["read_right"] for row in rows} == {1.0}


def test_numbers_within_tolerance_count_as_right(made: Made) -> None:
    # The readers of the second round are one off wherever the benchmark allows it.
    assert made.facts["reading"]["after"]["value"] == 1.0
    key = blind.read_key(made.folder)
    assert key is not None
    for item in key.items:
        assert item.gold is not None
        if item.answers == ["A", "B"]:
            assert item.right == []
        else:
            # At most 1 away on a scale of five, at most 2 on one of ten.
            far = 1 if len(item.answers) == 5 else 2
            assert {abs(int(one) - int(item.gold)) for one in item.right} <= set(range(far + 1))


def test_a_sheet_of_readers_has_one_interview_and_all_that_is_asked_about_it(made: Made) -> None:
    key = blind.read_key(made.folder)
    assert key is not None
    groups = key.numbered()
    assert len(groups) == 2 * len(TOPICS)
    for items in groups.values():
        own = blind.Asked(
            "", items, 1, 1, 1, blind.form(("A",)), folders.opened(made.folder).state()
        )
        assert own.task.count("Interview with this person:") == 1
        for number in items:
            assert f"## q{number:02d}\n" in own.task


def test_provenance_says_what_each_reader_answered(made: Made) -> None:
    lines = (made.out / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
    for line in map(json.loads, lines):
        items = {one["item"] for one in line["readings"]}
        own = [item for item in items if line["unit_id"] in item]
        assert len(own) == len(items) > 20
        assert all(one["answer"] for one in line["readings"])


def test_golds_come_from_the_frame_and_prompts_show_the_interview(made: Made) -> None:
    golds = {
        f"{unit.unit_id}-{name}-{task}-{number:02d}": item["answer"]
        for unit in frames()
        for name, topic in unit.frame["topics"].items()
        for task in ("bsi", "bdu")
        for number, item in enumerate(topic[task], start=1)
    }
    rows = all_rows(made.out)
    assert all(golds[row["item_id"]] == row["answer"] for row in rows)
    manager = harness.task_manager({"data_source": str(made.out)})
    names = [
        "hugagent_synthetic_core",
        "hugagent_bsi_synthetic_core",
        "hugagent_bdu_synthetic_core",
    ]
    counts = []
    for task in harness.load_tasks(manager, names).values():
        docs = list(task.eval_docs)
        counts.append(len(docs))
        for doc in docs:
            shown = task.doc_to_text(doc)
            assert all(turn["answer"] in shown for turn in doc["context"])
            assert task.doc_to_target(doc) == doc["answer"]
    assert counts[0] == len(rows) == counts[1] + counts[2]


def test_agents_have_the_minds_and_the_portrait(made: Made) -> None:
    rows = repository.read(made.out, "agents").to_pylist()
    assert len(rows) == 2 * len(TOPICS)
    for row in rows:
        assert json.loads(row["portrait"])["episodes"]
        told = {one["claim_id"] for one in row["claims"]}
        [unit] = [one for one in frames() if one.unit_id == row["participant_id"]]
        assert told == {one["claim_id"] for one in unit.frame["topics"][row["topic"]]["claims"]}


def test_the_card_says_who_wrote(made: Made) -> None:
    card = (made.out / "README.md").read_text(encoding="utf-8")
    assert "Language models wrote the texts: Ada." in card
    assert 'load_dataset("otherminds/hugagent-core", "bsi")' in card


def test_a_refusal_is_asked_again_with_sentence_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("hugagent"), Plan(n=1), path)
    step(path)

    def rating(unit: Unit, stage: str) -> Any:
        reply = author.good(unit, stage)
        reply["exchanges"][0]["answer"] += " I'd give it seven out of ten."
        return reply

    done = step(path, rating)
    assert {one.check for _, said in done.refused for one in said} == {"later"}
    [sheet] = sheets(path)
    assert "“I'd give it seven out of ten.” gives a number of a scale" in sheet["prompt"]
    assert step(path).accepted


LOAD = """
import json, os, sys
from datasets import load_dataset
found = {}
for config in sys.argv[1:]:
    rows = load_dataset("otherminds/hugagent-core", config, split="test")
    found[config] = [len(rows), rows.column_names]
print("FOUND" + json.dumps(found), flush=True)
os._exit(0)
"""


def test_the_name_on_the_card_is_loaded_from_a_hub(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = User("alice", orgs=("otherminds",))
    with MiniHub(users={"hf_alice": user}) as local:
        at_once(monkeypatch, local, home=tmp_path / "home", token="hf_alice")
        publish.publish_repository(made.out, "otherminds/hugagent-core", say=lambda line: None)
        done = subprocess.run(
            [sys.executable, "-c", LOAD, "bsi", "bdu", "agents"],
            env={**os.environ, **local.env("hf_alice", tmp_path / "home")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.split("FOUND")[1])
    for config in ("bsi", "bdu", "agents"):
        rows = repository.read(made.out, config)
        assert found[config] == [rows.num_rows, rows.column_names]


def source(folder: Path, *units: Unit) -> Path:
    folder.mkdir()
    (folder / "units.jsonl").write_text(constructed.lines(units, {}), encoding="utf-8")
    (folder / "construction.json").write_text("{}", encoding="utf-8")
    return folder


def failed(folder: Path) -> set[str]:
    facts = builder.spec({})
    return {
        one.name for one in builder.audit(builder.build(folder, facts), facts) if not one.passed
    }


def test_a_release_that_somebody_edited_is_refused(tmp_path: Path) -> None:
    unit, other = written(0), written(1)
    assert failed(source(tmp_path / "good", unit, other)) == set()
    texts = json.loads(json.dumps(unit.texts))
    texts["zoning"]["exchanges"][4]["carries"][0]["quote"] = "words that nobody said"
    assert failed(source(tmp_path / "edited", replace(unit, texts=texts))) == {"proofs_zoning"}
    line = " A long brass key hangs beside the second window."
    both = []
    for one in (unit, other):
        texts = json.loads(json.dumps(one.texts))
        texts["zoning"]["exchanges"][0]["answer"] += line
        both.append(replace(one, texts=texts))
    assert failed(source(tmp_path / "shared", *both)) == {"own_sentences"}
    frame = json.loads(json.dumps(unit.frame))
    item = frame["topics"]["zoning"]["bsi"][0]
    item["answer"] = {"A": "B", "B": "A"}[item["answer"]]
    assert failed(source(tmp_path / "moved", replace(unit, frame=frame))) == {"golds_derived"}
    bare = replace(unit, texts={"portrait": unit.texts["portrait"]})
    with pytest.raises(SourceError, match="has no healthcare, surveillance, zoning"):
        builder.build(source(tmp_path / "bare", bare), builder.spec({}))
