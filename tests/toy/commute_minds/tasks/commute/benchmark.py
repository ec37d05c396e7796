"""Commute: how one particular person goes to work, from what they say of their habits."""

from __future__ import annotations

from otherminds.benchmark import Benchmark

BENCHMARK = Benchmark(
    name="commute",
    datasets=("commute-synthetic", "commute-written"),
    person="person_id",
    items=("mornings",),
    together=("person_id",),
    evidence=("habits",),
    layout="commute_minds.tasks.commute.tables:LAYOUT",
    pipelines={"commute": "commute_minds.tasks.commute.construction:PIPELINE"},
    students="commute_minds.tasks.commute.students:VIEWS",
    references="commute_minds.tasks.commute.references:of_release",
)
