"""SynchToM: what a character who acts on a false premise believes and wants."""

from __future__ import annotations

from otherminds.benchmark import Benchmark, Command

BENCHMARK = Benchmark(
    name="synchtom",
    datasets=("synchtom",),
    person="instance_id",
    called="scenarios",
    together=("instance_id",),
    configured=frozenset({"derangement_seed", "criteria_seed", "given_form", "judge_rules"}),
    default_model="wrong-premise",
    commands={
        "labels": Command("otherminds.tasks.synchtom.commands:labels", after="ensemble"),
        "agreement": Command("otherminds.tasks.synchtom.commands:agreement", after="ensemble"),
    },
)
