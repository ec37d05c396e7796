"""Tables in `docs/` of HugAgent's data alone, from manifests (`otherminds.publishing.doc_tables`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from otherminds.console import digits
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.scale.audits import fitted
from otherminds.manifest import Manifest, own_part
from otherminds.publishing.doc_tables import markdown

_KINDS = {
    "bsi": "BSI",
    "baseline": "stance before",
    "scenario": "stance after a scenario",
    "reason": "weight of a reason",
}
_GRAPH_TASKS = {
    "hugagent_graph_synthetic": "",
    "hugagent_graph_given_nodes_synthetic": ", nodes given",
}
_GRADES = {
    "stated": "stated",
    "hinted": "hinted",
    "implied": "implied",
    "without_interview": "without the interview",
    "other_interview": "another's interview",
}
_SHARES = {
    "baseline_ends": "opinions at 1 or 10 before",
    "scenario_ends": "opinions at 1 or 10 after a scenario",
    "unchanged": "unchanged after a scenario",
    "large_changes": "changed by 5 or more",
    "up": "up",
    "down": "down",
    "lowest_ratings": "reasons rated 1",
    "high_ratings": "reasons rated 4 or 5",
    "bsi_positive": "BSI answers POSITIVE",
    "within_person": "variance of ratings between people",
}
_WHO = ("people_", "")
_COMPOSED = {
    "BSI, two steps or more: reader": "reader_bsi_composed",
    "BSI, two steps or more: student of one claim": "lookup_bsi_composed",
    "BSI, two steps or more: multiplies all signs": "compose_bsi_composed",
    "BSI, one step: reader": "reader_bsi_steps_1",
    "BSI, two steps: reader": "reader_bsi_steps_2",
    "BSI, three steps: reader": "reader_bsi_steps_3",
    "BSI, five steps (fork): reader": "reader_bsi_steps_5",
    "BDU, changed by the scenario: reader": "reader_bdu_changed",
    "BDU, changed by the scenario: reader without scenario": "off_bdu_changed",
    "BSI items that one stated belief answers": "bsi_one_stated",
}


def _reader(known: Manifest) -> str:
    """The reader's accuracy by kind of item and grade of evidence."""
    shown = {
        grade: label for grade, label in _GRADES.items() if f"reader_bsi_{grade}" in known.measured
    }
    rows = [
        [label, *(digits(float(known.measured[f"reader_{kind}_{grade}"])) for grade in shown)]
        for kind, label in _KINDS.items()
    ]
    return markdown(["item", *shown.values()], rows)


def _people(known: Manifest) -> str:
    """Shares of the golds, beside those of people's answers."""
    rows = [
        [label, topic, *(digits(float(known.measured[f"{who}{name}_{topic}"])) for who in _WHO)]
        for name, label in _SHARES.items()
        for topic in TOPICS
    ]
    return markdown(["share", "topic", "people", f"release {known.version}"], rows)


def _held_out(known: Manifest) -> str:
    """How far the fitted population is from the people who were held out of the fit."""
    said = fitted()
    rows = [
        [label, *(_distance(said[topic]["held_out"][name]) for topic in TOPICS)]
        for name, label in _SHARES.items()
    ]
    return markdown(["share", *TOPICS], rows)


def _distance(found: Mapping[str, Any]) -> str:
    if found["distance"] is None:
        return "–"
    ends = ("distance", "low", "high")
    own, low, high = (f"{found[end]:+.2f}".replace("-", "−") for end in ends)
    return f"{own} ({low} to {high})"


def _composed(known: Manifest) -> str:
    """What readers and students of claims get right of what must be put together."""
    rows = [
        [label, digits(float(known.measured[name]))]
        for label, name in _COMPOSED.items()
        if name in known.measured
    ]
    return markdown(["items, and who answers", "share"], rows)


def _graphs(known: Manifest) -> str:
    """Reference scores of the graph tasks: one row per metric and task, one column per reference."""
    parts = {own_part(task): words for task, words in _GRAPH_TASKS.items()}
    names = [name for name, one in known.references.items() if parts.keys() & one.scores.keys()]
    scores = [known.references[name].scores for name in names]
    rows = []
    for part, words in parts.items():
        metrics = dict.fromkeys(metric for one in scores for metric in one[part])
        for metric in metrics:
            values = [one[part].get(metric) for one in scores]
            shown = ["–" if value is None else digits(value) for value in values]
            rows.append([f"`{metric}`{words}", *shown])
    return markdown(["metric", *names], rows)


TABLES: Final = {
    "graphs": _graphs,
    "reader": _reader,
    "people": _people,
    "held_out": _held_out,
    "composed": _composed,
}
