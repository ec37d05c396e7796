"""HugAgent: beliefs of people, and how they move, predicted from interviews."""

from __future__ import annotations

from otherminds.benchmark import Benchmark, Command

BENCHMARK = Benchmark(
    name="hugagent",
    datasets=("hugagent", "hugagent-synthetic"),
    person="participant_id",
    items=("bsi", "bdu"),
    together=("participant_id", "topic"),
    evidence=("context",),
    fallback="otherminds.tasks.hugagent.scoring:ALL",
    ablations="otherminds.dataset_builders.hugagent.ablations:ABLATIONS",
    commands={
        "identity": Command("otherminds.tasks.hugagent.commands:identity", after="run"),
        "baselines": Command("otherminds.tasks.hugagent.commands:baselines", after="run"),
        "ceiling": Command("otherminds.tasks.hugagent.commands:ceiling", after="run"),
        "diagnose": Command("otherminds.tasks.hugagent.commands:diagnose", after="run"),
        "people": Command("otherminds.tasks.hugagent.commands:people", after="gain"),
    },
    switches={"mask_source": "otherminds.dataset_builders.hugagent.human_sources:masked"},
    questions="otherminds.tasks.hugagent.questions:QUESTIONS",
    models={
        "persistence": "otherminds.tasks.hugagent.weightless:Persistence",
        "reader": "otherminds.tasks.hugagent.weightless:RuleBasedReader",
    },
    ranges="otherminds.metrics.hugagent.ranges:RANGES",
    layout="otherminds.tasks.hugagent.layout:LAYOUT",
    remarks="otherminds.tasks.hugagent.scoring:remarks",
    references="otherminds.tasks.hugagent.references:of_release",
    doc_tables="otherminds.tasks.hugagent.doc_tables:TABLES",
)
