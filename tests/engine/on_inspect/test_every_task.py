"""Every generation task in Inspect: the prompts of lm-eval, byte for byte, and the way to a score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis, harness, index
from otherminds.construct import pipelines
from otherminds.running import stages
from tests.engine.on_inspect import inspecting
from tests.helpers import small_builds

LIMIT = 3
FILTER = "debate_title_filter"
"""Asks about the titles in a file of others that a dataset is built from, by its name alone."""


def _is_at_hand(name: str) -> bool:
    """Whether there are documents here: some data are others', and some constructions have no units."""
    if name == FILTER:
        return False
    wanted = index.entries()[name].content["dataset_kwargs"]
    if "pipeline" in wanted:
        return wanted.get("stage") not in ("reading", "marking") and bool(
            pipelines.named(wanted["pipeline"]).example()
        )
    return wanted["dataset"] in small_builds.ALL


TASKS = [name for name in inspecting.generating() if _is_at_hand(name)]


def test_all_but_a_few_tasks_are_tried() -> None:
    left = {
        index.entries()[name].content["dataset_kwargs"].get("dataset")
        for name in set(inspecting.generating()) - {*TASKS, FILTER}
    }
    # People's own data, and what authors have yet to write.
    assert left <= {"hugagent", *small_builds.WRITTEN}
    assert len(TASKS) > 150


def test_they_are_registered_under_our_name() -> None:
    from inspect_ai._util.registry import registry_find

    found = registry_find(lambda one: one.type == "task" and one.name.startswith("otherminds/"))
    names = {str(one.__registry_info__.name) for one in found}
    assert names == {f"otherminds/{name}" for name in inspecting.generating()}


def asked_by_lm_eval(task: Any) -> list[list[list[str]]]:
    """The messages of the first documents, as lm-eval gives them to a chat API."""
    arguments = harness.parse_arguments(
        [
            "--model",
            "local-chat-completions",
            "--model_args",
            "model=x,base_url=http://localhost:1",
        ],
        default_model="",
        default_output="",
    )
    model = harness.unloaded(arguments)
    task.build_all_requests(
        limit=LIMIT,
        rank=0,
        world_size=1,
        apply_chat_template=True,
        fewshot_as_multiturn=True,
        chat_template=model.apply_chat_template,
        tokenizer_name="",
    )
    return [
        [[one["role"], one["content"]] for one in json.loads(request.args[0].prompt)]
        for request in task.instances
    ]


@pytest.mark.parametrize("name", TASKS)
def test_prompts_are_those_of_lm_eval(name: str) -> None:
    from otherminds.on_inspect import making

    task = stages.load(harness.task_manager(), name)
    wanted = asked_by_lm_eval(task)
    assert wanted
    for place, chat in enumerate(wanted):
        sample = making.sample_of(task, task.eval_docs[place], place)
        assert not isinstance(sample.input, str)
        assert [[one.role, one.text] for one in sample.input] == chat


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_it_goes_all_the_way(name: str, tmp_path: Path) -> None:
    """Evaluated, and its log replayed: that compares each prompt with lm-eval's, of stages too."""
    staged = bool(stages.before(harness.task_manager(), [name]))
    log = inspecting.evaluated(
        name,
        inspecting.scripted(inspecting.by_prompt),
        tmp_path,
        limit=LIMIT,
        task_args={"stage_limit": LIMIT} if staged else {},
    )
    assert log.status == "success", log.error
    assert inspecting.numbers(log)
    runs = analysis.read_runs([inspecting.path_of(log)])
    [run] = [run for run in runs if run.task == name]
    assert 0 < len(run.records) <= LIMIT
    assert run.facts.chat_template
