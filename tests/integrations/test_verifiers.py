"""The environment for verifiers, installed: its items, and how replies are rewarded."""

from __future__ import annotations

import asyncio
import importlib.metadata
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.rewards import training

pytestmark = pytest.mark.verifiers

TASKS = {
    "hugagent_bsi_synthetic": 2,
    "debate_both_synthetic_direct": 2,
    "socialmindchange_scale_lite": 1,
}


def taskset(**settings: Any) -> Any:
    """As `vf-eval otherminds-training` loads it."""
    from verifiers.v1.utils import loaders

    config = loaders.taskset_config_type("otherminds-training")
    return loaders.load_taskset(config(id="otherminds-training", **settings))


def scored(task: Any, reply: str) -> Any:
    import verifiers.v1 as vf

    agent = vf.AgentInfo[Any](config=None)
    told = vf.TraceTask(type=type(task).__name__, data=task.data)
    trace = vf.Trace(task=told, agent=agent, root_reply=reply)
    asyncio.run(task.score(trace))
    return trace


def test_it_is_installed_as_a_package_of_its_own() -> None:
    assert importlib.metadata.version("otherminds-training")
    needed = importlib.metadata.requires("otherminds-training") or []
    assert any(one.startswith("verifiers") for one in needed)


@pytest.mark.parametrize("name", TASKS)
def test_items_are_those_of_the_training_set_and_golds_are_rewarded(name: str) -> None:
    tasks = list(taskset(task_name=name, people=TASKS[name], number=1, limit=3))
    rows = training.prompts(name, size=TASKS[name], number=1, limit=3)
    assert [one.data.id for one in tasks] == rows["item_id"][:]
    assert {one.data.canary for one in tasks} == {training.canary(tasks[0].data.dataset)}
    for task, row in zip(tasks, rows, strict=True):
        system, user = row["prompt"]
        assert (task.data.system_prompt, task.data.prompt) == (system["content"], user["content"])
        gold = str(row.get("answer") or row["agrees"])
        right = scored(task, gold)
        assert right.reward == 1
        assert right.metrics["readable"] == 1
        for nothing in ("", "I cannot say.", "<think>" + gold):
            assert scored(task, nothing).reward == 0


def test_what_is_not_there_is_one_clear_error() -> None:
    with pytest.raises(OtherMindsError, match="no training sets are made"):
        list(taskset(task_name="synchtom_made"))
