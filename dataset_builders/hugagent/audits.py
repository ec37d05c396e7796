"""Checks of built tables. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.hugagent import structure
from otherminds.dataset_builders.hugagent.answerability import KINDS, TOLERANCE, Tally, measure
from otherminds.dataset_builders.hugagent.leaks import leak_audits
from otherminds.dataset_builders.hugagent.population import GRADES
from otherminds.dataset_builders.hugagent.quotas import TASKS, SyntheticSpec
from otherminds.dataset_builders.hugagent.table_audits import Built as _Built
from otherminds.dataset_builders.hugagent.table_audits import counts as _counts
from otherminds.dataset_builders.hugagent.table_audits import ids as _ids
from otherminds.dataset_builders.hugagent.table_audits import share as _share
from otherminds.dataset_builders.hugagent.table_audits import slack as _slack
from otherminds.dataset_builders.verdict import Audit, verdict

__all__ = ["Audit", "audit"]

_BSI_POSITIVE = (0.40, 0.60)
_UNCHANGED = (0.25, 0.45)
_LARGEST_ANSWER_SHARE = 0.40
_LEAST_GRADE_SHARE = {"stated": 0.40, "hinted": 0.12, "implied": 0.12}
_STRUCTURE = {
    "nodes": (8.0, 15.0),
    "edges": (12.0, 30.0),
    "density": (0.1, 0.4),
    "degree": (2.0, 5.0),
    "importance": (0.35, 0.75),
    "evidence": (0.5, 3.0),
    "confidence": (0.5, 0.9),
    "weight": (0.2, 0.6),
    "positive_share": (0.35, 0.65),
    "negative_share": (0.35, 0.65),
    "anchor_ratio": (0.2, 0.6),
}
"""Where the means of the networks' statistics may lie: a wide net for a generator gone wrong."""

_READABLE = 0.95
_ABOVE_MAJORITY = 0.05
"""How far the reader may exceed the best constant answer without the interview."""


def audit(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """All audits of a build, passed and failed.

    Bounds on shares leave room for chance: three standard errors at the number of cases at hand,
    so that small builds are not failed for being small.
    """
    built = _Built(tables, spec)
    found = [result for check in _CHECKS for result in check(built)]
    found += leak_audits(tables, spec)
    return found + list(answerability_audits(measure(tables)))


def _answers(built: _Built) -> Iterator[Audit]:
    for topic in sorted(built.spec.items["bsi"]):
        answers = _of_topic(built.tables["bsi"], topic)["answer"].to_pylist()
        share, slack = _share(answers.count("A"), len(answers)), _slack(len(answers))
        low, high = _BSI_POSITIVE
        yield verdict(
            f"answers_bsi_{topic}",
            not answers or low - slack <= share <= high + slack,
            round(share, 4),
            f"share of POSITIVE among {len(answers)} answers, wanted {low} to {high}",
        )
        bdu = _of_topic(built.tables["bdu"], topic)
        for kind in ("opinion", "reason_evaluation"):
            given = bdu.filter(pc.field("question_type") == kind)["answer"].to_pylist()
            counts = Counter(given)
            largest = _share(max(counts.values(), default=0), len(given))
            yield verdict(
                f"answers_{kind}_{topic}",
                largest <= _LARGEST_ANSWER_SHARE + _slack(len(given)) or not given,
                " ".join(f"{gold}:{counts[gold]}" for gold in sorted(counts, key=int)),
                f"the commonest answer has a share of {largest:.3f}, at most "
                f"{_LARGEST_ANSWER_SHARE} is wanted",
            )


def _unchanged(built: _Built) -> Iterator[Audit]:
    for topic in sorted(built.spec.items["bdu"]):
        opinions = _of_topic(built.tables["bdu"], topic).filter(
            pc.field("question_type") == "opinion"
        )
        people, golds = opinions["participant_id"].to_pylist(), opinions["answer"].to_pylist()
        baseline: dict[str, str] = {}
        same = []
        # The baseline is the first opinion of each person.
        for person, gold in zip(people, golds, strict=True):
            if person in baseline:
                same.append(gold == baseline[person])
            baseline.setdefault(person, gold)
        share, slack = _share(sum(same), len(same)), _slack(len(same))
        low, high = _UNCHANGED
        yield verdict(
            f"unchanged_{topic}",
            low - slack <= share <= high + slack,
            round(share, 4),
            f"share of {len(same)} scenario answers equal to the baseline, wanted {low} to {high}",
        )


def _grades(built: _Built) -> Iterator[Audit]:
    grades = Counter(
        grade for task in TASKS for grade in built.tables[task]["evidence"].to_pylist()
    )
    for grade in GRADES:
        share, least = _share(grades[grade], grades.total()), _LEAST_GRADE_SHARE[grade]
        yield verdict(
            f"evidence_{grade}",
            share >= least - _slack(grades.total()),
            round(share, 4),
            f"share of items, at least {least} is wanted",
        )


def _structure(built: _Built) -> Iterator[Audit]:
    graphs = built.tables["agents"]["graph"].to_pylist()
    broken = [place for place, graph in enumerate(graphs) if not structure.is_sound(graph)]
    yield verdict(
        "structure_sound",
        not broken,
        len(broken),
        "networks that are not connected, or have fewer than four edges into the stance or "
        "among factors",
    )
    for row in structure.table(built.tables["agents"]).to_pylist():
        low, high = _STRUCTURE[row["statistic"]]
        yield verdict(
            f"structure_{row['statistic']}_{row['topic']}",
            low <= row["mean"] <= high,
            round(row["mean"], 4),
            f"mean over {row['n']} networks (sd {row['sd']:.3f}, {row['low']:.3g} to "
            f"{row['high']:.3g}), wanted {low} to {high}",
        )


def answerability_audits(tallies: Mapping[str, Tally]) -> Iterator[Audit]:
    """Whether a perfect student of the vocabulary can answer the items, and only with the interview."""
    for kind in KINDS:
        tally = tallies.get(kind, Tally())
        grades = [grade for grade in GRADES if tally.total[grade]]
        scores = {grade: tally.accuracy(grade) for grade in grades}
        slack = {grade: _slack(tally.total[grade]) for grade in grades}
        for grade in grades:
            least = _READABLE if grade == "stated" else 0.0
            yield verdict(
                f"reader_{kind}_{grade}",
                scores[grade] >= least,
                round(scores[grade], 4),
                f"reader's accuracy on {tally.total[grade]} items within {TOLERANCE[kind]}"
                + (f", at least {least} is wanted" if least else ""),
            )
        falls = all(scores[weak] <= scores[firm] + slack[weak] for firm, weak in pairwise(grades))
        yield verdict(
            f"reader_{kind}_falls",
            falls,
            " > ".join(f"{scores[grade]:.3f}" for grade in grades),
            f"accuracy with evidence {', '.join(grades)}: must not rise",
        )
        majority, without = tally.majority(TOLERANCE[kind]), tally.accuracy_without()
        yield verdict(
            f"reader_{kind}_without_interview",
            not grades or without <= majority + _ABOVE_MAJORITY + _slack(tally.total.total()),
            round(without, 4),
            f"accuracy without the interview; the best constant answer has {majority:.4f}, at "
            f"most {_ABOVE_MAJORITY} more is wanted; with the interview {tally.accuracy():.4f}",
        )


_CHECKS: tuple[Callable[[_Built], Iterator[Audit]], ...] = (
    _counts,
    _ids,
    _answers,
    _unchanged,
    _grades,
    _structure,
)


def _of_topic(table: pa.Table, topic: str) -> pa.Table:
    return table.filter(pc.field("topic") == topic)
