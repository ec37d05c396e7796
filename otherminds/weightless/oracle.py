"""Models that read the gold answer: they exist to test tasks and metrics."""

from __future__ import annotations

from otherminds.tasks.socialmindchange.weightless import rewritten_scene
from otherminds.tasks.synchtom.weightless import oracle_answer
from otherminds.weightless.questions import Doc, Untaught, answer_space, draw, gold_index


class Oracle(Untaught):
    """The gold answer. For tests only."""

    def choose(self, doc: Doc, run: int) -> int:
        """The gold answer."""
        return gold_index(doc)

    def write(self, doc: Doc, run: int) -> str:
        """The reply that states all that is wanted; nothing where that is not known."""
        return oracle_answer(doc) or rewritten_scene(doc) or ""


class CorruptedOracle(Oracle):
    """The gold answer, replaced by a uniformly drawn other one at a given rate. For tests only."""

    def __init__(self, rate: float = 0.3, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"The corruption rate must lie between 0 and 1, not {rate}.")
        self._rate = rate
        self._seed = seed

    def choose(self, doc: Doc, run: int) -> int:
        """The gold answer, or another one."""
        gold, size = gold_index(doc), len(answer_space(doc))
        if draw(self._seed, doc, run, "corrupt") / 2**64 >= self._rate:
            return gold
        return (gold + 1 + draw(self._seed, doc, run, "other") % (size - 1)) % size
