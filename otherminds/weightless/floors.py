"""Floors: random, one constant answer, and the majority's."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import ClassVar

from otherminds.weightless.questions import Asked, draw, known_answers
from otherminds.weightless.strategy import Strategy, Writer


class Random(Writer):
    """Uniform over the answer space; each document and repeat has its own seeded draw."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, asked: Asked, run: int) -> int:
        """A uniform draw that depends on seed, item and run alone."""
        return draw(self._seed, asked.identity, run, "choice") % len(asked.answers)

    def write(self, asked: Asked, run: int) -> str:
        """A reply drawn uniformly; the blank one where the benchmark has no replies to draw from."""
        return asked.questions.random_reply(asked.doc, run, self._seed)


class Constant(Strategy):
    """The first answer of the answer space, whatever is asked: A of letters, the low end of a scale.

    It learns nothing from anybody; the answer that most people gave to each question is `majority`,
    which scores more.
    """

    def choose(self, asked: Asked, run: int) -> int:
        """Always 0."""
        return 0


class Majority(Strategy):
    """The most frequent gold answer that *other* people gave to the same kind of question.

    The kinds are those of the benchmark (`Questions.kinds`): the same question, where people are asked
    the same; where no other person answered it, a broader kind, such as the topic. A tie goes to the
    lowest index. Two answers also count as tied, where a person gave several of this kind, unless one
    leads by more than chance would give: where the letters are balanced, whatever a person adds to one
    side is missing on the other people's, and the mode of these would be right less often than a coin.
    With no other people at all the answer is the middle of the space.
    """

    learns: ClassVar[bool] = True

    def __init__(self) -> None:
        self._counts: dict[Hashable, Counter[int]] = defaultdict(Counter)

    def fit(self, asked: Iterable[Asked]) -> None:
        """Count answers by kind of question, and by kind and person; those shown of people too."""
        for person, one in known_answers(asked):
            for kind in one.kinds:
                self._counts[kind][one.gold] += 1
                self._counts[kind, person][one.gold] += 1

    def choose(self, asked: Asked, run: int) -> int:
        """The mode among other people's answers to this kind of question."""
        return self._mode(asked, asked.person)

    def _mode(self, asked: Asked, person: str) -> int:
        for kind in asked.kinds:
            own = self._counts[kind, person]
            others = self._counts[kind] - own
            if others and asked.is_two_sided and own.total() > 1 and _is_balanced(others):
                return 0
            if others:
                return min(others, key=lambda index: (-others[index], index))
        return (len(asked.answers) - 1) // 2


def _is_balanced(counts: Counter[int]) -> bool:
    """Whether the lead of the first of two answers is within two standard errors of none."""
    lead = abs(counts[0] - counts[1])
    return lead <= 2 * math.sqrt(counts.total())
