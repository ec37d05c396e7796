"""Reference scores of HugAgent's data: chance, majority and the rule-based reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from otherminds import weightless
from otherminds.benchmark import of_dataset
from otherminds.manifest import Manifest, Reference
from otherminds.metrics.hugagent import Item, summarize, uniform_scores
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.scoring import item, parse
from otherminds.tasks.hugagent.weightless import RuleBasedReader

_REPORTED = (
    "composite",
    "bsi_acc",
    "bdu_acc",
    "bdu_mae",
    "bdu_dir",
    "bdu_change",
    "bdu_direction",
)


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance, majority and the rule-based reader, of all items, each topic and each subset."""
    docs = [doc for name in of_dataset(known.dataset).items for doc in tables[name].to_pylist()]
    return {
        "chance": Reference(
            description="Expected score of answers drawn uniformly and independently.",
            scores=_by_part([item(doc) for doc in docs], docs, uniform_scores),
        ),
        "majority": _weightless(weightless.Majority(), docs),
        "reader": _weightless(RuleBasedReader(), docs),
    }


def _weightless(strategy: weightless.Strategy, docs: list[dict[str, Any]]) -> Reference:
    asked = [QUESTIONS.asked(doc) for doc in docs]
    strategy.fit(asked)
    items = [
        item(one.doc, (parse(one.doc, one.answers[strategy.choose(one, 0)]),)) for one in asked
    ]
    return Reference(description=weightless.about(strategy), scores=_by_part(items, docs, _point))


def _point(items: list[Item]) -> dict[str, float]:
    return {name: estimate.value for name, estimate in summarize(items, draws=1).estimates.items()}


def _by_part(
    items: list[Item],
    docs: list[dict[str, Any]],
    score: Callable[[list[Item]], Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    """Scores of all items, of each topic, and of each fixed subset of the people."""
    parts = {"all": items}
    for topic in sorted({one.topic for one in items}):
        parts[topic] = [one for one in items if one.topic == topic]
    for column in sorted(name for name in docs[0] if name.startswith("in_subset_")):
        inside = [one for one, doc in zip(items, docs, strict=True) if doc[column]]
        parts[column.removeprefix("in_")] = inside
    return {
        name: {m: round(value, 6) for m, value in score(part).items() if m in _REPORTED}
        for name, part in parts.items()
    }
