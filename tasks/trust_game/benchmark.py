"""The trust game: whether a role-playing model plays as its own stated beliefs say."""

from __future__ import annotations

from otherminds.benchmark import Benchmark, Breakdown

BENCHMARK = Benchmark(
    name="trust_game",
    # Its documents are made from the personas by the tasks themselves, so no configuration holds items.
    datasets=("trust-game", "trust-game-synthetic"),
    person="persona_id",
    called="personas",
    together=("persona_id",),
    configured=frozenset(
        {
            *("personas", "endowment", "fractions", "ranking_form", "order_seed"),
            *("prior", "prior_attributes", "perturbation_seed", "forecast_form"),
        }
    ),
    default_model="random",
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
