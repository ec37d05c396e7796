"""Slopes: how much a value rises or falls with properties of items."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.uncertainty import LEVEL, Clusters, Estimate, estimate


def clustered_slopes(
    values: ArrayLike, properties: ArrayLike, clusters: Clusters, *, level: float = LEVEL
) -> tuple[Estimate, ...]:
    """Coefficients b of the least-squares fit y = a + X b, with cluster-robust standard errors:

    V = G/(G-1) · (N-1)/(N-K) · (Z'Z)^-1 ( Σ_g (Z_g' e_g)(Z_g' e_g)' ) (Z'Z)^-1,  Z = [1, X]

    (Liang & Zeger 1986; "CR1"). One estimate for each column of X, without the intercept a.

    values      shape (N,): one for each item, such as whether it was answered rightly
    properties  shape (N, K): such as the number of scenes
    Intervals use t with G - 1 degrees of freedom; with G = 1 they are NaN.

    Raises MisalignedInput unless there is one row of properties and one cluster for each value,
    MetricError for a NaN or infinite value and for properties that do not vary independently.
    """
    y = np.asarray(values, dtype=np.float64)
    x = np.asarray(properties, dtype=np.float64)
    if x.ndim != 2 or len(x) != len(y):
        raise MisalignedInput(f"{y.shape} values and {x.shape} properties do not belong together.")
    if not (np.isfinite(y).all() and np.isfinite(x).all()):
        raise MetricError("A value or property is NaN or infinite: leave that item out.")
    z = np.column_stack([np.ones(len(y)), x])
    if np.linalg.matrix_rank(z) < z.shape[1]:
        raise MetricError("A property is constant or follows from the others: leave it out.")
    bread = np.linalg.inv(z.T @ z)
    fitted = bread @ z.T @ y
    scores = np.column_stack(
        [clusters.totals(column) for column in (z * (y - z @ fitted)[:, None]).T]
    )
    n, g = len(y), clusters.count
    errors = np.full(len(fitted), math.nan)
    if g > 1:
        factor = g / (g - 1) * (n - 1) / (n - z.shape[1])
        errors = np.sqrt(np.diag(factor * bread @ (scores.T @ scores) @ bread))
    return tuple(
        estimate(float(one), float(error), n=n, n_clusters=g, level=level)
        for one, error in list(zip(fitted, errors, strict=True))[1:]
    )
