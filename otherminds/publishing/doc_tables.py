"""The tables in `docs/` that come from manifests.

A page marks the place of a table with `<!-- <dataset> <table> -->` … `<!-- /<table> -->`;
`python -m otherminds.publishing.release` fills it, and a test fails when it is stale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from otherminds.estimates import digits
from otherminds.manifest import Manifest

_MARK = re.compile(
    r"(<!-- (?P<dataset>\S+) (?P<table>\w+) -->\n).*?(<!-- /(?P=table) -->)", re.DOTALL
)

_KINDS = {
    "bsi": "BSI",
    "baseline": "stance before",
    "scenario": "stance after a scenario",
    "reason": "weight of a reason",
}
_GRADES = ("stated", "hinted", "implied", "without_interview")


def fill(text: str, known: Manifest) -> str:
    """The page with the tables of this dataset as its manifest has them."""

    def table(match: re.Match[str]) -> str:
        if match["dataset"] != known.dataset:
            return match[0]
        return f"{match[1]}{_TABLES[match['table']](known)}\n{match[4]}"

    return _MARK.sub(table, text)


def _references(known: Manifest) -> str:
    """One row per metric, one column per reference."""
    names = list(known.references)
    metrics = list(known.references[names[0]].scores["all"])
    rows = [
        [f"`{metric}`", *(digits(known.references[n].scores["all"][metric]) for n in names)]
        for metric in metrics
    ]
    return _markdown(["metric", *names], rows)


def _reader(known: Manifest) -> str:
    """The rule-based reader's accuracy by kind of item and grade of evidence."""
    rows = [
        [label, *(digits(float(known.measured[f"reader_{kind}_{grade}"])) for grade in _GRADES)]
        for kind, label in _KINDS.items()
    ]
    return _markdown(["item", "stated", "hinted", "implied", "without the interview"], rows)


def _human(known: Manifest) -> str:
    """One row per metric, one column per part: what people asked again score, with 95 % intervals."""
    human = known.references["human"]
    parts = list(human.scores)
    intervals = {"all": human.interval or {}, **(human.topic_interval or {})}
    people = human.n_people_by_metric or {}
    rows = [
        [
            f"`{metric}`",
            str(n),
            *(_with_interval(human.scores[p].get(metric), intervals[p].get(metric)) for p in parts),
        ]
        for metric, n in people.items()
    ]
    return _markdown(["metric", "people", *parts], rows)


def _with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    if value is None:
        return "–"
    return digits(value) + (f" ({digits(ends[0])}–{digits(ends[1])})" if ends else "")


def _conditions(known: Manifest) -> str:
    """One row per reference, one column per condition: macro-F1 / accuracy."""
    conditions = dict.fromkeys(part for one in known.references.values() for part in one.scores)
    rows = [
        [name, *(_scores(reference.scores.get(condition)) for condition in conditions)]
        for name, reference in known.references.items()
    ]
    return _markdown(["macro-F1 / accuracy", *conditions], rows)


def _scores(known: Mapping[str, float] | None) -> str:
    return "–" if known is None else " / ".join(digits(known[one]) for one in ("macro_f1", "acc"))


_TABLES: dict[str, Callable[[Manifest], str]] = {
    "references": _references,
    "human": _human,
    "reader": _reader,
    "conditions": _conditions,
}


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
