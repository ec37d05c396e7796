"""SynchToM: the beliefs and wants of a user who acts on a false premise."""

from __future__ import annotations

from otherminds.benchmark import Benchmark, Breakdown, Command

BENCHMARK = Benchmark(
    name="synchtom",
    datasets=("synchtom",),
    person="instance_id",
    called="users",
    together=("instance_id",),
    configured=frozenset({"derangement_seed", "criteria_seed", "given_form", "judge_rules"}),
    default_model="wrong-premise",
    questions="otherminds.tasks.synchtom.questions:QUESTIONS",
    models={
        "wrong-premise": "otherminds.tasks.synchtom.weightless:WrongPremise",
        "injecting": "otherminds.tasks.synchtom.weightless:Injecting",
        "kitchen-sink": "otherminds.tasks.synchtom.weightless:KitchenSink",
        "turn-learner": "otherminds.tasks.synchtom.weightless:TurnLearner",
        "lexical-judge": "otherminds.tasks.synchtom.weightless:LexicalJudge",
    },
    judge="lexical-judge",
    tables="otherminds.tasks.synchtom.tables:TABLES",
    layout="otherminds.tasks.synchtom.tables:LAYOUT",
    breakdowns={"by_turns": Breakdown("By number of turns, ± SE")},
    rewards="otherminds.tasks.synchtom.rewards",
    commands={
        "labels": Command("otherminds.tasks.synchtom.commands:labels", after="ensemble"),
        "agreement": Command("otherminds.tasks.synchtom.commands:agreement", after="ensemble"),
    },
)
