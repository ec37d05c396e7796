"""Our scorer and our metrics as Inspect's: the same records, so the same numbers to the bit.

A score holds what its answer came to, and the metrics read the answers of all samples again: most of
our numbers are no means of single scores, and their errors are clustered by person.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from otherminds.on_inspect.logs import OWN
from otherminds.on_inspect.viewing import SCORER
from otherminds.samples.read import Rules, rules_of
from otherminds.scoring.base import is_answered
from otherminds.scoring.scorer import over_documents

UNREAD = "invalid_response_format"
"""Inspect's word for an answer that could not be parsed."""


@metric(scores="unreduced")
def over_people() -> Metric:
    """Every number of a task, each followed by its standard error, clustered by person.

    Epochs are repeated runs: each number is a mean over them. Documents that lack an epoch, as while
    a run goes on, are left out until it is there.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return numbers([_told(one) for one in scores if one.score.metadata])

    return compute


class Told(NamedTuple):
    """What a score says of an answer; `document` is without the evidence."""

    task: str
    place: int
    epoch: int
    document: Mapping[str, Any]
    reply: str


def numbers(told: Sequence[Told]) -> dict[str, float]:
    """The numbers of some answers to one task, by metric."""
    if not told:
        return {}
    rules = _rules(told[0].task)
    by_place: dict[int, dict[int, Told]] = {}
    for one in told:
        by_place.setdefault(one.place, {})[one.epoch] = one
    most = max(map(len, by_place.values()))
    # In the order of the documents: a sum depends on the order of what is added.
    whole = [by_place[place] for place in sorted(by_place) if len(by_place[place]) == most]
    scored = [
        rules.process(runs[min(runs)].document, [[runs[epoch].reply for epoch in sorted(runs)]])
        for runs in whole
    ]
    rows = rules.scorer.rows(takes_options=False)
    return {name: over_documents([one[name] for one in scored]) for name in rows}


@scorer(metrics=[over_people()], name=SCORER)
def graded(task: str) -> Scorer:
    """The scores of one answer to one of our tasks."""

    async def score(state: TaskState, target: Target) -> Score:
        return scored(
            _rules(task),
            task,
            state.metadata,
            reply=state.output.completion,
            epoch=state.epoch,
        )

    return score


def scored(rules: Rules, task: str, facts: Mapping[str, Any], *, reply: str, epoch: int) -> Score:
    """The score of one reply to the document that a sample's metadata has the facts of."""
    document = document_of(facts)
    record = rules.record(document, [[reply]])
    own = {name: _first(values) for name, values in rules.scorer.scores(record).items()}
    answer = record.view().answers[0] if is_answered(record) else None
    is_unread = is_answered(record) and answer is None
    about = facts[OWN]
    return Score(
        # Others are for breakdowns.
        value={name: own[name] for name in rules.metrics if own.get(name) is not None},
        answer=None if answer is None else str(answer),
        explanation=reply,
        reason=UNREAD if is_unread else None,
        metadata={
            "task": task,
            "place": about["place"],
            "epoch": epoch,
            # Metrics see the metadata that a sample began with.
            **({"document": document} if about["staged"] else {}),
        },
    )


def document_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The document that a sample's metadata has the facts of, without its evidence."""
    shown = {name: value for name, value in facts.items() if name != OWN}
    return {**shown, **facts[OWN]["more"]}


def _told(one: SampleScore) -> Told:
    facts = one.score.metadata or {}
    document = facts.get("document")
    return Told(
        task=facts["task"],
        place=facts["place"],
        epoch=facts["epoch"],
        document=document_of(one.sample_metadata or {}) if document is None else document,
        reply=one.score.explanation or "",
    )


def _first(values: Any) -> float | None:
    found = next(iter(values), None)
    return None if found is None or math.isnan(found) else float(found)


def _rules(task: str) -> Rules:
    found = rules_of(task)
    assert found is not None  # the scorer of one of our tasks
    return found
