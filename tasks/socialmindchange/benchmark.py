"""SocialMindChange: characters' states of mind, and how scenes change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from otherminds.benchmark import Benchmark, Breakdown, Command

STUDIED: Final = "socialmindchange-scale"
"""The dataset that a study with people draws from where nobody names one."""

BENCHMARK = Benchmark(
    name="socialmindchange",
    datasets=("socialmindchange-scale", "socialmindchange-core", "socialmindchange-codes"),
    about="Which words move a person's state of mind, in a group, over five scenes?",
    headline=(
        "socialmindchange",
        "socialmindchange_scale_lite",
        "socialmindchange_scale",
        "socialmindchange_scale_variants",
        "socialmindchange_codes_lite",
    ),
    asks="otherminds.tasks.socialmindchange.asks:line",
    person="stage_id",
    called="stages",
    items=("questions", "questions_variants"),
    together=("stage_id",),
    questions="otherminds.tasks.socialmindchange.questions:QUESTIONS",
    models={
        "scene-copier": "otherminds.tasks.socialmindchange.codes_weightless:SceneCopier",
        "scene-rewriter": "otherminds.tasks.socialmindchange.codes_weightless:SceneRewriter",
        "scene-dropper": "otherminds.tasks.socialmindchange.codes_weightless:SceneDropper",
        "state-adder": "otherminds.tasks.socialmindchange.codes_weightless:StateAdder",
    },
    tables="otherminds.tasks.socialmindchange.tables:TABLES",
    shown="otherminds.tasks.socialmindchange.tables:shown",
    ranges="otherminds.metrics.socialmindchange.ranges:RANGES",
    layout="otherminds.tasks.socialmindchange.tables:LAYOUT",
    remarks="otherminds.tasks.socialmindchange.benchmark:remarks",
    references="otherminds.tasks.socialmindchange.references:of_release",
    breakdowns={
        "by_order": Breakdown("By order of belief, ± SE"),
        "by_steps": Breakdown("By number of conclusions, ± SE"),
        "by_group_size": Breakdown("By number of people, ± SE"),
        "by_length": Breakdown("By number of scenes, ± SE"),
    },
    students="otherminds.tasks.socialmindchange.students:VIEWS",
    pages="otherminds.tasks.socialmindchange.stage_pages:PAGES",
    rewards="otherminds.tasks.socialmindchange.rewards",
    pipelines={"socialmindchange": "otherminds.tasks.socialmindchange.construction:PIPELINE"},
    commands={"annotate": Command("otherminds.tasks.socialmindchange.commands:app")},
    helps={
        "season open --questions-per-stage": (
            "Of SocialMindChange, how many of each stage are asked; 4 by default."
        )
    },
)


def remarks(task: str, config: Mapping[str, Any], scores: Mapping[str, Any]) -> Iterator[str]:
    """How many of the scenes that were shown a model had rendered before."""
    counts = scores.get("counts", {})
    if "n_rendered" in counts:
        yield (
            f"{task}: a model told {counts['n_rendered']:,.0f} of {counts['n_scenes']:,.0f} scenes "
            "anew; the others are as they were."
        )
