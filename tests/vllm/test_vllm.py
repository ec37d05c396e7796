"""vLLM for real, on the CPU: the plain lm_eval command and `otherminds run`."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from otherminds.data import loading as data
from otherminds.data.cache import cached
from tests.conftest import Command
from tests.helpers.packed import opened
from tests.helpers.tiny_model import CHAT_TEMPLATE as TEMPLATE
from tests.helpers.tiny_model import make as make_model

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(
        importlib.util.find_spec("vllm") is None,
        reason="vLLM is not installed; tests/vllm/setup.sh makes an environment with it.",
    ),
]

ENGINE = "dtype=float32,enforce_eager=True,gpu_memory_utilization=0.2,max_model_len=8192"
LINES = TEMPLATE.replace("<|assistant|>", "<|assistant|>\n")
ENVIRONMENT = {"VLLM_CPU_KVCACHE_SPACE": "1"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that answers 5 to everything, with a chat template."""
    cached("hugagent-synthetic")
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bdu"], data_subset=50)["test"]
    texts = [turn["answer"] for row in rows.select(range(100)) for turn in row["context"]]
    return make_model(
        tmp_path_factory.mktemp("model"), [*texts, "1 2 3 4 5"], says="5", template=LINES
    )


def test_lm_eval_with_vllm_generates_answers_that_are_parsed(
    model: Path, command: Command, tmp_path: Path
) -> None:
    folder = command("otherminds", "tasks-path", cwd=tmp_path).stdout.strip()
    done = command(
        *("lm_eval", "--include_path", folder, "--tasks", "hugagent_bdu_synthetic"),
        *("--model", "vllm", "--model_args", f"pretrained={model},{ENGINE}"),
        *("--limit", "12", "--apply_chat_template", "--log_samples", "--output_path", "out"),
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    line = next(line for line in done.stdout.splitlines() if "parse_rate" in line)
    assert float(line.split("|")[7]) == 1.0
    [path] = tmp_path.rglob("samples_*.jsonl")
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(samples) == 12
    assert {sample["resps"][0][0] for sample in samples} == {"5"}
    assert samples[0]["arguments"]["gen_args_0"]["arg_0"].endswith("<|assistant|>\n")


def test_otherminds_run_with_vllm_journals_both_forms(
    model: Path, command: Command, tmp_path: Path
) -> None:
    words = (
        *("otherminds", "run", "hugagent_bdu_synthetic", "hugagent_bsi_synthetic_logprob"),
        *("--model", "vllm", "--model_args", f"pretrained={model},{ENGINE}", "--limit", "8"),
    )
    done = command(*words, cwd=tmp_path, env=ENVIRONMENT)
    assert "Chat template applied" in done.stdout
    # Eight prompts with one answer each, eight with two options each.
    assert "Requests asked: 24; taken from the journal: 0." in done.stdout
    [path] = tmp_path.rglob("results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))
    # One step for each of eight items, after a template that ends in a line break.
    counts = {"prompts_in_one_step": 8, "requests_apart": 0}
    assert results["otherminds"]["options"] == counts
    scores = results["results"]
    assert {one["parse_rate,none"] for one in scores.values()} == {1.0}
    assert len(scores) == 2
    [path] = tmp_path.rglob("samples_hugagent_bsi_synthetic_logprob_*.zst")
    with opened(path) as lines:
        sample = json.loads(next(lines))
    assert len(sample["resps"]) == 2
