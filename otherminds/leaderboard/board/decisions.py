"""The last decisions of the moderation log, as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.leaderboard.records.moderation import Decision
from otherminds.page.text import label

SHOWN = 50


def told(decisions: Sequence[Decision]) -> list[list[str]]:
    """Date, action, submission, pull request and reasons of the last decisions, newest first."""
    return [
        [
            one.date.isoformat(),
            one.action,
            label(one.submission or "", 100),
            "" if one.pull_request is None else str(one.pull_request),
            label(one.detail or ", ".join(one.codes), 600),
        ]
        for one in reversed(decisions[-SHOWN:])
    ]
