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

FORMS = Forms(
    {
        task: floor if forms is not WORDS else 0.0
        for forms in (WORDS, LIKELIHOODS, LONG_PROMPTS, REASONING)
        for task, floor in forms.floors.items()
    }
    # Of three replies, nothing lower can be told from chance; the rest is what hf's stage checks.
    | {"debate_both_synthetic_direct": 0.6},
    limit=3,
    tokens=24,
)


def test_every_form_of_task(cache: Path, command: Command, tmp_path: Path) -> None:
    command(
        *("otherminds", "run", *FORMS.flags("out"), "--model", "vllm"),
        *("--model_args", f"pretrained={smollm2.cached()},{ENGINE}"),
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    FORMS.check(tmp_path / "out")
    letters = samples(tmp_path / "out", "debate_blind_synthetic_logprob")
    assert [len(sample["resps"]) for sample in letters] == [2, 2, 2]
