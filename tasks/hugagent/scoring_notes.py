"""The notes of experts, first stage of `hugagent_reflections`, inside lm-eval.

Notes have no gold answer. What can be said of them is whether they are there: an expert who wrote
nothing leaves a gap in the prompts of the next stage.

answered    share of documents with a reply of which the next stage shows something
words       words in these replies, mean
n_people    how many people the documents are about
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from otherminds.metrics.clusters import clustered_mean, partition
from otherminds.metrics.estimate import Estimate
from otherminds.scoring.base import (
    Aggregation,
    ItemScores,
    aggregation,
    item_scores,
    numbers,
    plain,
    with_errors,
)
from otherminds.tasks.hugagent.reflections import visible
from otherminds.tasks.hugagent.scoring import Doc


class Notes(NamedTuple):
    """How many words each run's notes have on one person and topic, by one expert."""

    participant_id: str
    words: tuple[int, ...]

    @staticmethod
    def details(records: Sequence[Notes]) -> dict[str, Any]:
        """All estimates with intervals and n."""
        return {"estimates": plain(_estimates(records))}


def text(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the notes (one per run) that an expert wrote."""
    record = Notes(doc["participant_id"], tuple(len(visible(t).split()) for t in results[0]))
    own: dict[str, list[float | None]] = {
        "answered": [float(words > 0) for words in record.words],
        "words": [float(words) if words else None for words in record.words],
    }
    return item_scores(record, own, _NAMES)


_NAMES = (*with_errors(("answered", "words")), "n_people")


def _summary(records: tuple[Notes, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use."""
    people = {record.participant_id for record in records}
    return numbers(_estimates(records), {"n_people": float(len(people))}, _NAMES)


def _estimates(records: Sequence[Notes]) -> dict[str, Estimate]:
    people = partition([record.participant_id for record in records])
    # A repeat is no further document: a document's value is the mean over its runs.
    answered = [sum(w > 0 for w in record.words) / len(record.words) for record in records]
    estimates = {"answered": clustered_mean(answered, people)}
    written = [record for record in records if any(record.words)]
    if written:
        lengths = [sum(r.words) / sum(w > 0 for w in r.words) for r in written]
        writers = partition([record.participant_id for record in written])
        estimates["words"] = clustered_mean(lengths, writers)
    return estimates


def __getattr__(name: str) -> Aggregation:
    if name in _NAMES:
        return aggregation(_summary, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
