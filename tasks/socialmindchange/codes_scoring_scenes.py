"""Scenes that a model told anew (`socialmindchange_codes_render`) inside lm-eval.

A scene has no gold text. The scores say how many pass the checks of
`dataset_builders.socialmindchange.codes.rerender`, why others do not, and how much is new in those that
do.

accepted    share of the scenes that can be taken; a reply without a scene counts as one that cannot
new_words   share of the words of an accepted scene that the original does not have, mean over accepted
            scenes; 0 for copies, so that `accepted` alone says nothing
parse_rate  share of the replies that have a scene in the form that was asked for
n_scenes, n_stages, n_changed   how many scenes of how many stages were asked for, and of how many an
            accepted telling differs from the original
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.dataset_builders.socialmindchange.codes.rerender import REASONS
from otherminds.metrics.socialmindchange.ranges import RANGES
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import Record, Totals, plain
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.tasks.socialmindchange.codes_rendering import verdict
from otherminds.types import Doc

NO_SCENE = "no_scene"
"""The reason where a reply has no scene in the form that was asked for."""


@dataclass(frozen=True, slots=True)
class Retold(Record):
    """The outcome for one scene in each run.

    reasons    why it was not taken, none where it was
    changed    whether it was taken and is another scene than the original
    new_words  where it was taken, the share of its words that are new
    """

    stage_id: str
    reasons: tuple[tuple[str, ...], ...]
    changed: tuple[bool, ...]
    new_words: tuple[float | None, ...]

    @property
    def parsed(self) -> tuple[bool, ...]:
        """By run, whether the reply had a scene."""
        return tuple(NO_SCENE not in found for found in self.reasons)

    @property
    def accepted(self) -> tuple[bool, ...]:
        """By run, whether the scene can be taken."""
        return tuple(not found for found in self.reasons)

    @staticmethod
    def totals(records: Sequence[Retold]) -> Totals:
        """The metrics above."""
        return Totals(_estimates(records), _counts(records))

    @classmethod
    def details(cls, records: Sequence[Retold]) -> dict[str, Any]:
        """All estimates with intervals and n; by_reason has the share of scenes that each reason met.

        A scene may be refused for several reasons, so that these shares can add up to more than is
        refused.
        """
        return {
            "estimates": plain(_estimates(records), RANGES),
            "counts": _counts(records),
            "by_reason": {
                reason: plain({"refused": found}, RANGES)
                for reason, found in _refused(records).items()
            },
        }


def _read(doc: Doc, texts: Texts) -> Retold:
    found = [verdict(doc, reply) for reply in texts]
    return Retold(
        doc["stage_id"],
        tuple((NO_SCENE,) if one is None else one.reasons for one in found),
        tuple(one is not None and one.changed for one in found),
        tuple(None if one is None else one.new_words for one in found),
    )


def _scores(retold: Retold) -> Scores:
    return {
        "accepted": [float(one) for one in retold.accepted],
        "new_words": retold.new_words,
        "parse_rate": [float(one) for one in retold.parsed],
    }


def _estimates(records: Sequence[Retold]) -> dict[str, Estimate]:
    # A repeat is not a further scene: a scene's value is the mean over its runs.
    stages = partition([record.stage_id for record in records])
    estimates = {
        "accepted": clustered_mean([_mean(record.accepted) for record in records], stages),
        "parse_rate": clustered_mean([_mean(record.parsed) for record in records], stages),
    }
    taken = [record for record in records if any(record.accepted)]
    if taken:
        new = [_mean([one for one in record.new_words if one is not None]) for record in taken]
        of_taken = partition([record.stage_id for record in taken])
        estimates["new_words"] = clustered_mean(new, of_taken)
    return estimates


def _refused(records: Sequence[Retold]) -> dict[str, Estimate]:
    stages = partition([record.stage_id for record in records])
    return {
        reason: clustered_mean(
            [_mean([reason in found for found in record.reasons]) for record in records], stages
        )
        for reason in (NO_SCENE, *REASONS)
        if any(reason in found for record in records for found in record.reasons)
    }


def _counts(records: Sequence[Retold]) -> dict[str, int]:
    return {
        "n_scenes": len(records),
        "n_stages": len({record.stage_id for record in records}),
        "n_changed": sum(any(record.changed) for record in records),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


text = Scorer(
    metrics={"accepted": True, "new_words": None, "parse_rate": True},
    counts=("n_scenes", "n_stages", "n_changed"),
    read=_read,
    scores=_scores,
).text
