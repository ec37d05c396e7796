"""How sure people are of a machine's graphs, how far they agree, and how those graphs compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from otherminds.estimates import Row
from otherminds.interview.annotation.reading import Labels
from otherminds.interview.annotation.sheets import Interview, Judged
from otherminds.metrics.graphs import Pair, normal_form, score_pairs, summarize
from otherminds.metrics.graphs.schema import BeliefGraph, read_graph
from otherminds.metrics.krippendorff import krippendorff_alpha
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.types import FloatArray

HELD: Final = 0.5
"""A concept or link that people are surer of than this, on the mean, is held."""

_MACHINE: Final = ("edge_f1", "edge_f1_directed", "node_f1", "sign_acc", "edit_distance")


def results(labels: Labels) -> list[Row]:
    """Mean soft labels, agreement of annotators, and machine against people (E3, E4), with intervals."""
    rows = []
    for kind, name in (("concept", "concepts"), ("link", "links")):
        table, people = _table(labels, kind)
        if len(table):
            rows.append(Row(name, "mean soft label", _mean(table, people)))
        if table.shape[1] > 1 and (np.isfinite(table).sum(axis=1) > 1).any():
            alpha = krippendorff_alpha(table, partition(people), level="interval")
            rows.append(Row(name, "Krippendorff's alpha", alpha))
    if (signs := _agreement_on_signs(labels)) is not None:
        rows.append(Row("links", "alpha of signs (nominal)", signs))
    pairs = [
        Pair(one.participant_id, one.topic, people_graph(labels, one), one.graph)
        for one in labels.interviews
        if any((judged.row, who) in labels.soft for judged in one.judged for who in one.annotators)
    ]
    summary = summarize(score_pairs(pairs), _MACHINE)
    return rows + [Row("machine against people", name, summary.overall[name]) for name in _MACHINE]


def people_graph(labels: Labels, interview: Interview) -> BeliefGraph:
    """The graph that people hold to be right: what they are surer of than not, and what they added.

    The sign is the one that most gave; of a tie, none.
    """
    machine = interview.graph
    mean = {one.id: (one, _sure(labels, one)) for one in interview.judged}
    nodes = {
        key: node.model_dump(exclude={"incoming_edges", "outgoing_edges"})
        for key, node in machine.nodes.items()
        if key == machine.stance_node or (key in mean and mean[key][1] > HELD)
    }
    edges = {
        key: {
            "source": edge.source,
            "target": edge.target,
            "aggregate_confidence": mean[key][1],
            "modifier": float(_sign(labels, mean[key][0])),
        }
        for key, edge in machine.edges.items()
        if key in mean and mean[key][1] > HELD and {edge.source, edge.target} <= nodes.keys()
    }
    known = {normal_form(node["label"]): key for key, node in nodes.items()}
    joined = {(edge["source"], edge["target"]) for edge in edges.values()}
    for number, one in enumerate(labels.added):
        if one.interview != interview.row or one.sure <= HELD:
            continue
        ends = []
        for text in (one.source, one.target):
            form = normal_form(text)
            if form not in known:
                known[form] = f"added-{len(known)}"
                nodes[known[form]] = {"label": text}
            ends.append(known[form])
        if ends[0] != ends[1] and tuple(ends) not in joined:
            joined.add((ends[0], ends[1]))
            edges[f"added-link-{number}"] = {
                "source": ends[0],
                "target": ends[1],
                "aggregate_confidence": one.sure,
                "modifier": float(one.sign),
            }
    return read_graph(
        {
            "agent_id": interview.participant_id,
            "topic": interview.topic,
            "stance_node": machine.stance_node,
            "nodes": nodes,
            "edges": edges,
        }
    )


def _table(labels: Labels, kind: str) -> tuple[FloatArray, list[str]]:
    """Soft labels, a row for each thing judged and a column for each annotator; and whose rows."""
    names = labels.annotators
    found, people = [], []
    for interview in labels.interviews:
        for one in interview.judged:
            values = [labels.soft.get((one.row, who), math.nan) for who in names]
            if one.kind == kind and not all(map(math.isnan, values)):
                found.append(values)
                people.append(interview.participant_id)
    return np.array(found, dtype=float).reshape(len(found), len(names)), people


def _mean(table: FloatArray, people: Sequence[str]) -> Estimate:
    return clustered_mean(np.nanmean(table, axis=1), partition(people))


def _agreement_on_signs(labels: Labels) -> Estimate | None:
    """Nominal alpha: like kappa, for any number of annotators, of whom some may be missing."""
    names = labels.annotators
    found, people = [], []
    for interview in labels.interviews:
        for one in interview.judged:
            values = [float(labels.signs.get((one.row, who), math.nan)) for who in names]
            if sum(not math.isnan(value) for value in values) > 1:
                found.append(values)
                people.append(interview.participant_id)
    if not found:
        return None
    return krippendorff_alpha(np.array(found), partition(people), level="nominal")


def _sure(labels: Labels, one: Judged) -> float:
    values = [value for (row, _), value in labels.soft.items() if row == one.row]
    return sum(values) / len(values) if values else 0.0


def _sign(labels: Labels, one: Judged) -> int:
    given = [value for (row, _), value in labels.signs.items() if row == one.row]
    counts = {value: given.count(value) for value in given}
    best = [value for value, count in counts.items() if count == max(counts.values())]
    return best[0] if len(best) == 1 else 0
