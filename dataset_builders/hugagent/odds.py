"""How likely a person is to hold a belief, given their values."""

from __future__ import annotations

import math
from collections.abc import Mapping

from otherminds.dataset_builders.hugagent.dynamics import rounded
from otherminds.dataset_builders.hugagent.population import BELIEFS
from otherminds.dataset_builders.hugagent.schema import Factor, Topic


def positive_log_odds(factor: Factor, values: Mapping[str, float]) -> float:
    """Log-odds that a person with these values sees the factor as speaking for the policy."""
    return BELIEFS.value_slope * factor.loading.dot(values) + BELIEFS.prior_slope * factor.prior


def link_log_odds(
    topic: Topic, source: Factor, target: Factor, liking: Mapping[str, float]
) -> float:
    """Log-odds that a person sees `source` as raising `target`.

    `liking` runs from −1 (speaks against the policy) to 1 (for it). People tend to think that what
    they like brings about what they like.
    """
    return (
        BELIEFS.category_slope * topic.effect(source, target)
        + BELIEFS.halo * liking[source.name] * liking[target.name]
    )


def logistic(log_odds: float) -> float:
    """1 / (1 + exp(−x))."""
    return rounded(1.0 / (1.0 + math.exp(-log_odds)))
