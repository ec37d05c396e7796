"""The constants of the simulated population that are not statistics of one topic."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Grade: TypeAlias = Literal["stated", "hinted", "implied"]

GRADES: tuple[Grade, ...] = ("stated", "hinted", "implied")
"""How firmly the interview settles a fact, from firm to not at all."""


class Beliefs(NamedTuple):
    """How values become beliefs."""

    value_slope: float = 7.0
    """Log-odds of a positive effect on the stance per unit of loading · values, at most."""

    contest: float = 1.2
    """Of that, the part that counts for a factor is this less the size of its prior."""

    prior_slope: float = 2.4
    """Log-odds per unit of the content's prior for the factor."""

    halo: float = 0.4
    """Log-odds that a liked factor raises a liked one (or a disliked one lowers it)."""

    link_slope: float = 2.4
    """Log-odds per unit of the content's link between two factors."""

    least_weight: float = 0.02
    """No edge weighs less than this, so that no reason is pure noise."""


class Stances(NamedTuple):
    """How beliefs become an initial stance."""

    belief_gain: float = 1.25
    value_gain: float = 1.5
    noise_sd: float = 1.5
    leaning_gain: float = 0.25
    """The demographic prior: points per standard deviation of leaning, by the policy's loading."""


class Observation(NamedTuple):
    """How well the interview shows what the person believes."""

    stance: tuple[float, float, float] = (0.72, 0.15, 0.13)
    """Probabilities of stated, hinted, implied for the stance."""

    edge: tuple[float, float, float] = (0.72, 0.145, 0.135)
    """The same for each edge."""

    hint_is_right: float = 0.85
    """Probability that a hint at the sign of an edge points the right way."""

    coarse_is_right: float = 0.8
    """Probability that a hint at a weight or stance names the right coarse class."""


BELIEFS = Beliefs()
STANCES = Stances()
OBSERVATION = Observation()

STANCE = "stance"
"""The name of the stance node; all other nodes are named after factors."""

STANCE_BAND = 2
"""Points of stance in each of the five bands that people state."""

BUCKET_EDGES = (3.25, 5.5, 7.75)
"""Where the four buckets at which people hint divide the stance scale."""

COARSE_OF_RATING: dict[int, Literal["low", "mid", "high"]] = {
    1: "low",
    2: "low",
    3: "mid",
    4: "high",
    5: "high",
}
"""The coarse class of a rating on the 1–5 scale."""

LEAST_STANCE_EDGES = 4
LEAST_FACTOR_EDGES = 4
LEAST_BSI_CANDIDATES = 6
CONTEXT_LENGTH = (16, 44)
"""The fewest and most question–answer pairs that an item shows."""

SCENARIOS_ASKED = {"healthcare": 3, "surveillance": 2, "zoning": 3}
"""Scenario opinions asked of each person."""
