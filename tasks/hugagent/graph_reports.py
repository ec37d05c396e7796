"""Belief graphs for people: in a report's page, and in `otherminds show --graph`."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from otherminds.analysis.runs import Run
from otherminds.analysis.scores import Scores
from otherminds.benchmark import Sketch
from otherminds.metrics.graphs.matching import THRESHOLD, Matching, match
from otherminds.metrics.graphs.scores import HEADLINE
from otherminds.page import Drawing, Panel
from otherminds.tasks.hugagent.graph_pictures import gold_picture, other_picture
from otherminds.tasks.hugagent.graphs import gold_graph
from otherminds.tasks.hugagent.questions import is_graph
from otherminds.tasks.hugagent.scoring_graphs import Graphs
from otherminds.types import Doc

_KIND = "A person's graph, and the models'"


def drawings(scores: Scores) -> Iterator[Drawing]:
    """Of each graph task, one person's gold graph on a topic, and the graph of every run beside it.

    The person and topic are those whose score, as a mean over the runs, is the median of all, so that
    nobody chooses what is shown; of equal ones, the first by item id.
    """
    runs = [one.run for one in scores.scored if isinstance(one.run.records[0], Graphs)]
    for task in dict.fromkeys(run.task for run in runs):
        yield from _of_task(task, [run for run in runs if run.task == task])


def _of_task(task: str, runs: Sequence[Run]) -> Iterator[Drawing]:
    records = [{one.item_id: one for one in run.records} for run in runs]
    shared = set.intersection(*(set(own) for own in records))
    means = {name: _mean([own[name] for own in records]) for name in sorted(shared)}
    known = {name: mean for name, mean in means.items() if not math.isnan(mean)}
    if not known:
        return
    chosen = min(
        known, key=lambda name: (abs(known[name] - statistics.median(known.values())), name)
    )
    panels = [_panel(run.name, own[chosen]) for run, own in zip(runs, records, strict=True)]
    first = records[0][chosen]
    gold = Panel(
        f"{first.participant_id} on {first.topic}",
        "what this person thinks leads to what",
        gold_picture(match(first.gold, first.gold)),
    )
    yield Drawing(
        kind=_KIND,
        task=task,
        caption=(
            f"the person and topic whose {HEADLINE} is the median, {first.participant_id} on "
            f"{first.topic}; nodes of one row are matched"
        ),
        name=f"graph-{task}",
        panels=[gold, *(panel for panel in panels if panel is not None)],
    )


def _panel(name: str, record: Graphs) -> Panel | None:
    run, values = record.runs[0], record.values[THRESHOLD][0]
    if run.similarity is None:
        return None
    matching = match(record.gold, run.graph, run.similarity)
    said = "could not be read" if run.failure else f"{HEADLINE} {values[HEADLINE]:.3f}"
    return Panel(name, said, other_picture(matching))


def _mean(records: Sequence[Graphs]) -> float:
    values = [own[HEADLINE] for one in records for own in one.values[THRESHOLD]]
    return statistics.fmean(values) if values else math.nan


def sketches(doc: Doc) -> Sketch | None:
    """The gold graph of a document in words and as a picture; None for a document without one."""
    if not is_graph(doc):
        return None
    graph = gold_graph(doc)
    matching: Matching = match(graph, graph)
    grades = {(e["source"], e["target"]): e["grade"] for e in doc["graph"]["edges"]}
    return Sketch(
        f"{doc['participant_id']} on {doc['topic']}",
        tuple(_lines(graph, grades)),
        gold_picture(matching),
    )


def _lines(graph: Any, grades: Any) -> Iterator[str]:
    label = {key: node.label for key, node in graph.nodes.items()}
    order = sorted(graph.effects, key=lambda edge: edge.target != graph.stance_node)
    yield f"The stance: {graph.stance.label}."
    yield f"{len(graph.factors)} nodes besides it, {len(order)} edges."
    for edge in order:
        verb = "raises" if edge.polarity > 0 else "lowers"
        grade = grades[label[edge.source], label[edge.target]]
        target = "the stance" if edge.target == graph.stance_node else label[edge.target]
        yield (
            f"{label[edge.source]} {verb} {target} "
            f"(strength {edge.strength:.2f}, confidence {edge.aggregate_confidence:.2f}, {grade})"
        )
