"""How likely a simulated person's beliefs are, and how stance and weights arise, move, and are reported.

Everything here is deterministic: labels are these numbers and nothing else. Vectors run over the
person's reasons, the factors that have an edge with a sign into the stance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from otherminds.dataset_builders.hugagent.population import BELIEFS
from otherminds.dataset_builders.hugagent.schema import Factor, Topic
from otherminds.types import FloatArray

LOWEST_STANCE, HIGHEST_STANCE = 1, 10
LOWEST_RATING, HIGHEST_RATING = 1, 5


class Rates(NamedTuple):
    """The constants of the update rule."""

    stance: float = 4.0
    """η_s: points of stance per unit of Σ sign · weight · Δf."""

    weight: float = 0.35
    """η_w: weight per unit of M Δf."""

    spread: float = 0.5
    """κ: the part of a factor's change that reaches a neighbouring factor's weight."""


RATES = Rates()


def rounded(value: float) -> float:
    """Six decimals: what the last bits of a mathematical library decide must not reach a label."""
    return round(float(value), 6)


def initial_stance(
    signs: FloatArray,
    weights: FloatArray,
    policy_pull: float,
    other: float,
    *,
    belief_gain: float,
    value_gain: float,
) -> float:
    """s₀ = clip(5.5 + a Σ sign_u w_u + b · pull + other, 1, 10).

    `signs` and `weights` have shape (n_reasons,); `policy_pull` is values · policy loading;
    `other` is the sum of the demographic prior and noise; a = `belief_gain`, b = `value_gain`.
    """
    level = 5.5 + belief_gain * float(signs @ weights) + value_gain * policy_pull + other
    return rounded(_on_scale(level))


def stance_after(
    stance: float, signs: FloatArray, weights: FloatArray, deltas: FloatArray, rates: Rates = RATES
) -> float:
    """s' = clip(s + η_s Σ_u sign_u w_u Δf_u, 1, 10); vectors of shape (n_reasons,)."""
    return rounded(_on_scale(stance + rates.stance * float((signs * weights) @ deltas)))


def spread_matrix(links: FloatArray, rates: Rates = RATES) -> FloatArray:
    """M = I + κ |A|ᵀ, with A[u, v] the weight of the edge u → v between reasons.

    A change in u is felt in u itself and, weakened by κ, in every reason that u affects; the sign
    of the effect does not matter, because a reason that is stirred either way weighs more.
    """
    spread: FloatArray = np.eye(len(links)) + rates.spread * np.abs(links).T
    return spread


def weights_after(
    weights: FloatArray, links: FloatArray, deltas: FloatArray, rates: Rates = RATES
) -> FloatArray:
    """w' = Normalize(w + η_w M Δf): negative weights become 0, then the largest becomes 1.

    Raises ValueError when no reason keeps a positive weight.
    """
    return normalized(weights + rates.weight * (spread_matrix(links, rates) @ deltas))


def normalized(weights: FloatArray) -> FloatArray:
    """Weights in [0, 1], the largest being 1; negative ones become 0.

    Raises ValueError when there is no positive weight to scale by.
    """
    kept: FloatArray = np.clip(weights, 0.0, None)
    if kept.size == 0 or float(kept.max()) <= 0.0:
        raise ValueError("No reason has a positive weight, so the weights cannot be normalized.")
    scaled: FloatArray = np.round(kept / kept.max(), 6)
    return scaled


def reported_stance(stance: float) -> int:
    """The stance as the person would give it: the nearest whole number, halves up."""
    return math.floor(stance + 0.5)


def reported_weights(weights: FloatArray) -> list[int]:
    """The ratings 1 + round(4 w_k / max w), halves up, of weights of shape (n_reasons,)."""
    shares = np.round(4.0 * normalized(weights), 6)
    return [LOWEST_RATING + math.floor(share + 0.5) for share in shares]


def _on_scale(stance: float) -> float:
    return min(max(stance, float(LOWEST_STANCE)), float(HIGHEST_STANCE))


def positive_log_odds(factor: Factor, values: Mapping[str, float]) -> float:
    """Log-odds that a person with these values sees the factor as speaking for the policy."""
    return value_slope(factor) * factor.loading.dot(values) + BELIEFS.prior_slope * factor.prior


def value_slope(factor: Factor) -> float:
    """Log-odds per unit of loading · values.

    The surer everybody is about a factor, the less values decide: hardly anybody is glad of debt.
    """
    return BELIEFS.value_slope * (BELIEFS.contest - abs(factor.prior))


def link_log_odds(topic: Topic, source: str, target: str, liking: Mapping[str, float]) -> float:
    """Log-odds that a person sees `source` as raising `target`.

    `liking` runs from −1 (speaks against the policy) to 1 (for it). People tend to think that what
    they like brings about what they like.
    """
    return (
        BELIEFS.link_slope * topic.effect(source, target)
        + BELIEFS.halo * liking[source] * liking[target]
    )


def logistic(log_odds: float) -> float:
    """1 / (1 + exp(−x))."""
    return rounded(1.0 / (1.0 + math.exp(-log_odds)))
