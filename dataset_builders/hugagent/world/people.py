"""Who a person is: demographics, and values and manner of speaking, which all topics share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import pick_weighted
from otherminds.dataset_builders.hugagent import people
from otherminds.dataset_builders.hugagent.schema import LEANING, Content
from otherminds.dataset_builders.hugagent.wording import VALUES
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.claims import Manner
from otherminds.types import FloatArray

LEANINGS: Final = ("very liberal", "liberal", "moderate", "conservative", "very conservative")
"""From −2 to 2."""

LEVELS: Final = (-1, 0, 1)
"""How a person holds a value: low, neither, high."""

_LEVEL_WEIGHTS: Final = (0.3, 0.4, 0.3)

PROFILES: Final[tuple[tuple[int, ...], ...]] = tuple(itertools.product(LEVELS, repeat=len(VALUES)))
"""All ways of holding the four values, in a fixed order."""

PROFILE_TABLE: Final[FloatArray] = np.array(PROFILES, dtype=np.float64)
"""The same as numbers, of shape (81, 4)."""


@dataclass(frozen=True)
class Person:
    """One simulated person."""

    number: int
    demographics: Mapping[str, str]
    values: Mapping[str, int]
    manner: Manner

    @property
    def participant_id(self) -> str:
        """S0001 for the first person."""
        return f"S{self.number + 1:04d}"

    @property
    def leaning(self) -> int:
        """Political leaning from −2 (very liberal) to 2 (very conservative)."""
        return leaning_of(self.demographics)

    @property
    def profile(self) -> int:
        """The place of the person's values in PROFILES."""
        return PROFILES.index(tuple(self.values[name] for name in VALUES))


def leaning_of(demographics: Mapping[str, str]) -> int:
    """Political leaning, from −2 to 2."""
    return LEANINGS.index(demographics[LEANING]) - 2


def draw_person(rng: np.random.Generator, number: int, content: Content) -> Person:
    """Draw one person: first demographics, then the values, which depend on political leaning alone."""
    shown = people.draw_person(rng, content).demographics
    chances = profile_chances(leaning_of(shown))
    profile = pick_weighted(rng, PROFILES, list(chances))
    return Person(
        number, shown, dict(zip(VALUES, profile, strict=True)), _draw_manner(rng, int(shown["age"]))
    )


@cache
def profile_chances(leaning: int) -> FloatArray:
    """The probability of each of PROFILES at a political leaning; values are independent given it."""
    pulls = parameters.surveys().values
    chances = np.ones(len(PROFILES))
    for place, name in enumerate(VALUES):
        weights = [
            weight * math.exp(pulls[name].pull * leaning / 2.0 * level)
            for weight, level in zip(_LEVEL_WEIGHTS, LEVELS, strict=True)
        ]
        shares = dict(zip(LEVELS, np.array(weights) / sum(weights), strict=True))
        chances *= np.array([shares[profile[place]] for profile in PROFILES])
    return np.round(chances, 12)


def _draw_manner(rng: np.random.Generator, age: int) -> Manner:
    older = age >= 50
    return Manner(
        verbosity=pick_weighted(rng, ("terse", "plain", "talkative"), (0.3, 0.4, 0.3)),
        certainty=pick_weighted(rng, ("hedging", "even", "flat"), (0.33, 0.34, 0.33)),
        register=pick_weighted(
            rng, ("plain", "casual", "formal"), (1.3, 0.8 if older else 1.2, 0.9 if older else 0.6)
        ),
        habit=pick_weighted(rng, ("family", "job", "numbers", "place"), (1.0, 1.0, 1.0, 1.0)),
        examples=round(float(rng.beta(2.0, 2.0)), 3),
        digressions=round(float(rng.beta(1.5, 3.0)), 3),
    )
