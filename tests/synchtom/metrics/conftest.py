"""Judged answers to measure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from otherminds.metrics.synchtom import Judged, Unscored

Make = Callable[..., list[Judged]]

SCENARIOS = ("culture", "education", "preference")


@pytest.fixture
def make() -> Make:
    """Random items: `n` instances, `runs` runs, a share of failed answers and judgements."""

    def items(
        n: int = 40,
        *,
        runs: int = 1,
        turns: tuple[int, ...] = (10,),
        skill: float = 0.5,
        failed: float = 0.0,
        seed: int = 1,
    ) -> list[Judged]:
        facts, rng = np.random.default_rng(7), np.random.default_rng(seed)
        found = []
        for number in range(n):
            a, b, c = (int(count) for count in facts.integers(2, 8, size=3))
            for shown in turns:
                marks = []
                for _ in range(runs):
                    drawn = rng.binomial((a, b, c), skill)
                    mark = (int(drawn[0]), int(drawn[1]), int(drawn[2]))
                    kind = rng.random()
                    if kind < failed / 2:
                        marks.append(Unscored.NO_ANSWER)
                    elif kind < failed:
                        marks.append(Unscored.NO_JUDGEMENT)
                    else:
                        marks.append(mark)
                scenario = SCENARIOS[number % len(SCENARIOS)]
                found.append(Judged(f"i{number:03}", scenario, shown, (a, b, c), tuple(marks)))
        return found

    return items
