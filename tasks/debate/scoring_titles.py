"""A language model's verdicts on debate titles (`debate_title_filter`) inside lm-eval.

A title has no gold answer. The verdicts are described by how many titles they let through, and how
often they are those of the rules of `dataset_builders.debate.titles`, which they stand in for.

accepted    share of the titles with a verdict that can be read as a statement
agreement   share of the titles with a verdict on which the rules come to the same
parse_rate  share of the answers that could be read
n_titles    how many titles the model was asked about
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from otherminds.metrics.debate.prediction import parse_yes_or_no
from otherminds.metrics.debate.ranges import RANGES
from otherminds.metrics.ranges import cut
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import Record, Totals
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.types import Doc

ANSWERS = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """The verdict of each run on one title (None: unread), and whether the rules accept it."""

    item_id: str
    by_rules: bool
    verdicts: tuple[bool | None, ...]

    def single_runs(self) -> list[Verdict]:
        """The same title with the verdict of each run."""
        return [replace(self, verdicts=(verdict,)) for verdict in self.verdicts]

    @staticmethod
    def totals(records: Sequence[Verdict]) -> Totals:
        """The metrics above; every title is a cluster of its own."""
        return Totals(cut(_estimates(records), RANGES), {"n_titles": len(records)})


def _read(doc: Doc, texts: Texts) -> Verdict:
    return Verdict(doc["item_id"], doc["rejected_as"] is None, tuple(map(parse_yes_or_no, texts)))


def _scores(verdict: Verdict) -> Scores:
    said = verdict.verdicts
    return {
        "accepted": [None if one is None else float(one) for one in said],
        "agreement": [None if one is None else float(one is verdict.by_rules) for one in said],
        "parse_rate": [float(one is not None) for one in said],
    }


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    title: str
    rejected_as: str | None


def check_doc(doc: Any) -> None:
    """Raises pydantic's ValidationError for anything but a document of `debate_title_filter`."""
    _Doc.model_validate(doc)


def _estimates(records: Sequence[Verdict]) -> dict[str, Estimate]:
    # A repeat is not a further title: a title's value is the mean over the runs that could be read.
    read = [(record, [said for said in record.verdicts if said is not None]) for record in records]
    parsed = [len(said) / len(record.verdicts) for record, said in read]
    estimates = {"parse_rate": clustered_mean(parsed, partition([r.item_id for r in records]))}
    judged = [(record, said) for record, said in read if said]
    if judged:
        titles = partition([record.item_id for record, _ in judged])
        accepted = [sum(said) / len(said) for _, said in judged]
        same = [sum(one is record.by_rules for one in said) / len(said) for record, said in judged]
        estimates["accepted"] = clustered_mean(accepted, titles)
        estimates["agreement"] = clustered_mean(same, titles)
    return estimates


text = Scorer(
    metrics={"accepted": None, "agreement": None, "parse_rate": True},
    counts=("n_titles",),
    read=_read,
    scores=_scores,
    check_doc=check_doc,
).text
