"""Runs that several tests look at, made once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from filelock import FileLock

from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from tests.engine.analysis.made import BOTH, BSI_LOGPROB

Stored = Callable[[str, str], Finished]

SUBSET = ("--metadata", '{"data_subset": 50}')

# By the name under which a run is read: the model and its arguments.
MODELS = {
    "random": ("--model", "random"),
    "random (seed=2)": ("--model", "random", "--model_args", "seed=2"),
    "oracle": ("--model", "oracle"),
    "corrupted-oracle": ("--model", "corrupted-oracle"),
}


def evaluated(out: Path, *flags: str, task: str = BOTH) -> Finished:
    """A finished run in this process."""
    found = run([task], [*flags, "--output_path", str(out)], Options())
    assert found is not None
    return found


@pytest.fixture
def little(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of twelve people, for samples that are made by hand and are in no data at all.

    Not for a whole module, because its other tests may look at the runs on the release.
    """
    monkeypatch.setenv("OTHERMINDS_DATA", str(shelf))
    return shelf


@pytest.fixture(scope="session")
def stored(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """A model's run on a task, on 50 people; all processes of this session share it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base

    def get(name: str, task: str) -> Finished:
        out = shared / "stored" / task / name
        out.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{out}.lock"):
            if not out.exists():
                evaluated(out, *MODELS[name], *SUBSET, task=task)
        [results], [samples] = out.rglob("results_*.json"), out.rglob("samples_*.jsonl.zst")
        return Finished(json.loads(results.read_text(encoding="utf-8")), results, {task: samples})

    return get


@pytest.fixture(scope="session")
def models(stored: Stored) -> Mapping[str, Finished]:
    """Four weightless models, by name."""
    return {name: stored(name, BOTH) for name in MODELS}


@pytest.fixture(scope="session")
def choosers(stored: Stored) -> Mapping[str, Finished]:
    """Three weightless models on the letter questions, by log-probabilities."""
    names = ("random", "random (seed=2)", "corrupted-oracle")
    return {name: stored(name, BSI_LOGPROB) for name in names}
