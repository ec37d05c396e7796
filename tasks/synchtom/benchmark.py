"""SynchToM: the beliefs and wants of a user who acts on a false premise."""

from __future__ import annotations

from otherminds.benchmark import WHOLE, Benchmark, Breakdown, Command, Key

_JUDGES = ("synchtom_*judge*", "synchtom_collaboration*")

BENCHMARK = Benchmark(
    name="synchtom",
    datasets=("synchtom", "synchtom-made"),
    about="What does this user wrongly believe, who are they, and what would help?",
    headline=(
        "synchtom",
        "synchtom_ablations",
        "synchtom_turns_judge",
        "synchtom_collaboration",
    ),
    asks="otherminds.tasks.synchtom.asks:line",
    person="instance_id",
    called="users",
    right=(
        "The judge finds every criterion fulfilled. Here the true answer is the number of criteria, and "
        "the parsed answer is how many the judge finds fulfilled."
    ),
    together=("instance_id",),
    keys={
        "given_form": Key(
            "how given facts are worded: without words that name the truth, as published, or the "
            "belief without its cause",
            ("masked", "published", "bare"),
            "masked",
            tasks=("synchtom_given_*", "synchtom_shuffled*"),
        ),
        "derangement_seed": Key(
            "the seed that draws the other user whose facts are given",
            WHOLE,
            "0",
            tasks=("synchtom_shuffled*",),
        ),
        "criteria_seed": Key(
            "show the judge its criteria in a random order, drawn with this seed",
            WHOLE,
            "their order",
            tasks=_JUDGES,
        ),
        "judge_rules": Key(
            "the judge's instruction: the paper's, or a stricter one with a reason for each verdict",
            ("paper", "strict"),
            "paper",
            tasks=_JUDGES,
        ),
    },
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
    ranges="otherminds.metrics.synchtom.ranges:RANGES",
    layout="otherminds.tasks.synchtom.tables:LAYOUT",
    breakdowns={"by_turns": Breakdown("By number of turns, ± SE")},
    rewards="otherminds.tasks.synchtom.rewards",
    pipelines={"synchtom": "otherminds.tasks.synchtom.construction:PIPELINE"},
    commands={
        "labels": Command("otherminds.tasks.synchtom.commands:labels"),
        "agreement": Command("otherminds.tasks.synchtom.commands:agreement"),
    },
)
