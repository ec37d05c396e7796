"""SocialMindChange: characters' states of mind, and how scenes change them."""

from __future__ import annotations

from otherminds.benchmark import Benchmark, Command

BENCHMARK = Benchmark(
    name="socialmindchange",
    datasets=("socialmindchange",),
    person="stage_id",
    called="stages",
    items=("questions", "questions_variants"),
    together=("stage_id",),
    commands={
        "annotate": Command("otherminds.tasks.socialmindchange.commands:app", after="tasks-path")
    },
    helps={
        "season open --questions-per-stage": (
            "Of SocialMindChange, how many of each stage are asked; 4 by default."
        )
    },
)
