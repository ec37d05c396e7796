"""The notes of experts, first stage of `hugagent_reflections`, inside lm-eval.

Notes have no gold answer. They can only be checked for being there: an expert who wrote
nothing leaves a gap in the prompts of the next stage.

answered    share of documents with a reply of which the next stage shows something
words       words in these replies, mean
n_people    how many people the documents are about
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.metrics.hugagent.ranges import RANGES
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import Record, Totals, plain
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.tasks.hugagent.reflections import visible
from otherminds.types import Doc


@dataclass(frozen=True, slots=True)
class Notes(Record):
    """How many words each run's notes have on one person and topic, by one expert."""

    participant_id: str
    words: tuple[int, ...]

    @staticmethod
    def totals(records: Sequence[Notes]) -> Totals:
        """The metrics above, and of how many people."""
        people = {record.participant_id for record in records}
        return Totals(_estimates(records), {"n_people": float(len(people))})

    @classmethod
    def details(cls, records: Sequence[Notes]) -> dict[str, Any]:
        """All estimates with intervals and n."""
        return {"estimates": plain(_estimates(records), RANGES)}


def _read(doc: Doc, texts: Texts) -> Notes:
    return Notes(doc["participant_id"], tuple(len(visible(text).split()) for text in texts))


def _scores(notes: Notes) -> Scores:
    return {
        "answered": [float(words > 0) for words in notes.words],
        "words": [float(words) if words else None for words in notes.words],
    }


def _estimates(records: Sequence[Notes]) -> dict[str, Estimate]:
    people = partition([record.participant_id for record in records])
    # A repeat is not a further document: a document's value is the mean over its runs.
    answered = [sum(w > 0 for w in record.words) / len(record.words) for record in records]
    estimates = {"answered": clustered_mean(answered, people)}
    written = [record for record in records if any(record.words)]
    if written:
        lengths = [sum(r.words) / sum(w > 0 for w in r.words) for r in written]
        writers = partition([record.participant_id for record in written])
        estimates["words"] = clustered_mean(lengths, writers)
    return estimates


text = Scorer(
    metrics={"answered": True, "words": None}, counts=("n_people",), read=_read, scores=_scores
).text
