"""SocialMindChange: characters' states of mind, and how scenes change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from otherminds.benchmark import Benchmark, Command

BENCHMARK = Benchmark(
    name="socialmindchange",
    datasets=("socialmindchange",),
    about="Which words move a person's state of mind, in a group, over five scenes?",
    headline=(
        "socialmindchange_lite",
        "socialmindchange",
        "socialmindchange_lite_logprob",
        "socialmindchange_ablations",
        "socialmindchange_variants",
    ),
    asks="otherminds.tasks.socialmindchange.asks:line",
    person="stage_id",
    called="stages",
    items=("questions", "questions_variants"),
    together=("stage_id",),
    questions="otherminds.tasks.socialmindchange.questions:QUESTIONS",
    models={
        "scene-copier": "otherminds.tasks.socialmindchange.weightless:SceneCopier",
        "scene-rewriter": "otherminds.tasks.socialmindchange.weightless:SceneRewriter",
        "scene-dropper": "otherminds.tasks.socialmindchange.weightless:SceneDropper",
        "state-adder": "otherminds.tasks.socialmindchange.weightless:StateAdder",
    },
    tables="otherminds.tasks.socialmindchange.tables:TABLES",
    shown="otherminds.tasks.socialmindchange.tables:shown",
    ranges="otherminds.metrics.socialmindchange.ranges:RANGES",
    layout="otherminds.tasks.socialmindchange.tables:LAYOUT",
    remarks="otherminds.tasks.socialmindchange.benchmark:remarks",
    references="otherminds.tasks.socialmindchange.references:of_release",
    students="otherminds.tasks.socialmindchange.students:VIEWS",
    pages="otherminds.tasks.socialmindchange.stage_page:PAGES",
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
