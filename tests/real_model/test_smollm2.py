"""A real instruct model on every form of task, through hf and servers. Mechanics, never scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.helpers.openai_server import TinyModel, serving
from tests.real_model import smollm2
from tests.real_model.forms import (
    JUDGED,
    LIKELIHOODS,
    LONG_PROMPTS,
    REASONING,
    STAGED,
    WORDS,
    Forms,
    samples,
    scores,
)
from tests.synchtom.tasks.test_synchtom import built

pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(not smollm2.installed(), reason=f"No SmolLM2: {smollm2.INSTALL}."),
]

QUESTION = [{"role": "user", "content": "What is the capital of France?"}]


@pytest.fixture(scope="module")
def folder(cache: Path) -> Path:
    return smollm2.cached()


@pytest.fixture(scope="module")
def model(folder: Path) -> TinyModel:
    return TinyModel(folder)


@pytest.fixture
def ask(folder: Path, command: Command, tmp_path: Path) -> Callable[..., Path]:
    """Run tasks through hf, as a user does; the folder that results were written to."""

    def call(forms: Forms, *flags: str) -> Path:
        command(
            *("otherminds", "run", *forms.flags("out"), "--model", "hf", "--device", "cpu"),
            *("--model_args", f"pretrained={folder}", *flags),
            cwd=tmp_path,
        )
        return tmp_path / "out"

    return call


def test_a_plain_question_gets_a_sensible_sentence(model: TinyModel) -> None:
    # Four bits a weight, unpacked in the wrong order, would still give words.
    said = model.generate(QUESTION, {"max_tokens": 24})
    assert "Paris" in said
    assert said.strip().endswith(".")


def test_the_chat_template_is_the_models_own(model: TinyModel) -> None:
    text = model._tokenizer.apply_chat_template(
        QUESTION, tokenize=False, add_generation_prompt=True
    )
    asked = QUESTION[0]["content"]
    assert text.endswith(f"<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n")


@pytest.mark.parametrize(
    "forms",
    [
        pytest.param(WORDS, id="words, letters and numbers"),
        pytest.param(LIKELIHOODS, id="log-probabilities"),
        pytest.param(LONG_PROMPTS, id="long prompts"),
        pytest.param(REASONING, id="reasoning"),
        pytest.param(STAGED, id="stages"),
    ],
)
def test_every_form_of_task(ask: Callable[..., Path], forms: Forms) -> None:
    forms.check(ask(forms))


def test_judgements(ask: Callable[..., Path], tmp_path: Path) -> None:
    source = built(tmp_path / "synchtom")
    JUDGED.check(ask(JUDGED, "--metadata", json.dumps({"data_source": str(source)})))


SERVED = "debate_both_synthetic_direct"


def test_a_server_gives_the_answers_of_hf(
    ask: Callable[..., Path], model: TinyModel, command: Command, tmp_path: Path
) -> None:
    forms = Forms({SERVED: 0.7}, limit=4, tokens=16)
    here = samples(ask(forms), SERVED)
    with serving(model) as server:
        command(
            *("otherminds", "run", *forms.flags("served"), "--model", "local-chat-completions"),
            *("--model_args", f"model=smollm2,base_url={server.address}/chat/completions"),
            cwd=tmp_path,
        )
    there = samples(tmp_path / "served", SERVED)
    assert [one["resps"] for one in there] == [one["resps"] for one in here]
    assert len(server.record.answered) == len(there) == 4


def test_every_form_of_answer_through_a_server(
    model: TinyModel, command: Command, tmp_path: Path
) -> None:
    generated = [*WORDS.floors, *LONG_PROMPTS.floors, *REASONING.floors]
    forms = Forms(
        {task: 0.0 for task in generated if not task.endswith("_logprob")}, limit=1, tokens=16
    )
    with serving(model) as server:
        command(
            *("otherminds", "run", *forms.flags("out"), "--model", "local-chat-completions"),
            *("--model_args", f"model=smollm2,base_url={server.address}/chat/completions"),
            cwd=tmp_path,
        )
    forms.check(tmp_path / "out")
    assert {exchange.status for exchange in server.record.exchanges} == {200}


def test_log_probabilities_through_a_server_are_those_of_hf(
    folder: Path, ask: Callable[..., Path], model: TinyModel, command: Command, tmp_path: Path
) -> None:
    task = "debate_blind_synthetic_logprob"
    forms = Forms({task: 1.0}, limit=2, tokens=16)
    here = samples(ask(forms), task)
    with serving(model) as server:
        command(
            *("otherminds", "run", *forms.flags("served"), "--model", "local-completions"),
            "--model_args",
            f"model=smollm2,tokenizer={folder},base_url={server.address}/completions,max_length=8192",
            cwd=tmp_path,
        )
    there = samples(tmp_path / "served", task)
    assert (
        scores(tmp_path / "served")[task]["acc,none"] == scores(tmp_path / "out")[task]["acc,none"]
    )
    for one, other in zip(here, there, strict=True):
        # The same numbers, added up in batches of another shape.
        assert _values(other) == pytest.approx(_values(one), abs=1e-3)


def _values(sample: dict[str, list[object]]) -> list[float]:
    return [float(str(value)) for value, _ in (answer for [answer] in sample["resps"])]  # type: ignore[misc]
