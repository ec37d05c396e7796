"""Tables in `docs/` of HugAgent's data alone, from manifests (`otherminds.publishing.doc_tables`)."""

from __future__ import annotations

from typing import Final

from otherminds.console import digits
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
_GRADES = ("stated", "hinted", "implied", "without_interview")


def _reader(known: Manifest) -> str:
    """The rule-based reader's accuracy by kind of item and grade of evidence."""
    rows = [
        [label, *(digits(float(known.measured[f"reader_{kind}_{grade}"])) for grade in _GRADES)]
        for kind, label in _KINDS.items()
    ]
    return markdown(["item", "stated", "hinted", "implied", "without the interview"], rows)


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


TABLES: Final = {"graphs": _graphs, "reader": _reader}
