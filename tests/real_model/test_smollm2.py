"""A real instruct model on every form of task: through hf and through a server. Mechanics, never scores.

Floors are somewhat below what was measured on 20 or 24 items, greedy, on a CPU. They say that a
conversion, chat template or parser broke, nothing of how good a model is. Where a floor is None, next to
nothing was read of what it says, or nothing was measured yet; the form has to run all the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command
from tests.helpers.openai_server import TinyModel, serving
from tests.helpers.packed import opened
from tests.real_model import smollm2
from tests.synchtom.tasks.test_synchtom import built

pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(not smollm2.installed(), reason=f"No SmolLM2: {smollm2.INSTALL}."),
]

Floors = Mapping[str, float | None]

SHORT: Floors = {
    "debate_both_synthetic_direct": 0.8,  # measured: 1.0
    "debate_blind_synthetic_direct": 0.3,  # measured: 0.55
    "debate_blind_synthetic_logprob": None,
    "hugagent_no_context_synthetic": 0.2,  # measured: 0.37 and 0.51
    "hugagent_bsi_synthetic_logprob": None,
    "socialmindchange_lite": None,
    "socialmindchange_lite_logprob": None,
    "trust_game_population": None,  # measured: 0
}
"""Words, letters, numbers, JSON and log-probabilities, by task: the least parse rate."""

LONG: Floors = {
    "debate_blind_synthetic": None,  # measured at temperature 0.8: 3 of 24
    "hugagent_cot_synthetic": None,
    "socialmindchange_lite_cot": None,
}
"""Reasoning first."""

STAGED: Floors = {
    "hugagent_reflections_synthetic": None,
    "socialmindchange_rendered": None,
    "trust_game_individual": None,
    "synchtom_vanilla_judge": None,
}
"""Made from the model's own earlier answers, or judged by it."""

SERVED = "debate_blind_synthetic_direct"

Samples = list[dict[str, Any]]


@pytest.fixture(scope="module")
def folder(cache: Path) -> Path:
    return smollm2.cached()


@pytest.fixture(scope="module")
def model(folder: Path) -> TinyModel:
    return TinyModel(folder)


@pytest.fixture
def ask(folder: Path, command: Command, tmp_path: Path) -> Callable[..., Path]:
    """Run tasks through hf, as a user does; the folder that results were written to."""

    def call(tasks: Floors, *flags: str, limit: int, tokens: int) -> Path:
        command(
            *("otherminds", "run", *tasks, "--model", "hf", "--device", "cpu"),
            *("--model_args", f"pretrained={folder}", "--limit", str(limit)),
            *("--gen_kwargs", f"max_gen_toks={tokens},temperature=0,do_sample=False"),
            *("--output_path", "out", *flags),
            cwd=tmp_path,
        )
        return tmp_path / "out"

    return call


def scores(out: Path) -> dict[str, dict[str, Any]]:
    """What the results files have for each task."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(out.rglob("results_*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))["results"]
    return found


def samples(out: Path, task: str) -> Samples:
    [path] = out.rglob(f"samples_{task}_2*.zst")
    with opened(path) as lines:
        return [json.loads(line) for line in lines]


def parse_rates(numbers: Mapping[str, Any]) -> dict[str, float]:
    return {
        name.removesuffix(",none"): value
        for name, value in numbers.items()
        if name.startswith("parse_rate") and "stderr" not in name and isinstance(value, float)
    }


def check(out: Path, floors: Floors) -> None:
    """Every task has its rate, at or above its floor; replies are texts, and not all the same."""
    found = scores(out)
    low = {}
    for task, floor in floors.items():
        rates = parse_rates(found[task])
        assert rates, task
        if floor is not None and min(rates.values()) < floor:
            low[task] = (rates, [sample["resps"] for sample in samples(out, task)])
    assert not low


def test_a_plain_question_gets_a_sensible_sentence(model: TinyModel) -> None:
    # Four bits a weight, unpacked in the wrong order, would still give words.
    question = [{"role": "user", "content": "What is the capital of France?"}]
    assert "Paris" in model.generate(question, {"max_tokens": 24})


def test_the_chat_template_is_the_models_own(model: TinyModel) -> None:
    text = model._tokenizer.apply_chat_template(
        [{"role": "user", "content": "Hello"}], tokenize=False, add_generation_prompt=True
    )
    assert text.endswith("<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n")


def test_words_letters_numbers_and_log_probabilities(ask: Callable[..., Path]) -> None:
    check(ask(SHORT, limit=6, tokens=32), SHORT)


def test_reasoning_before_the_answer(ask: Callable[..., Path]) -> None:
    check(ask(LONG, limit=3, tokens=160), LONG)


def test_stages_and_judges(ask: Callable[..., Path], tmp_path: Path) -> None:
    source = built(tmp_path / "synchtom")
    out = ask(STAGED, "--metadata", json.dumps({"data_source": str(source)}), limit=2, tokens=32)
    check(out, {task: None for task in STAGED if task in scores(out)})


def test_a_server_gives_the_answers_of_hf(
    ask: Callable[..., Path], model: TinyModel, command: Command, tmp_path: Path
) -> None:
    here = samples(ask({SERVED: None}, limit=6, tokens=24), SERVED)
    with serving(model) as server:
        command(
            *("otherminds", "run", SERVED, "--model", "local-chat-completions", "--limit", "6"),
            *("--model_args", f"model=smollm2,base_url={server.address}/chat/completions"),
            *("--gen_kwargs", "max_gen_toks=24,temperature=0", "--output_path", "served"),
            cwd=tmp_path,
        )
    there = samples(tmp_path / "served", SERVED)
    assert [one["resps"] for one in there] == [one["resps"] for one in here]
    assert len(server.record.answered) == len(there) == 6
