from __future__ import annotations

import numpy as np
import pytest

from otherminds.metrics.debate import Belief

CATEGORIES = ("Arts", "Politics", "Religion")


class Make:
    """Small and simulated sets of items."""

    @staticmethod
    def belief(
        name: str,
        user: str,
        agrees: bool,
        *answers: bool | None,
        category: str = "Religion",
        n_known: int = 3,
    ) -> Belief:
        return Belief(name, user, category, n_known, agrees, answers)

    @classmethod
    def population(
        cls, people: int, *, runs: int = 1, seed: int = 0, skill: float = 0.7, unread: float = 0.05
    ) -> list[Belief]:
        """Simulated people with one to five beliefs each, answered rightly with probability `skill`."""
        rng = np.random.default_rng(seed)
        items = []
        for p in range(people):
            known = int(rng.choice([0, 2, 8, 15, 30, 70]))
            for k in range(int(rng.integers(1, 6))):
                agrees = bool(rng.random() < 0.6)
                answers = tuple(
                    None if rng.random() < unread else agrees == bool(rng.random() < skill)
                    for _ in range(runs)
                )
                category = CATEGORIES[rng.integers(3)]
                items.append(
                    cls.belief(
                        f"{p}-{k}", f"U{p:03}", agrees, *answers, category=category, n_known=known
                    )
                )
        return items


@pytest.fixture(scope="session")
def make() -> type[Make]:
    return Make
