"""Mean of items that come in clusters, with a standard error that knows it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.clusters import Clusters
from otherminds.metrics.errors import MetricError
from otherminds.metrics.estimate import LEVEL, Estimate, estimate


def clustered_mean(values: ArrayLike, clusters: Clusters, *, level: float = LEVEL) -> Estimate:
    """Mean x̄ of `values` (shape (N,)) with its cluster-robust standard error, over G clusters:

    SE = sqrt( G/(G-1) · Σ_g ( Σ_{i in g} (x_i - x̄) )² ) / N

    With one item per cluster this is the ordinary standard error s/sqrt(N). With G = 1 the standard
    error and the interval are NaN.

    Raises MisalignedInput unless there is one value per item, MetricError for a NaN or infinite
    value (leave missing items out beforehand, together with their cluster ids).
    """
    x = np.asarray(values, dtype=np.float64)
    totals = clusters.totals(x)
    if not np.isfinite(x).all():
        raise MetricError("A value is NaN or infinite: leave that item out, with its cluster id.")
    n, g = x.size, clusters.count
    mean = float(x.mean())
    residuals = totals - mean * clusters.totals(np.ones(n))
    stderr = math.nan
    if g > 1:
        stderr = math.sqrt(g / (g - 1) * float(residuals @ residuals)) / n
    return estimate(mean, stderr, n=n, n_clusters=g, level=level)
