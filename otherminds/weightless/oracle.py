"""Models that read the gold answer: they exist to test tasks and metrics."""

from __future__ import annotations

from typing import ClassVar

from otherminds.weightless.questions import Asked, draw
from otherminds.weightless.strategy import Writer


class Oracle(Writer):
    """The gold answer. For tests only."""

    reads_gold: ClassVar[bool] = True

    def choose(self, asked: Asked, run: int) -> int:
        """The gold answer."""
        return asked.gold

    def write(self, asked: Asked, run: int) -> str:
        """The reply that states all that is wanted; the blank one where that is not known."""
        return asked.questions.perfect_reply(asked.doc)


class CorruptedOracle(Oracle):
    """The gold answer, replaced by a uniformly drawn other one at a given rate. For tests only."""

    def __init__(self, rate: float = 0.3, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"The corruption rate must lie between 0 and 1, not {rate}.")
        self._rate = rate
        self._seed = seed

    def choose(self, asked: Asked, run: int) -> int:
        """The gold answer, or another one."""
        gold, size = asked.gold, len(asked.answers)
        if draw(self._seed, asked.identity, run, "corrupt") / 2**64 >= self._rate:
            return gold
        return (gold + 1 + draw(self._seed, asked.identity, run, "other") % (size - 1)) % size
