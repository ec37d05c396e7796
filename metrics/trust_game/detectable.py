"""What a number of personas can show: noise, and the effect that a sample can tell from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.metrics.divergence import spearman_rows
from otherminds.metrics.errors import EmptyInput, MetricError

POWER = 0.8
ALPHA = 0.05

_DRAWS = 20_000
_SEED = 20_260_102


def noise_eta_squared(levels: int, personas: int) -> float:
    """The mean η² of a sample when an attribute has no effect at all: (L - 1)/(N - 1).

    It is exact for normal sends: SS_between / SS_total then has a Beta distribution with this mean.
    Raises MetricError unless 2 ≤ L < N.
    """
    _check(levels, personas)
    return (levels - 1) / (personas - 1)


def detectable_eta_squared(levels: int, personas: int) -> float:
    """The population η² that an F test at 5 % finds in 80 % of the samples.

    F of a one-way analysis of variance is noncentral F(L - 1, N - L, λ), λ = N η²/(1 - η²) (Cohen 1988,
    ch. 8). Raises MetricError unless 2 ≤ L < N.
    """
    # Slow to import, and few commands need it.
    from scipy.optimize import brentq
    from scipy.stats import f, ncf

    _check(levels, personas)
    between, within = levels - 1, personas - levels
    critical = f.ppf(1 - ALPHA, between, within)

    def missing(eta: float) -> float:
        return float(ncf.sf(critical, between, within, personas * eta / (1 - eta))) - POWER

    return float(brentq(missing, 1e-6, 1 - 1e-6))


def chance_median_rho(levels: Sequence[int]) -> float:
    """What the median ρ over attributes stays under, in absolute value, in 95 % of cases by chance.

    levels  how many levels each attribute has; of each, all orders are equally likely and independent

    By simulation with a fixed seed (20,000 draws). It does not depend on the number of personas: where
    an attribute has no effect, more of them make the order of the means no less random.
    Raises EmptyInput without attributes, MetricError for an attribute with fewer than two levels.
    """
    if not levels:
        raise EmptyInput("No attributes: give the number of levels of each.")
    if min(levels) < 2:
        raise MetricError(f"An attribute with {min(levels)} levels has no order.")
    rng = np.random.default_rng(_SEED)
    drawn = []
    for count in levels:
        orders = rng.permuted(np.tile(np.arange(count, dtype=np.float64), (_DRAWS, 1)), axis=1)
        drawn.append(spearman_rows(orders, np.arange(count, dtype=np.float64)))
    return float(np.quantile(np.abs(np.median(drawn, axis=0)), 1 - ALPHA))


def _check(levels: int, personas: int) -> None:
    if not 2 <= levels < personas:
        raise MetricError(
            f"{levels} levels and {personas} personas: an effect needs two levels or more, and more "
            "personas than levels."
        )
