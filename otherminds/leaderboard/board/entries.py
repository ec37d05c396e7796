"""The entries of a board: accepted submissions, with the score of every item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.record import Submission, Verification
from otherminds.metrics.uncertainty import Estimate
from otherminds.types import FloatArray


@dataclass(frozen=True)
class ItemScores:
    """A model's score on every item of one task.

    items   the items' ids, each once, in any order
    people  whom each item is about: the unit of all uncertainty
    parts   the part of the data that each item belongs to, such as a topic
    scores  shape (N,): the mean over repeated runs, in the unit that the board's `items` names

    Raises OtherMindsError when these do not fit each other or a score is not finite.
    """

    items: tuple[str, ...]
    people: tuple[str, ...]
    parts: tuple[str, ...]
    scores: FloatArray

    def __post_init__(self) -> None:
        lengths = {len(self.items), len(self.people), len(self.parts)}
        if lengths != {len(self.scores)} or not self.items:
            raise OtherMindsError("Item scores need one person, part and score for each item.")
        if len(set(self.items)) < len(self.items):
            raise OtherMindsError("Item scores name an item twice: give its mean over the runs.")
        if not np.isfinite(self.scores).all():
            raise OtherMindsError("An item's score is NaN or infinite: score it as the task does.")


@dataclass(frozen=True)
class Reduced:
    """Of N items of G people.

    layout  a hash of which item belongs to whom: models are comparable when theirs are the same
    sums    shape (G,): the sum of each person's item scores, people in sorted order
    counts  shape (G,): each person's items
    mean    over all items, with person-clustered uncertainty
    parts   the same by part, in sorted order
    """

    layout: str
    sums: FloatArray
    counts: FloatArray
    mean: Estimate
    parts: Mapping[str, Estimate]


@dataclass(frozen=True)
class Entry:
    """One accepted submission.

    id            the name of its folder
    record        the submission
    verification  the findings on it: the level, the day, flags, and recomputed metrics, which
                  the board shows in place of claimed ones
    answers       by task, each item's score or the sums of them; a task without them is shown, but
                  neither ranked nor compared
    """

    id: str
    record: Submission
    verification: Verification
    answers: Mapping[str, ItemScores | Reduced] = field(default_factory=dict)
