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
    references="otherminds.tasks.socialmindchange.references:of_release",
    pages="otherminds.tasks.socialmindchange.stage_page:PAGES",
)
