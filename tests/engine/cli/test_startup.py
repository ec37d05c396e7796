"""Commands import what they use: told by the modules that are loaded, not by time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from performance.imports import HEAVY, NEEDED, loaded_by, unneeded
from performance.startup import environment
from tests.engine.analysis.conftest import SUBSET, evaluated

_FIRST_REQUEST = """
import json, os, sys
from lm_eval.models.dummy import DummyLM
def first(self, requests, disable_tqdm=False):
    print(json.dumps(sorted(sys.modules)), flush=True)
    os._exit(0)
DummyLM.generate_until = first
from otherminds.cli.main import main
sys.argv = ["otherminds", *sys.argv[1:]]
main()
"""


def test_a_command_imports_nothing_heavy_that_it_has_no_use_for() -> None:
    # The last one comes after commands that do load heavy packages: none is another's doing.
    found = loaded_by([*NEEDED, "run --help", "show --help"])
    assert {command: heavy for command, heavy in unneeded(found).items() if heavy} == {}
    assert "lm_eval" in found["run --help"]
    assert not found["show --help"] & {*HEAVY}


@pytest.mark.slow
def test_samples_are_scored_and_compared_without_what_asks_for_them(
    cache: Path, tmp_path: Path
) -> None:
    for seed in (1, 2):
        out = tmp_path / str(seed)
        evaluated(out, "--model", "random", "--model_args", f"seed={seed}", *SUBSET)
    score, compare = loaded_by([f"score {tmp_path} --no-check", f"compare {tmp_path}"]).values()
    # pyarrow comes with the ablations, whose parameters two runs may differ in.
    assert score & {*HEAVY} == {"numpy", "pyarrow", "scipy"}
    assert compare & {*HEAVY} == {"numpy", "pyarrow", "scipy", "scipy.stats"}


def test_a_run_asks_its_first_request_before_anything_loads_a_model_library(
    cache: Path, tmp_path: Path
) -> None:
    words = ("run", "hugagent_bdu_synthetic", "--model", "dummy", "--limit", "1")
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_REQUEST, *words],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found = set(json.loads(done.stdout.splitlines()[-1]))
    assert not found & {"accelerate", "altair", "scipy.stats", "sklearn", "torch", "transformers"}
