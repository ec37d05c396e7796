"""SmolLM2 through vLLM: the folder that was converted loads, and its replies are read."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.real_model import smollm2
from tests.real_model.forms import LIKELIHOODS, LONG_PROMPTS, REASONING, WORDS, Forms, samples
from tests.vllm.test_vllm import ENGINE, ENVIRONMENT

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="vLLM is not installed."),
    pytest.mark.skipif(not smollm2.installed(), reason=f"No SmolLM2: {smollm2.INSTALL}."),
]

# Of two replies, a floor tells nothing: what can be told by it, hf's stage checks.
FLOORS = {
    task: float(task.endswith("_logprob") or task == "debate_both_synthetic_direct") / 2
    for forms in (WORDS, LIKELIHOODS, LONG_PROMPTS, REASONING)
    for task in forms.floors
}
FORMS = Forms(FLOORS, limit=2, tokens=24)


def test_every_form_of_task(cache: Path, command: Command, tmp_path: Path) -> None:
    command(
        *("otherminds", "run", *FORMS.flags("out"), "--model", "vllm"),
        *("--model_args", f"pretrained={smollm2.cached()},{ENGINE}"),
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    FORMS.check(tmp_path / "out")
    letters = samples(tmp_path / "out", "debate_blind_synthetic_logprob")
    assert [len(sample["resps"]) for sample in letters] == [2, 2]
