"""Reference scores of HugAgent's data: of its items, and of the graph tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from otherminds import weightless
from otherminds.benchmark import of_dataset
from otherminds.construct import reference as blind_readers
from otherminds.manifest import Manifest, Reference, own_part
from otherminds.metrics.hugagent import Item, summarize, uniform_scores
from otherminds.metrics.hugagent.ranges import RANGES
from otherminds.metrics.ranges import cut
from otherminds.tasks.hugagent import graphs, scoring_graphs, weightless_graphs
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

_OF_GRAPHS = (
    *("edge_f1", "edge_precision", "edge_recall", "edge_f1_directed", "edge_f1_undirected"),
    *("sign_acc", "node_f1", "reachability_f1", "motif_f1", "edit_distance"),
)
_GRAPH_TASKS = {
    "hugagent_graph_synthetic": scoring_graphs.NODES,
    "hugagent_graph_given_nodes_synthetic": scoring_graphs.EDGES,
}
_GRAPHS = "agents"
_OF_GRAPH_TASKS = "hugagent-synthetic"


def of_release(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance, majority and the rule-based reader, of all items, each topic and each subset.

    Of texts that were read blind, their readers too. Of the graph tasks: the empty graph, the star,
    random graphs and the reader.
    """
    docs = [doc for name in of_dataset(known.dataset).items for doc in tables[name].to_pylist()]
    items = {
        "chance": Reference(
            description="Expected score of answers drawn uniformly and independently.",
            scores=_by_part([item(doc) for doc in docs], docs, uniform_scores),
        ),
        "majority": _weightless(weightless.Majority(), docs),
        "reader": _weightless(RuleBasedReader(), docs),
        **_blind_readers(known, docs),
    }
    return {**items, **with_graphs(items, tables)} if known.dataset == _OF_GRAPH_TASKS else items


def with_graphs(
    items: Mapping[str, Reference], tables: Mapping[str, pa.Table]
) -> dict[str, Reference]:
    """The references of the graph tasks; that of the reader has its scores of items too."""
    rows = tables[_GRAPHS].to_pylist()
    docs = {
        task: [graphs.document(row, given_nodes=scorer is scoring_graphs.EDGES) for row in rows]
        for task, scorer in _GRAPH_TASKS.items()
    }
    strategies: dict[str, weightless.Strategy] = {
        "empty_graph": weightless_graphs.EmptyGraph(),
        "star_graph": weightless_graphs.StarGraph(),
        "random_graph": weightless_graphs.RandomGraph(),
        "reader": RuleBasedReader(),
    }
    found = {}
    for name, strategy in strategies.items():
        known = items.get(name)
        scores = {} if known is None else dict(known.scores)
        for task, own in docs.items():
            scores |= _of_graphs(strategy, task, own)
        found[name] = Reference(
            description=weightless.about(strategy) if known is None else known.description,
            scores=scores,
        )
    return found


def _of_graphs(
    strategy: Any, task: str, docs: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, float]]:
    asked = [QUESTIONS.asked(doc) for doc in docs]
    strategy.fit(asked)
    scorer = _GRAPH_TASKS[task]
    records = [scorer.read(one.doc, [strategy.write(one, 0)]) for one in asked]
    return {
        own_part(task, None if part == "all" else part): scores
        for part, scores in _scores_by_part(records, docs).items()
    }


def _scores_by_part(
    records: Sequence[scoring_graphs.Graphs], docs: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, float]]:
    parts = {"all": list(records)}
    for column in sorted(name for name in docs[0] if name.startswith("in_subset_")):
        inside = [one for one, doc in zip(records, docs, strict=True) if doc[column]]
        parts[column.removeprefix("in_")] = inside
    return {
        name: {
            metric: round(value, 6)
            for metric, value in scoring_graphs.values(own).items()
            if metric in _OF_GRAPHS
        }
        for name, own in parts.items()
        if own
    }


def _blind_readers(known: Manifest, docs: list[dict[str, Any]]) -> dict[str, Reference]:
    readers = blind_readers.of_release(known)
    if readers is None:
        return {}
    items = [
        item(doc, tuple(parse(doc, answer) for answer in readers.answers[doc["item_id"]]))
        for doc in docs
    ]
    # A sheet has all items on a person's topic, so that each of its readers is a run with a baseline.
    return readers.reference(_by_part(items, docs, _point), cut(summarize(items).estimates, RANGES))


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
