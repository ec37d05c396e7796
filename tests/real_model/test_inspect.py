"""A real instruct model in Inspect, through its provider for Transformers. Mechanics, never scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds import analysis
from tests.real_model import smollm2

inspect_ai = pytest.importorskip(
    "inspect_ai", reason="needs inspect-ai: pip install 'otherminds[inspect]'"
)

from tests.engine.on_inspect import inspecting  # noqa: E402
from tests.engine.on_inspect.conftest import _small_data, small_shelf  # noqa: E402, F401

pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(not smollm2.installed(), reason=f"No SmolLM2: {smollm2.INSTALL}."),
]

# Earlier stages keep their own decoding, and so small a model writes up to 16,384 tokens: staged
# tasks are asked of scripted models (tests/engine/on_inspect), and of this one through lm-eval.
TASKS = ["debate_both_synthetic_direct", "hugagent_no_context_synthetic"]


@pytest.fixture(scope="module")
def folder(cache: Path) -> Path:
    return smollm2.cached()


@pytest.mark.parametrize("task", TASKS)
def test_it_answers_and_its_log_is_scored(task: str, folder: Path, tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    model = get_model("hf/smollm2", model_path=str(folder), device="cpu", do_sample=False)
    log = inspecting.evaluated(task, model, tmp_path, limit=2, max_tokens=24)
    assert log.status == "success", log.error
    found = analysis.read_runs([inspecting.path_of(log)]).by_task()[task]
    [run] = found
    assert len(run.records) == 2
    assert '"max_gen_toks": 24' in str(run.facts.decoding)
    numbers = inspecting.numbers(log)
    printed = run.facts.printed
    assert {name: repr(numbers[name]) for name in printed} == {
        name: repr(value) for name, value in printed.items()
    }
