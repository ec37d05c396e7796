"""How large a difference between two models must be for a data set to show it."""

from __future__ import annotations

import math

from scipy.special import stdtrit

from otherminds.metrics.errors import MetricError
from otherminds.metrics.uncertainty import LEVEL

POWER = 0.8


def minimum_detectable_effect(
    stderr: float, n_clusters: int, *, power: float = POWER, level: float = LEVEL
) -> float:
    """Smallest true difference that a two-sided test at 1 - `level` finds with probability `power`:

    MDE = (t_{(1 + level)/2, G-1} + t_{power, G-1}) · SE

    stderr      SE of the difference, in the metric's unit, which is also the unit of the result
    n_clusters  G

    It is a property of the design (how many clusters, how much they vary), not of the difference that
    was observed: whether that is above or below the MDE adds nothing to its p-value. The power of the
    t test follows a noncentral t distribution; this is the usual approximation by a shifted t,
    whose power is within a point of `power` = 0.8 from five clusters on.

    NaN with fewer than two clusters, for a NaN SE, and for SE = 0: where no cluster differs from
    another one (say, a model against its copy) nothing is known about what other models would show.
    Raises MetricError for a negative or infinite SE, or unless 0.5 <= power < 1 and 0 < level < 1.
    """
    if stderr < 0 or math.isinf(stderr):
        raise MetricError(f"Standard error {stderr}: give a finite number that is not negative.")
    if not 0.5 <= power < 1:
        raise MetricError(f"Power {power}: give a number from 0.5 to below 1, such as 0.8.")
    if not 0 < level < 1:
        raise MetricError(f"Confidence level {level}: give a number between 0 and 1, such as 0.95.")
    if n_clusters < 2 or math.isnan(stderr) or stderr == 0:
        return math.nan
    freedom = n_clusters - 1
    return float(stdtrit(freedom, (1 + level) / 2) + stdtrit(freedom, power)) * stderr


def mde_of_two(
    stderr_of_one: float,
    n_clusters: int,
    correlation: float = 0.0,
    *,
    power: float = POWER,
    level: float = LEVEL,
) -> float:
    """MDE between two models that are yet to be run, given the standard error of one score.

    SE_diff = SE · sqrt(2·(1 - ρ)), then as `minimum_detectable_effect`.

    stderr_of_one  SE of one model's score, assumed to be the same for both
    correlation    ρ of the two models' scores over resampled clusters. On shared items it is as a rule
                   positive (what is hard for one model is hard for the other), so 0 is cautious

    Raises MetricError unless -1 <= ρ <= 1, and as `minimum_detectable_effect`.
    """
    if not -1 <= correlation <= 1:
        raise MetricError(f"Correlation {correlation}: give a number from -1 to 1.")
    stderr = stderr_of_one * math.sqrt(2 * (1 - correlation))
    return minimum_detectable_effect(stderr, n_clusters, power=power, level=level)
