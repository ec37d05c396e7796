"""Reference scores of a debate dataset, condition by condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from otherminds import weightless
from otherminds.dataset_builders.debate import ablations, synthetic
from otherminds.manifest import Manifest, Reference
from otherminds.metrics.debate import Belief, summarize
from otherminds.tasks.debate.questions import QUESTIONS
from otherminds.tasks.debate.scoring import item
from otherminds.tasks.debate.weightless import DemographicLogistic, Neighbours

CONDITIONS = ("blind", "demographics", "beliefs", "both")
_REPORTED = ("macro_f1", "acc", "agree_rate")

# The evidence that each weightless model learns from: it differs only where the document shows that.
_MODELS: Mapping[str, tuple[type[weightless.Strategy], tuple[str, ...]]] = {
    "majority": (weightless.Majority, CONDITIONS),
    "demographic-logistic": (DemographicLogistic, ("demographics", "both")),
    "neighbours": (Neighbours, ("beliefs", "both")),
}

Scores = Mapping[str, Mapping[str, float]]


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance, models without weights, and the optimum of a generated population, by condition."""
    optimal = None
    if known.generated:
        optimal = synthetic.ceilings(tables, synthetic.spec(known.generator or {}))
    return references(tables[known.default_config], optimal)


def references(
    table: pa.Table, optimal: Mapping[str, Scores] | None = None
) -> dict[str, Reference]:
    """Chance, the models without weights, and the best there is where it is known.

    optimal  by condition and part: the Bayes-optimal scores of a generated population
    """
    population = table.to_pylist()
    found = {"chance": _chance(population)}
    shown = {name: ablations.ABLATIONS[name].transform(table, table) for name in CONDITIONS}
    for name, (model, conditions) in _MODELS.items():
        strategy = model()
        strategy.fit([QUESTIONS.asked(doc) for doc in population])
        scores = {one: _scores(shown[one], strategy) for one in conditions}
        found[name] = Reference(description=weightless.about(strategy), scores=scores)
    if optimal is not None:
        found["optimal"] = Reference(
            description="The best that anybody can expect, who knows the population's model and sees "
            "what is shown: accuracy, and the macro-F1 of the most accurate answers.",
            scores={name: _rounded(parts["all"]) for name, parts in optimal.items()},
        )
    return found


def _chance(docs: Sequence[Mapping[str, Any]]) -> Reference:
    """Answers by the toss of a coin: F1 of a class is 2·½·s/(½ + s), s its share of the golds."""
    share = sum(doc["agrees"] for doc in docs) / len(docs)
    f1 = [s / (0.5 + s) for s in (share, 1 - share)]
    scores = {"macro_f1": sum(f1) / 2, "acc": 0.5, "agree_rate": 0.5}
    return Reference(
        description="Answers drawn by the toss of a coin, in a large sample.",
        scores={name: _rounded(scores) for name in CONDITIONS},
    )


def _scores(table: pa.Table, strategy: weightless.Strategy) -> dict[str, float]:
    items: list[Belief] = [
        item(doc, (strategy.choose(QUESTIONS.asked(doc), 0) == 0,)) for doc in table.to_pylist()
    ]
    found = summarize(items, draws=1)
    return _rounded({name: found.estimates[name].value for name in _REPORTED})


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in scores.items() if name in _REPORTED}
