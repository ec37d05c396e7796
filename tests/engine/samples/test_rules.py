"""How a task scores is read without lm-eval, and is what lm-eval reads."""

from __future__ import annotations

from otherminds import harness, index
from otherminds.samples import read
from otherminds.scoring.scorer import scorer_of


def test_the_rules_of_every_task_are_those_that_lm_eval_loads() -> None:
    tasks = [name for name, entry in index.entries().items() if entry.kind == "task"]
    assert len(tasks) > 50
    for name in tasks:
        config = harness.task_config(name)
        assert config is not None
        found = read.rules_of(name)
        assert found is not None
        assert found.scorer is scorer_of(config), name
        assert found.takes_options is (config["output_type"] == "multiple_choice")
        assert found.version == str(config["metadata"]["version"])
        assert found.dataset == config["dataset_kwargs"]["dataset"]
        assert [one for one in config["metric_list"] if one["metric"] in found.metrics]


def test_groups_tags_and_strangers_have_no_rules() -> None:
    entries = index.entries()
    for kind in ("group", "tag"):
        name = next(name for name, entry in entries.items() if entry.kind == kind)
        assert read.rules_of(name) is None
    assert read.rules_of("a_task_of_others") is None
