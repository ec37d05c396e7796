"""Reconstructed belief graphs inside lm-eval: the scores of `hugagent_graph_…`.

A reply that cannot be read is the graph without edges: its F1 is 0, and `parse_rate` counts it. All
other metrics are those of `otherminds.metrics.graphs`, at the threshold 0.7 of the matching of labels;
the results file has them at 0.6 and 0.8 too (`by_threshold`).

Labels in other words than the interviews' are compared by sentence embeddings. Where the packages for
these are not installed, such replies have no scores (`n_unmatched`), and a note says what to do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from otherminds.errors import OtherMindsError
from otherminds.extras import command_of
from otherminds.metrics.graphs import HIGHER_IS_BETTER, METRICS, THRESHOLD, THRESHOLDS
from otherminds.metrics.graphs import replies as reading
from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.matching import match, pair_scores
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.graphs.scores import HEADLINE, Scored, scores, sufficient, summarize
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import Answer, Judged, Totals, View, defined, plain
from otherminds.scoring.scorer import Scorer, Scores, Texts, revealed
from otherminds.tasks.hugagent.graph_words import compared, in_words
from otherminds.tasks.hugagent.graphs import GOLD, TASK, gold_graph
from otherminds.tasks.hugagent.label_similarity import similarities
from otherminds.types import Doc, FloatArray

OF_NODES = tuple(name for name in METRICS if name.startswith("node_"))
"""The metrics that mean nothing where the nodes are given."""

_NOTHING = dict.fromkeys(METRICS, math.nan)


@dataclass(frozen=True)
class Reconstruction:
    """One run's graph of a person.

    graph       without edges where the reply could not be read
    similarity  of the gold nodes to its nodes; None where nobody could tell
    failure     why the reply could not be read
    faults      what was wrong with parts of it, by name
    """

    graph: BeliefGraph
    similarity: FloatArray | None = field(compare=False)
    failure: str | None
    faults: Mapping[str, int]


@dataclass(frozen=True)
class Graphs(Judged):
    """The gold graph of a person on a topic, and those of each run.

    values  by threshold, the metrics of each run; NaN where there is nothing to measure
    """

    item_id: str
    participant_id: str
    topic: str
    gold: BeliefGraph
    runs: tuple[Reconstruction, ...]
    values: Mapping[float, tuple[Mapping[str, float], ...]]
    metrics: tuple[str, ...]

    def view(self) -> View:
        """The document as tables show it, in words: right is a graph with all true edges and no others.

        A reply that could not be read has no answer.
        """
        return View(
            item_id=self.item_id,
            person=self.participant_id,
            part=self.topic,
            category=TASK,
            gold=self._gold_in_words,
            answers=self._in_words,
            correct=tuple(own[HEADLINE] == 1 for own in self.values[THRESHOLD]),
            scale=None,
            options=(),
        )

    @cached_property
    def _gold_in_words(self) -> str:
        return in_words(self.gold)

    @cached_property
    def _in_words(self) -> tuple[str | None, ...]:
        return tuple(
            None
            if run.failure
            else in_words(run.graph, run.faults)
            if run.similarity is None
            else compared(match(self.gold, run.graph, run.similarity), run.faults)
            for run in self.runs
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Graphs:
        """The same with its first runs alone; raises OtherMindsError for other answers."""
        if answers == self.view().answers[: len(answers)]:
            return self._of_runs(slice(len(answers)))
        raise OtherMindsError(
            "Graphs of several models cannot be combined: `otherminds compare` sets them side by side."
        )

    @classmethod
    def joined(cls, records: Sequence[Graphs]) -> Graphs:
        """The graphs of several runs, as one record of all of these."""
        return replace(
            records[0],
            runs=tuple(run for record in records for run in record.runs),
            values={
                name: tuple(own for record in records for own in record.values[name])
                for name in records[0].values
            },
        )

    @staticmethod
    def sufficient(records: Sequence[Graphs]) -> Sufficient:
        """The sums that resampling people needs, for the metrics in which two models can differ."""
        metrics = (*records[0].metrics, "parse_rate")
        return defined(sufficient(_scored(records, THRESHOLD), metrics))

    @staticmethod
    def totals(records: Sequence[Graphs]) -> Totals:
        """Means over topics of the means over people, and the share of replies that could be read."""
        return Totals(_estimates(records, THRESHOLD), _counts(records))

    @classmethod
    def details(cls, records: Sequence[Graphs]) -> dict[str, Any]:
        """All estimates, by topic and by threshold, and how often replies failed for which reason."""
        topics = sorted({record.topic for record in records})
        return {
            "estimates": plain(_estimates(records, THRESHOLD)),
            "counts": dict(_counts(records)),
            "by_topic": {
                topic: plain(_estimates([one for one in records if one.topic == topic], THRESHOLD))
                for topic in topics
            },
            "by_threshold": {
                f"{threshold:g}": plain(_means(records, threshold)) for threshold in THRESHOLDS
            },
            "failures": _failures(records),
            "faults": _faults(records),
            **({"notes": notes} if (notes := _notes(records)) else {}),
        }

    def single_runs(self) -> Sequence[Graphs]:
        """The same graph with that of each run."""
        return [self._of_runs(slice(run, run + 1)) for run in range(len(self.runs))]

    def _of_runs(self, kept: slice) -> Graphs:
        return replace(
            self,
            runs=self.runs[kept],
            values={name: own[kept] for name, own in self.values.items()},
        )


def reconstruction(doc: Doc, text: str | None) -> Reconstruction:
    """The graph in a reply to a document, and how its nodes compare with those of the gold graph."""
    given = list(doc["labels"]) or None
    read = reading.read_reply(text, doc["stance"], given)
    graph = read.graph or reading.empty_graph(doc["stance"], given or ())
    # Given nodes go by their labels alone: another label is another node.
    gold = revealed(doc[GOLD])
    names = [[node["label"]] if given else list(node["names"]) for node in gold["nodes"]]
    labels = [graph.nodes[key].label for key in graph.factors]
    similarity = (
        _exact(names, labels) if given else similarities(names, labels, list(gold["others"]))
    )
    return Reconstruction(graph, similarity, read.failure, read.faults)


def _exact(names: Sequence[Sequence[str]], labels: Sequence[str]) -> FloatArray:
    forms = [normal_form(label) for label in labels]
    return np.array(
        [[float(normal_form(own[0]) == form) for form in forms] for own in names]
    ).reshape(len(names), len(labels))


def _read(doc: Doc, texts: Texts, *, metrics: tuple[str, ...]) -> Graphs:
    gold = gold_graph(doc)
    runs = tuple(reconstruction(doc, text) for text in texts)
    found = [_by_threshold(gold, run) for run in runs]
    values = {threshold: tuple(own[threshold] for own in found) for threshold in THRESHOLDS}
    return Graphs(doc["item_id"], doc["participant_id"], doc["topic"], gold, runs, values, metrics)


def _by_threshold(gold: BeliefGraph, run: Reconstruction) -> dict[float, Mapping[str, float]]:
    """The scores at each threshold; those that leave the same pairs of nodes have the same."""
    if run.similarity is None:
        return dict.fromkeys(THRESHOLDS, _NOTHING)
    known: dict[bytes, Mapping[str, float]] = {}
    found = {}
    for threshold in THRESHOLDS:
        # As `match` sees them, which rounds: similarities at a threshold are decided there.
        pairs = pair_scores(gold, run.graph, run.similarity, threshold=threshold).tobytes()
        if pairs not in known:
            matched = match(gold, run.graph, run.similarity, threshold=threshold)
            known[pairs] = scores(matched)
        found[threshold] = known[pairs]
    return found


def _own(record: Graphs) -> Scores:
    found: dict[str, list[float | None]] = {
        name: [None if math.isnan(own[name]) else own[name] for own in record.values[THRESHOLD]]
        for name in record.metrics
    }
    return {**found, "parse_rate": [float(run.failure is None) for run in record.runs]}


def _means(records: Sequence[Graphs], threshold: float) -> dict[str, Estimate]:
    return dict(summarize(_scored(records, threshold), records[0].metrics).overall)


def values(records: Sequence[Graphs]) -> dict[str, float]:
    """The metrics of some records that have anything to measure, without intervals."""
    return dict(Graphs.sufficient(records).values())


def _scored(records: Sequence[Graphs], threshold: float) -> list[Scored]:
    # A repeat is not a further person: a document's value is the mean over its runs.
    return [
        Scored(
            record.participant_id,
            record.topic,
            {**_over_runs(record, threshold), "parse_rate": _parse_rate(record)},
        )
        for record in records
    ]


def _over_runs(record: Graphs, threshold: float) -> dict[str, float]:
    found = {}
    for name in record.metrics:
        known = [own[name] for own in record.values[threshold] if not math.isnan(own[name])]
        found[name] = math.fsum(known) / len(known) if known else math.nan
    return found


def _estimates(records: Sequence[Graphs], threshold: float) -> dict[str, Estimate]:
    people = partition([record.participant_id for record in records])
    parsed = [_parse_rate(record) for record in records]
    return {**_means(records, threshold), "parse_rate": clustered_mean(parsed, people)}


def _parse_rate(record: Graphs) -> float:
    return sum(run.failure is None for run in record.runs) / len(record.runs)


def _counts(records: Sequence[Graphs]) -> dict[str, float]:
    return {
        "n_unmatched": sum(run.similarity is None for one in records for run in one.runs),
        "n_graphs": len(records),
        "n_people": len({record.participant_id for record in records}),
    }


def _failures(records: Sequence[Graphs]) -> dict[str, int]:
    found = Counter(run.failure for one in records for run in one.runs if run.failure is not None)
    return dict(found.most_common())


def _faults(records: Sequence[Graphs]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for record in records:
        for run in record.runs:
            found.update(run.faults)
    return dict(found.most_common())


def _notes(records: Sequence[Graphs]) -> list[str]:
    notes = []
    replies = sum(len(record.runs) for record in records)
    if failures := _failures(records):
        named = ", ".join(f"{name} {count:,}" for name, count in failures.items())
        notes.append(
            f"{sum(failures.values()):,} of {replies:,} replies have no graph that can be read "
            f"({named}); they count as a graph without edges."
        )
    if faults := _faults(records):
        named = "; ".join(f"{reading.FAULTS[name]} ({count:,})" for name, count in faults.items())
        notes.append(f"Of the graphs that were read: {named}.")
    unmatched = sum(run.similarity is None for record in records for run in record.runs)
    if unmatched:
        notes.append(
            f"{unmatched:,} graphs have labels in other words than the interview's, and could not be "
            f"compared: install the model for that with {command_of('debate')}, and score the samples "
            "again with `otherminds score`."
        )
    return notes


def check_doc(doc: Any) -> None:
    """Raises ValueError or MetricError for anything but a document of these tasks."""
    fields = ("item_id", "participant_id", "topic", "stance")
    if not isinstance(doc, Mapping) or any(not isinstance(doc.get(name), str) for name in fields):
        raise ValueError("it is no document of a graph task.")
    labels, gold = doc.get("labels"), doc.get(GOLD)
    if not isinstance(labels, list) or any(not isinstance(label, str) for label in labels):
        raise ValueError("its labels are no list of texts.")
    if gold is None:
        return
    try:
        names = [(node["label"], *node["names"]) for node in gold["nodes"]]
        names.append(tuple(gold["others"]))
        gold_graph(doc)
    except (KeyError, TypeError) as error:
        raise ValueError(f"its graph cannot be read ({error!r}).") from None
    if any(not isinstance(name, str) for own in names for name in own):
        raise ValueError("a name is no text.")


def _scorer(metrics: tuple[str, ...]) -> Scorer[Graphs]:
    return Scorer(
        metrics={**{name: HIGHER_IS_BETTER[name] for name in metrics}, "parse_rate": True},
        counts=("n_unmatched", "n_graphs", "n_people"),
        read=partial(_read, metrics=metrics),
        scores=_own,
        check_doc=check_doc,
        gold=GOLD,
        called="a graph task of HugAgent",
    )


NODES = _scorer(METRICS)
EDGES = _scorer(tuple(name for name in METRICS if name not in OF_NODES))
text_nodes, text_edges = NODES.text, EDGES.text
