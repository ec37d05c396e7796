"""HugAgent: beliefs of people, and how they move, told from interviews."""

from __future__ import annotations

from otherminds.benchmark import Benchmark

BENCHMARK = Benchmark(
    name="hugagent",
    datasets=("hugagent", "hugagent-synthetic"),
    person="participant_id",
    items=("bsi", "bdu"),
    together=("participant_id", "topic"),
    evidence=("context",),
    fallback="otherminds.tasks.hugagent.scoring:ALL",
    ablations="otherminds.dataset_builders.hugagent.ablations:ABLATIONS",
    switches={"mask_source": "otherminds.dataset_builders.hugagent.human_sources:masked"},
)
