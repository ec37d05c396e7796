"""The outcome of a pass over the board's repository."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rich.table import Table

from otherminds import console
from otherminds.leaderboard.records.moderation import Action


@dataclass(frozen=True)
class Done:
    """The outcome for a pull request; `pull_request` is None for files on main.

    action  "moved" where it changed while it was looked at, "failed" where a step could not be done, and
            "waiting" where this pass does not have its season: the next one does it. "unvouched" of
            folders on main that were never accepted
    """

    pull_request: int | None
    submission: str | None
    action: Action | Literal["moved", "failed", "waiting", "unvouched"]
    detail: str = ""


def table(done: Iterable[Done]) -> Table:
    """The outcome of a pass, for a terminal."""
    headings = ("Pull request", "Submission", "Outcome", "Reasons and flags")
    rows = []
    for one in done:
        number = "on main" if one.pull_request is None else f"#{one.pull_request}"
        rows.append((number, one.submission or "", one.action, one.detail))
    return console.table(console.texts(*headings, fit="words"), rows, look=console.Look.BOXED)
