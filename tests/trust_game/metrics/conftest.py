from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from otherminds.metrics.trust_game import Played, Stated

LEVELS = {"degree": ("none", "school", "college", "graduate"), "citizen": ("yes", "no")}


class Make:
    """Small and simulated populations."""

    @staticmethod
    def played(name: str, *sends: float | None, **levels: str) -> Played:
        return Played(name, levels, sends)

    @staticmethod
    def stated(
        attribute: str,
        levels: Sequence[str],
        *scores: Sequence[float] | None,
        eta: float | None = None,
    ) -> Stated:
        """The same effect size in every run that was stated."""
        return Stated(
            attribute,
            tuple(levels),
            tuple(None if one is None else tuple(one) for one in scores),
            tuple(None if one is None else eta for one in scores),
        )

    @staticmethod
    def population(
        people: int, *, runs: int = 1, seed: int = 0, effect: float = 1.0, unread: float = 0.0
    ) -> list[Played]:
        """Personas who send more with each degree: 2 + effect · (0 to 3) dollars, SD 1, whole cents."""
        rng = np.random.default_rng(seed)
        found = []
        for i in range(people):
            degree, citizen = int(rng.integers(4)), int(rng.integers(2))
            sends = tuple(
                None
                if rng.random() < unread
                else round(float(np.clip(rng.normal(2 + effect * degree, 1), 0, 10)), 2)
                for _ in range(runs)
            )
            levels = {"degree": LEVELS["degree"][degree], "citizen": LEVELS["citizen"][citizen]}
            found.append(Played(f"p{i:04}", levels, sends))
        return found

    @classmethod
    def true_ranking(cls, *, runs: int = 1) -> list[Stated]:
        """Degrees in the order of `population`, citizens above others."""
        return [
            cls.stated("degree", LEVELS["degree"], *[(0, 1, 2, 3)] * runs, eta=0.57),
            cls.stated("citizen", LEVELS["citizen"], *[(1, 0)] * runs, eta=0.1),
        ]


@pytest.fixture(scope="session")
def make() -> type[Make]:
    return Make
