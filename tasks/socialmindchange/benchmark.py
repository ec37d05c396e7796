"""SocialMindChange: characters' states of mind, and how scenes change them."""

from __future__ import annotations

from otherminds.benchmark import Benchmark

BENCHMARK = Benchmark(
    name="socialmindchange",
    datasets=("socialmindchange",),
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
)
