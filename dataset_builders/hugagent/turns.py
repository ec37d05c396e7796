"""One exchange of an interview."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """One question and its answer; a masked one is never shown with an item."""

    kind: str
    question: str
    answer: str
    masked: bool = False
