"""What is done with a submission once it is verified."""

from __future__ import annotations

from typing import Literal

from otherminds.leaderboard.bounded import Judged

HOLDING = frozenset(
    {
        "above-human-ceiling",
        "data-unavailable",
        "gold-perfect",
        "look-alike-name",
        "near-duplicate",
        "same-answers-when-shuffled",
        "verification-too-costly",
    }
)
"""Flags that a person looks at before a submission is accepted; others are only shown with it."""


def action(judged: Judged, *, merge_flagged: bool) -> Literal["accepted", "refused", "held"]:
    """Refused for any reason, held for some flags, accepted otherwise.

    merge_flagged  a person has looked: flags hold nothing. What could not be verified is still held.
    """
    if judged.reasons:
        return "refused"
    if judged.verification is None:
        return "held"
    is_held = any(one.code in HOLDING for one in judged.flags)
    return "held" if is_held and not merge_flagged else "accepted"
