"""One run in several processes, as launchers start them, on the CPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command
from tests.helpers import tiny_model
from tests.helpers.packed import opened

TASK = "hugagent_synthetic_logprob"


@pytest.mark.slow
def test_two_processes_answer_every_document_once_and_as_one_does(
    cache: Path, command: Command, process: Command, tmp_path: Path
) -> None:
    weights = tiny_model.make(tmp_path / "model", ["why", "so", "because of this"])
    told = (
        *("run", TASK, "--model", "hf", "--model_args", f"pretrained={weights},max_length=16384"),
        *("--device", "cpu", "--batch_size", "1", "--limit", "5", "--output_path"),
    )
    command("otherminds", *told, tmp_path / "one", cwd=tmp_path)
    launched = ("torchrun", "--standalone", "--nproc_per_node", "2", "-m", "otherminds")
    # Threads of two processes would stand in each other's way.
    done = process(*launched, *told, tmp_path / "two", cwd=tmp_path, env={"OMP_NUM_THREADS": "1"})
    assert "Requests asked" in done.stdout
    one, two = (answers(tmp_path / name) for name in ("one", "two"))
    assert [item for item, _ in one] == [item for item, _ in two]
    for (_, alone), (_, together) in zip(one, two, strict=True):
        assert [said for _, said in alone] == [said for _, said in together]
        for (first, _), (second, _) in zip(alone, together, strict=True):
            assert abs(float(first) - float(second)) < 1e-4


def answers(folder: Path) -> list[tuple[str, list[Any]]]:
    """The item and log-likelihoods of each sample, by item, of the only sample file."""
    [path] = folder.rglob("samples_*.jsonl.zst")
    with opened(path) as lines:
        samples = [json.loads(line) for line in lines]
    return sorted((sample["doc"]["item_id"], sample["filtered_resps"]) for sample in samples)
