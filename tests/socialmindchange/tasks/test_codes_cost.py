"""What the tasks of SocialMindChange's codes cost: shared prefixes, passes, a run of a real model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, manifest, paths
from otherminds.tasks.socialmindchange import codes_stage_page as stage_page
from performance import prefix_tokens as prefix
from tests.conftest import Command
from tests.helpers import fictional_socialmindchange_codes as fictional
from tests.helpers import tiny_model

MARK = "# The question"
STAGE = ("stage_id",)
WINDOW = 32_768


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harness.quiet(debug=False)
    return fictional.write(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def model(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real, tiny model whose window holds a stage."""
    task = load("socialmindchange_codes_lite", source)
    texts = [task.doc_to_text(task.eval_docs[n]) for n in (0, 80)]
    return tiny_model.make(tmp_path_factory.mktemp("model"), texts, max_length=WINDOW, chat=False)


def load(task: str, source: Path) -> Any:
    manager = harness.task_manager({"data_source": str(source)})
    return harness.load_tasks(manager, [task])[task]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["", "_cot", "_logprob", "_truncated", "_with_states"])
def test_prompts_read_within_five_percent_of_the_ideal(
    form: str, source: Path, model: Path
) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    prompts = prefix.of_task(load(f"socialmindchange_codes_lite{form}", source), MARK, STAGE)
    assert len({(one.owner, one.evidence) for one in prompts}) == 2
    measured = prefix.measure(
        prompts, lambda texts: tokenizer(list(texts), add_special_tokens=False)["input_ids"]
    )
    ideal = prefix.ideal(measured)
    assert ideal < 0.5 * prefix.total(measured)
    assert prefix.unique(measured, block=prefix.BLOCK) <= 1.05 * ideal


def test_sixteen_letters_cost_one_forward_pass(source: Path, model: Path) -> None:
    from lm_eval.models.huggingface import HFLM

    task = load("socialmindchange_codes_lite_logprob", source)
    task.build_all_requests(limit=3, rank=0, world_size=1)
    assert len(task.instances) == 3 * 16
    lm = HFLM(pretrained=str(model), device="cpu", batch_size=1, max_length=WINDOW)
    with passes(lm) as seen:
        lm.loglikelihood(task.instances, disable_tqdm=True)
    assert sum(seen) == 3


@contextmanager
def passes(lm: Any) -> Iterator[list[int]]:
    """The rows of each forward pass of the model behind `lm`."""
    seen: list[int] = []

    def before(module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        seen.append((given[0] if given else named["input_ids"]).shape[0])

    hook = lm.model.register_forward_pre_hook(before, with_kwargs=True)
    try:
        yield seen
    finally:
        hook.remove()


@pytest.mark.slow
def test_a_real_model_answers_through_plain_lm_eval(
    source: Path, model: Path, tmp_path: Path, command: Command
) -> None:
    tasks = "socialmindchange_codes_lite,socialmindchange_codes_lite_truncated"
    done = command(
        *("lm_eval", "run", "--include_path", paths.tasks(), "--tasks", tasks),
        *("--model", "hf", "--model_args", f"pretrained={model},max_length={WINDOW}"),
        *("--device", "cpu", "--gen_kwargs", "max_gen_toks=4", "--limit", "3"),
        *("--metadata", json.dumps({"data_source": str(source)})),
        cwd=tmp_path,
    )
    cells = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()]
    counted = [line for line in cells if "n_items" in line]
    assert [float(line[line.index("n_items") + 2]) for line in counted] == [3.0, 3.0]


def test_the_stage_in_the_docs_is_the_releases_first() -> None:
    page = paths.cards().parent / "docs" / stage_page.NAME
    assert page.read_text(encoding="utf-8") == stage_page.page(
        manifest.load("socialmindchange-codes")
    )
