"""Debate beliefs: whether a person agrees, from who they are and what else they believe."""

from __future__ import annotations

from otherminds.benchmark import TEXT, Benchmark, Key

BENCHMARK = Benchmark(
    name="debate",
    datasets=("debate-beliefs", "debate-beliefs-issues", "debate-beliefs-synthetic"),
    about="Does this person agree with a proposition?",
    headline=(
        "debate_synthetic",
        "debate_both_synthetic",
        "debate_both_synthetic_logprob",
        "debate_issues",
        "debate",
    ),
    asks="otherminds.tasks.debate.asks:line",
    person="user_id",
    items=("beliefs",),
    together=("user_id",),
    evidence=("known_beliefs",),
    learned=True,
    ablations="otherminds.dataset_builders.debate.ablations:ABLATIONS",
    keys={
        "shown_category": Key(
            "the category that is shown",
            TEXT,
            "the most frequent one but its own",
            tasks=("debate_cross_category*",),
        )
    },
    questions="otherminds.tasks.debate.questions:QUESTIONS",
    models={
        "demographic-logistic": "otherminds.tasks.debate.weightless:DemographicLogistic",
        "neighbours": "otherminds.tasks.debate.weightless:Neighbours",
    },
    ranges="otherminds.metrics.debate.ranges:RANGES",
    layout="otherminds.tasks.debate.layout:LAYOUT",
    references="otherminds.tasks.debate.references:of_release",
    students="otherminds.tasks.debate.students:VIEWS",
    doc_tables="otherminds.tasks.debate.doc_tables:TABLES",
    described="otherminds.tasks.debate.people:printed",
    titles="otherminds.tasks.debate.titles:verdicts",
    rewards="otherminds.tasks.debate.rewards",
    helps={
        "gain": (
            "Of debate beliefs, categories are also grouped by the condition with\n"
            "the highest macro-F1, for each model, the mean over models and their majority vote."
        ),
        "run examples": "otherminds run 'debate_both_synthetic*' --model random --limit 20",
        "build examples": "otherminds build debate-beliefs built --source corpus",
        "build --titles": ("Samples of debate_title_filter: a model judges titles, not the rules."),
    },
)
