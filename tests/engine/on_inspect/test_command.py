"""Inspect's own command line, from outside of the checkout: our tasks are found, our errors printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect-ai: pip install 'otherminds[inspect]'")

pytestmark = pytest.mark.slow

TASK = "otherminds/hugagent_bsi_synthetic"
SCRIPT = """
import sys
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model

output = ModelOutput.from_content("mockllm/model", "ANSWER: A")
output.usage = ModelUsage()
model = get_model("mockllm/model", custom_outputs=lambda *_: output)
[log] = evaluate(sys.argv[1], model=model, limit=4, display="none")
print(log.status, log.eval.task, log.eval.dataset.samples, log.location)
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    scripts = Path(sys.executable).parent
    return subprocess.run(
        [scripts / words[0], *words[1:]],
        cwd=folder,
        env={**os.environ, "COLUMNS": "400", "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_task_is_found_by_its_entry_point(tmp_path: Path) -> None:
    done = run(tmp_path, "python", "-c", SCRIPT, TASK)
    assert done.returncode == 0, done.stderr
    status, task, samples, location = done.stdout.split()
    assert (status, task) == ("success", TASK)
    assert int(samples) >= 4
    scored = run(tmp_path, "otherminds", "score", location.removeprefix("file://"), "--json")
    assert scored.returncode == 0, scored.stderr
    assert '"bsi_acc"' in scored.stdout


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("data_subst=3", "Unknown --metadata key 'data_subst'. Did you mean 'data_subset'?"),
        ("data_subset=7", "has no subset of 7; data_subset can be"),
        ("context_k=3", "does not use the key 'context_k'"),
    ],
)
def test_a_wrong_parameter_is_one_clear_error(given: str, words: str, tmp_path: Path) -> None:
    done = run(tmp_path, "inspect", "eval", TASK, "--model", "mockllm/model", "-T", given)
    assert done.returncode != 0
    said = " ".join(f"{done.stdout} {done.stderr}".split())
    assert words in said
    assert "Traceback" not in said
