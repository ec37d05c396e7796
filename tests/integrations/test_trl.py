"""A step of GRPO with TRL on training sets, with the rewards of each generator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds import rewards
from otherminds.rewards import training
from tests.helpers import tiny_model
from tests.helpers.grpo import stepped

pytestmark = pytest.mark.trl

TASKS = {
    # Task, how many people or stages, and a token that is an answer.
    "hugagent": ("hugagent_bsi_synthetic", 2, "A"),
    "debate": ("debate_both_synthetic_direct", 2, "True"),
    "socialmindchange": ("socialmindchange_scale_lite", 1, "b"),
}


@pytest.mark.parametrize("name", TASKS)
def test_a_step_of_grpo(name: str, tmp_path: Path) -> None:
    task, size, says = TASKS[name]
    module: Any = getattr(rewards, name)
    data = training.prompts(task, size=size, limit=2)
    # A model that says one token always: its rewards can be told beforehand.
    texts = [str(one["content"]) for row in data["prompt"] for one in row]
    model = tiny_model.make(tmp_path / "model", [*texts, says, "True False"], says=says)
    told = data.remove_columns("prompt").to_dict()
    expected = module.answer_reward(["?"] * 2, [says] * 2, **told)
    functions = [module.answer_reward, module.readable_reward]
    trainer = stepped(model, functions, data, tmp_path, batch=4)
    logged = trainer.state.log_history[0]
    assert logged[f"rewards/{name}_readable_reward/mean"] == 1
    assert logged[f"rewards/{name}_answer_reward/mean"] == pytest.approx(sum(expected) / 2)
    assert trainer.state.global_step == 1


def test_a_mixture_of_benchmarks_rewards_each_row_by_its_own(tmp_path: Path) -> None:
    import datasets

    parts = [training.prompts(task, size=1, limit=2) for task, _, _ in TASKS.values()]
    # `answer` and `options` of one are not those of another: rows tell by their dataset.
    rows = [row for part in parts for row in part.to_list()]
    # `from_list` takes the columns of the first row, and those alone.
    columns = dict.fromkeys(name for row in rows for name in row)
    data = datasets.Dataset.from_list([columns | row for row in rows])
    texts = [str(one["content"]) for row in data["prompt"] for one in row]
    model = tiny_model.make(tmp_path / "model", [*texts, "A"], says="A")
    functions = [getattr(rewards, name).readable_reward for name in TASKS]
    logged = stepped(model, functions, data, tmp_path, batch=12).state.log_history[0]
    # A letter is no stance in a debate; each mean is over its own rows.
    found = {name: logged[f"rewards/{name}_readable_reward/mean"] for name in TASKS}
    assert found == {"hugagent": 1, "debate": 0, "socialmindchange": 1}
