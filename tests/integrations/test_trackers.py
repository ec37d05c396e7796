"""`--wandb_args` and `--trackio_args`, without a network: what the trackers then hold of a run."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command

pytestmark = pytest.mark.trackers


_BLOCK = 32_768
_HEAD = 7


def records(data: bytes) -> Iterator[bytes]:
    """The records of a file of W&B's: after its head, a log in LevelDB's format."""
    place, held = _HEAD, b""
    while place + _HEAD <= len(data):
        if (left := _BLOCK - place % _BLOCK) < _HEAD:
            place += left
            continue
        size, kind = struct.unpack("<HB", data[place + 4 : place + _HEAD])
        held += data[place + _HEAD : place + _HEAD + size]
        place += _HEAD + size
        if kind in (1, 4):  # whole, or the last part
            yield held
            held = b""


def in_wandb(folder: Path) -> list[dict[str, Any]]:
    """What W&B has kept of each run in a folder, in their order."""
    from wandb.proto import wandb_internal_pb2

    found = []
    for path in sorted(
        folder.glob("wandb/offline-run-*/run-*.wandb"), key=lambda p: p.stat().st_mtime_ns
    ):
        run: dict[str, Any] = {"summary": {}, "files": set()}
        for data in records(path.read_bytes()):
            record = wandb_internal_pb2.Record()
            record.ParseFromString(data)
            match record.WhichOneof("record_type"):
                case "run":
                    run |= {"group": record.run.run_group, "name": record.run.display_name}
                    run["project"] = record.run.project
                case "history":
                    for one in record.history.item:
                        key = one.key or "/".join(one.nested_key)
                        run["summary"][key] = json.loads(one.value_json)
                case "artifact":
                    run["files"].add(record.artifact.name)
        found.append(run)
    return found


def scores_of(folder: Path, task: str) -> Mapping[str, Any]:
    [path] = [
        path
        for path in folder.rglob("results_*.json")
        if task in json.loads(path.read_text())["results"]
    ]
    found: Mapping[str, Any] = json.loads(path.read_text())["results"][task]
    return found


def test_a_run_in_wandb(shelf: Path, tmp_path: Path, process: Command) -> None:
    words = ("otherminds", "run", "hugagent_bdu_synthetic", "--limit", "4")
    flags = ("--wandb_args", f"mode=offline,project=people,name=mine,dir={tmp_path}")
    done = process(*words, *flags, cwd=tmp_path, env={"OTHERMINDS_DATA": str(shelf)})
    assert "keep its project private" in done.stderr
    [run] = in_wandb(tmp_path)
    assert (run["project"], run["name"], run["group"]) == ("people", "mine", "")
    task = "hugagent_bdu_synthetic"
    scores = scores_of(tmp_path / "otherminds-results", task)
    assert run["summary"][f"{task}/bdu_acc"] == pytest.approx(scores["bdu_acc,none"])
    assert any(key.startswith(f"{task}_eval_results") for key in run["summary"])
    assert {"results", task} <= run["files"]


def test_each_stage_is_a_run_of_one_group(tmp_path: Path, process: Command) -> None:
    words = ("otherminds", "run", "trust_game_individual", "--limit", "2")
    flags = ("--wandb_args", f"mode=offline,dir={tmp_path}", "--trackio_args", "project=stages")
    process(*words, *flags, cwd=tmp_path, env={"TRACKIO_DIR": str(tmp_path / "trackio")})
    runs = in_wandb(tmp_path)
    [manifest] = (tmp_path / "otherminds-results").glob("stages_*.json")
    assert len(runs) > 2
    assert {run["group"] for run in runs} == {manifest.stem}
    assert len({run["name"] for run in runs}) == len(runs)
    # Each has the numbers of its own tasks alone.
    for run in runs:
        tasks = {key.partition("/")[0] for key in run["summary"] if "/n_" in key}
        assert tasks == {*run["name"].split("+")}
    [path] = (tmp_path / "trackio").glob("stages*.db")
    with sqlite3.connect(path) as database:
        names = {name for (name,) in database.execute("SELECT DISTINCT run_name FROM metrics")}
    assert names == {run["name"] for run in runs}


def test_a_run_in_trackio(shelf: Path, tmp_path: Path, process: Command) -> None:
    words = ("otherminds", "run", "hugagent_bsi_synthetic", "--limit", "3")
    flags = ("--trackio_args", "project=people,name=mine")
    folder = tmp_path / "trackio"
    told = {"OTHERMINDS_DATA": str(shelf), "TRACKIO_DIR": str(folder)}
    process(*words, *flags, cwd=tmp_path, env=told)
    with sqlite3.connect(folder / "people.db") as database:
        rows = [json.loads(text) for (text,) in database.execute("SELECT metrics FROM metrics")]
        samples = [key for (key,) in database.execute("SELECT key FROM traces")]
    task = "hugagent_bsi_synthetic"
    scores = scores_of(tmp_path / "otherminds-results", task)
    [numbers] = [row for row in rows if f"{task}/bsi_acc" in row]
    assert numbers[f"{task}/bsi_acc"] == pytest.approx(scores["bsi_acc,none"])
    assert samples == [f"{task}/sample"] * 3


def test_a_tracker_that_fails_stops_nothing(shelf: Path, tmp_path: Path, process: Command) -> None:
    words = ("otherminds", "run", "hugagent_bsi_synthetic", "--limit", "2")
    flags = ("--wandb_args", f"mode=offline,dir={tmp_path},no_such_setting=1")
    done = process(*words, *flags, cwd=tmp_path, env={"OTHERMINDS_DATA": str(shelf)})
    assert "W&B was not told of hugagent_bsi_synthetic" in done.stderr
    assert "no_such_setting" in done.stderr
    assert scores_of(tmp_path / "otherminds-results", "hugagent_bsi_synthetic")
