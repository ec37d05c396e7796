"""SmolLM2 through vLLM: the folder that was converted loads, and its replies are read."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.helpers.packed import opened
from tests.real_model import smollm2
from tests.vllm.test_vllm import ENGINE, ENVIRONMENT

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="vLLM is not installed."),
    pytest.mark.skipif(not smollm2.installed(), reason=f"No SmolLM2: {smollm2.INSTALL}."),
]

TASK, LETTERS = "debate_both_synthetic_direct", "debate_blind_synthetic_logprob"


def test_replies_are_read_and_letters_are_scored(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    command(
        *("otherminds", "run", TASK, LETTERS, "--model", "vllm", "--limit", "4"),
        *("--model_args", f"pretrained={smollm2.cached()},{ENGINE}"),
        *("--gen_kwargs", "max_gen_toks=24,temperature=0", "--output_path", "out"),
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    [path] = tmp_path.rglob("results_*.json")
    scores = json.loads(path.read_text(encoding="utf-8"))["results"]
    # Through hf all of 24 were read: "I would agree with the proposition."
    assert scores[TASK]["parse_rate,none"] >= 0.7
    [path] = tmp_path.rglob(f"samples_{LETTERS}_*.zst")
    with opened(path) as lines:
        samples = [json.loads(line) for line in lines]
    assert len(samples) == 4
    assert all(len(sample["resps"]) == 2 for sample in samples)
