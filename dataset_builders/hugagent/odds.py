"""How likely a person is to hold a belief, given their values."""

from __future__ import annotations

import math
from collections.abc import Mapping

from otherminds.dataset_builders.hugagent.dynamics import rounded
from otherminds.dataset_builders.hugagent.population import BELIEFS
from otherminds.dataset_builders.hugagent.schema import Factor, Topic


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
