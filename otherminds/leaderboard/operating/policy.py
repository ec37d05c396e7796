"""The treatment of a submission once it is verified."""

from __future__ import annotations

from typing import Literal

from otherminds.leaderboard.judging.bounded import Judged

Verdict = Literal["accepted", "refused", "held", "waiting"]

HOLDING = frozenset(
    {
        "above-human-ceiling",
        "above-known-ceiling",
        "data-unavailable",
        "earlier-request",
        "gold-perfect",
        "look-alike-name",
        "name-taken",
        "near-duplicate",
        "same-answers-when-shuffled",
        "verification-too-costly",
        "withdrawn-before",
    }
)
"""Flags that a person looks at before a submission is accepted; others are only shown with it."""

WAITING = frozenset({"season-unknown", "season-day-unknown"})
"""Reasons that lie with this pass, which lacks a season, and not with the submission."""


def action(judged: Judged, *, is_seen: bool) -> Verdict:
    """Refused for any reason, held for some flags, accepted otherwise.

    "waiting" is nothing that is written down: the next pass looks again.

    is_seen  a person has looked: flags no longer hold it. It is still held if it was not verified.
    """
    if any(one.code in WAITING for one in judged.reasons):
        return "waiting"
    if judged.reasons:
        return "refused"
    if judged.verification is None:
        return "held"
    is_held = any(one.code in HOLDING for one in judged.flags)
    return "held" if is_held and not is_seen else "accepted"
