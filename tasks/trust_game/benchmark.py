"""The trust game: whether a role-playing model plays as its own stated beliefs say."""

from __future__ import annotations

from otherminds.benchmark import FLAG, NUMBER, WHOLE, Benchmark, Breakdown, Key

_CONDITIONED = ("trust_game_self_conditioned*", "trust_game_imposed_*")
_RANKED = ("trust_game_population*", *_CONDITIONED)

BENCHMARK = Benchmark(
    name="trust_game",
    # Its documents are made from the personas by the tasks themselves, so no configuration holds items.
    datasets=("trust-game", "trust-game-synthetic"),
    about="Does a role-playing model act as its own stated beliefs say it will?",
    headline=(
        "trust_game",
        "trust_game_population",
        "trust_game_conditioned",
        "trust_game_individual",
        "trust_game_genagents",
    ),
    asks="otherminds.tasks.trust_game.asks:line",
    person="persona_id",
    called="personas",
    together=("persona_id",),
    keys={
        "personas": Key(
            "who plays: 50 of the split test, a whole split, or `all`: the split test, and round by "
            "round the 50",
            ("sample", "all", "train", "validation", "test"),
            "sample",
        ),
        "endowment": Key("the trustor's dollars in each round", NUMBER, "10"),
        "fractions": Key("whether parts of a dollar can be sent", FLAG, "false"),
        "ranking_form": Key(
            "how a ranking is asked for",
            ("descending", "ascending"),
            "descending",
            tasks=_RANKED,
        ),
        "order_seed": Key(
            "the seed of the order in which prompts list an attribute's levels",
            WHOLE,
            "0",
            tasks=_RANKED,
        ),
        "prior": Key(
            "which of the model's rankings personas are shown",
            ("ranking_in_context", "ranking", "dollar_ranking"),
            "ranking_in_context",
            tasks=_CONDITIONED,
        ),
        "prior_attributes": Key(
            "all rankings in one prompt, or a single one in each",
            ("all", "single"),
            "all",
            tasks=_RANKED,
        ),
        "perturbation_seed": Key(
            "the seed that chooses between imposed orders of the same rank correlation",
            WHOLE,
            "0",
            tasks=("trust_game_imposed_*",),
        ),
        "forecast_form": Key(
            "forecast from a summary of the rounds before, or from the trustee's rule alone",
            ("summary", "rule"),
            "summary",
            tasks=("trust_game_forecast*", "trust_game_rounds*"),
        ),
    },
    default_model="random",
    helps={"show examples": "otherminds show trust_game_population --item 40"},
    questions="otherminds.tasks.trust_game.questions:QUESTIONS",
    models={
        "linear-trust": "otherminds.tasks.trust_game.weightless:LinearTrust",
        "consistent-trust": "otherminds.tasks.trust_game.weightless:ConsistentTrust",
        "inconsistent-trust": "otherminds.tasks.trust_game.weightless:InconsistentTrust",
        "memoryless": "otherminds.tasks.trust_game.weightless:Memoryless",
        "tit-for-tat": "otherminds.tasks.trust_game.weightless:TitForTat",
    },
    tables="otherminds.tasks.trust_game.tables:TABLES",
    ranges="otherminds.metrics.trust_game.ranges:RANGES",
    layout="otherminds.tasks.trust_game.tables:LAYOUT",
    breakdowns={
        "by_attribute": Breakdown("By attribute", values_only=True, named=True),
        "by_trustee": Breakdown("By trustee, ± SE", named=True),
    },
)
