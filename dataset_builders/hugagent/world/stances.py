"""How stances and the signs of beliefs depend on political leaning, values and each other.

All probabilities are functions of a state (values, stance, firmness), given which beliefs are
independent of each other: a reader can add up over all states and be exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.schema import Factor, Topic
from otherminds.dataset_builders.hugagent.wording import VALUES
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.parameters import TopicParameters
from otherminds.dataset_builders.hugagent.world.people import PROFILE_TABLE, profile_chances
from otherminds.types import FloatArray

STANCES: Final = tuple(range(1, 11))
FIRMNESSES: Final = (0, 1, 2)
ENGAGEMENTS: Final = (-1, 0, 1)
ENGAGEMENT_SHARES: Final = (0.3, 0.4, 0.3)
"""How much the reasons on a topic count for a person at all: little, middling, much."""

_LEANING_SHARES: Final = {-2: 0.09, -1: 0.23, 0: 0.36, 1: 0.23, 2: 0.09}
"""For placing the cuts between opinions only."""

_VALUE_PULL: Final = 0.8
_PRIOR_SLOPE: Final = 1.5
_VALUE_SLOPE: Final = 3.0
_STANCE_SLOPE: Final = 0.9
_LINK_SLOPE: Final = 1.5


def stance_chances(topic: str, known: TopicParameters, leaning: int) -> FloatArray:
    """P(opinion | values), of shape (81, 10), at a political leaning."""
    return _stance_chances(topic, known.stance, leaning)


@cache
def _stance_chances(topic: str, stance: tuple[float, ...], leaning: int) -> FloatArray:
    edges = np.concatenate(([-np.inf], _cuts(topic, stance), [np.inf]))
    below = _normal(edges[None, :] - _centers(topic, leaning)[:, None])
    return np.diff(below, axis=1)


def firmness_chances(known: TopicParameters) -> FloatArray:
    """P(firmness | opinion), of shape (10, 3)."""
    rows = []
    for stance in STANCES:
        settled = known.settled_end if stance in (STANCES[0], STANCES[-1]) else known.settled_middle
        easily = (1.0 - settled) * known.easily_moved
        rows.append((settled, 1.0 - settled - easily, easily))
    return np.array(rows)


def rating_chances(known: TopicParameters) -> FloatArray:
    """P(rating | engagement), of shape (3, 5)."""
    tilt = known.engagement * np.arange(5) / 4.0
    weights = np.array(known.rating)[None, :] * np.exp(np.array(ENGAGEMENTS)[:, None] * tilt)
    chances: FloatArray = np.round(weights / weights.sum(axis=1, keepdims=True), 9)
    return chances


def positive_chances(factor: Factor) -> FloatArray:
    """P(the person sees the factor as speaking for the policy | values, opinion), of shape (81, 10)."""
    loading = np.array([getattr(factor.loading, name) for name in VALUES])
    by_values = _PRIOR_SLOPE * factor.prior + _VALUE_SLOPE * PROFILE_TABLE @ loading / 2.0
    by_stance = _STANCE_SLOPE * (np.array(STANCES) - 5.5) / 4.5
    chances: FloatArray = 1.0 / (1.0 + np.exp(-(by_values[:, None] + by_stance[None, :])))
    return np.round(chances, 9)


def link_chance(topic: Topic, source: str, target: str) -> float:
    """P(a person who joins the two thinks that more of `source` raises `target`)."""
    return round(1.0 / (1.0 + math.exp(-_LINK_SLOPE * topic.effect(source, target))), 9)


def typical_chance(topic: Topic, source: str, target: str | None) -> float:
    """P(an unknown person holds the belief with a positive sign); `target` None is the stance."""
    if target is not None:
        return link_chance(topic, source, target)
    return round(1.0 / (1.0 + math.exp(-_PRIOR_SLOPE * topic.by_name[source].prior)), 9)


@cache
def _cuts(topic: str, stance: tuple[float, ...]) -> FloatArray:
    """The nine cuts that give the opinions their shares over everybody."""
    shares = np.array(stance)
    wanted = np.cumsum(shares / shares.sum())[:-1]
    centers = np.concatenate([_centers(topic, leaning) for leaning in _LEANING_SHARES])
    weights = np.concatenate(
        [share * profile_chances(leaning) for leaning, share in _LEANING_SHARES.items()]
    )
    low, high = np.full(9, -12.0), np.full(9, 12.0)
    for _ in range(60):
        middle = (low + high) / 2.0
        reached = weights @ _normal(middle[None, :] - centers[:, None]) / weights.sum()
        low, high = (
            np.where(reached < wanted, middle, low),
            np.where(reached < wanted, high, middle),
        )
    cuts: FloatArray = np.round((low + high) / 2.0, 6)
    return cuts


def _centers(topic: str, leaning: int) -> FloatArray:
    """Where each way of holding the values stands on the latent scale of support."""
    loading = content.load().topics[topic].policy_loading
    pull = np.array([getattr(loading, name) for name in VALUES])
    center: FloatArray = parameters.surveys().stance[topic].pull * leaning + _VALUE_PULL * (
        PROFILE_TABLE @ pull
    )
    return center


def _normal(values: FloatArray) -> FloatArray:
    """The distribution function of the normal distribution, to twelve decimals."""
    below: FloatArray = np.round(0.5 * (1.0 + _erf(values / math.sqrt(2.0))), 12)
    return below


_erf = np.vectorize(math.erf, otypes=[np.float64])


def value_told_chance(told: Mapping[str, int]) -> FloatArray:
    """P(these values are told, with these levels | values), of shape (81,).

    Two of the four values come up, drawn evenly; one that the person holds neither high nor low is
    not told.
    """
    total = np.zeros(len(PROFILE_TABLE))
    pairs = [(a, b) for a in range(len(VALUES)) for b in range(a + 1, len(VALUES))]
    for pair in pairs:
        fits = np.ones(len(PROFILE_TABLE))
        for place, name in enumerate(VALUES):
            if place in pair:
                fits *= PROFILE_TABLE[:, place] == told.get(name, 0)
            elif name in told:
                fits *= 0.0
        total += fits / len(pairs)
    return total
