"""The leaderboard's board: a static page from accepted submissions."""

from __future__ import annotations

from otherminds.leaderboard.board.entries import Entry, ItemScores
from otherminds.leaderboard.board.reading import accepted
from otherminds.leaderboard.board.site import build
from otherminds.leaderboard.records.boards import (
    Anchor,
    Board,
    Column,
    Published,
    References,
    Source,
    load,
)

__all__ = [
    "Anchor",
    "Board",
    "Column",
    "Entry",
    "ItemScores",
    "Published",
    "References",
    "Source",
    "accepted",
    "build",
    "load",
]
