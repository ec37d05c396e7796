"""HugAgent: beliefs of people, and how they move, predicted from interviews."""

from __future__ import annotations

from otherminds.benchmark import FLAG, TEXT, WHOLE, Benchmark, Command, Key

BENCHMARK = Benchmark(
    name="hugagent",
    datasets=("hugagent", "hugagent-synthetic", "hugagent-core", "hugagent-stated"),
    about="A person's beliefs, inferred from an interview, and how they move",
    headline=(
        "hugagent_synthetic_core",
        "hugagent_synthetic",
        "hugagent_bsi_synthetic",
        "hugagent_bdu_synthetic",
        "hugagent_ablations_synthetic",
        "hugagent",
    ),
    asks="otherminds.tasks.hugagent.asks:line",
    person="participant_id",
    right=(
        "A letter is the true one. A number is at most 1 away from the true one on a scale of 1 to 5, "
        "and at most 2 away on a scale of 1 to 10. A graph has the person's edges with their signs, "
        "and no others."
    ),
    items=("bsi", "bdu"),
    together=("participant_id", "topic"),
    evidence=("context",),
    fallback="otherminds.tasks.hugagent.scoring:ALL",
    ablations="otherminds.dataset_builders.hugagent.ablations:ABLATIONS",
    helps={
        "show examples": "otherminds show hugagent_bdu_synthetic",
        "run examples": "otherminds run hugagent_synthetic",
        "build examples": "otherminds build hugagent-synthetic built",
    },
    commands={
        "identity": Command("otherminds.tasks.hugagent.commands:identity"),
        "baselines": Command("otherminds.tasks.hugagent.commands:baselines"),
        "ceiling": Command("otherminds.tasks.hugagent.commands:ceiling"),
        "diagnose": Command("otherminds.tasks.hugagent.commands:diagnose"),
        "people": Command("otherminds.tasks.hugagent.commands:people"),
    },
    keys={
        "context_k": Key("how many random turns of the interview are shown", WHOLE, "5"),
        "context_seed": Key(
            "show random turns, drawn with this seed",
            WHOLE,
            "the first turns; 0 for random_context",
            tasks=("hugagent_context*", "hugagent_random_context*"),
        ),
        "derangement_seed": Key(
            "show a random other person's interview, drawn with this seed",
            WHOLE,
            "the next person's",
        ),
        "survey_k": Key("how many other people's survey answers are shown", WHOLE, "15"),
        "survey_seed": Key("the seed that draws these people", WHOLE, "0"),
        "survey_table": Key(
            "a CSV file of people who took the survey", TEXT, "other participants' answers"
        ),
        "mask_source": Key(
            "mask the exchange that an item was made from",
            FLAG,
            "false",
            datasets=("hugagent",),
        ),
    },
    switches={"mask_source": "otherminds.dataset_builders.hugagent.human_sources:masked"},
    questions="otherminds.tasks.hugagent.questions:QUESTIONS",
    reliability={
        "order": "`otherminds run hugagent_bsi_swapped_synthetic` (real people: hugagent_bsi_swapped)",
        "identity": "`otherminds identity hugagent_synthetic` (real people: hugagent)",
    },
    models={
        "persistence": "otherminds.tasks.hugagent.weightless:Persistence",
        "reader": "otherminds.tasks.hugagent.weightless:RuleBasedReader",
        "graph-simulator": "otherminds.tasks.hugagent.weightless:GraphSimulator",
        "graph-simulator-bound": "otherminds.tasks.hugagent.weightless:GraphSimulatorBound",
        "empty-graph": "otherminds.tasks.hugagent.weightless_graphs:EmptyGraph",
        "star-graph": "otherminds.tasks.hugagent.weightless_graphs:StarGraph",
        "random-graph": "otherminds.tasks.hugagent.weightless_graphs:RandomGraph",
    },
    pictures="otherminds.tasks.hugagent.graph_reports:drawings",
    drawn="otherminds.tasks.hugagent.graph_reports:sketches",
    ranges="otherminds.metrics.hugagent.ranges:RANGES",
    layout="otherminds.tasks.hugagent.layout:LAYOUT",
    remarks="otherminds.tasks.hugagent.scoring:remarks",
    references="otherminds.tasks.hugagent.references:of_release",
    students="otherminds.tasks.hugagent.student_views:VIEWS",
    doc_tables="otherminds.tasks.hugagent.doc_tables:TABLES",
    interviews="otherminds.tasks.hugagent.interviews:INTERVIEWS",
    pipelines={"hugagent": "otherminds.tasks.hugagent.construction:PIPELINE"},
    rewards="otherminds.tasks.hugagent.rewards",
)
