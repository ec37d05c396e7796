"""Means over repeated runs."""

from __future__ import annotations

import math

import numpy as np

from otherminds.metrics.clusters import Clusters
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.estimate import Estimate, estimate, nothing
from otherminds.metrics.sums import divided
from otherminds.types import FloatArray


def mean_over_runs(values: FloatArray, people: Clusters) -> Estimate:
    """Mean over items in each run, averaged over the runs that have any, with a clustered error.

    x̄ = mean_k x̄_k,  x̄_k = mean of the items read in run k
    SE = sqrt( G/(G-1) · Σ_g ( Σ_{i in g} u_i )² ),  u_i = mean_k (x_ik - x̄_k)/n_k over the runs read

    values  shape (N, K): N items in K runs; NaN = not read
    people  the cluster of each item

    With one run this is `clustered_mean` of the items read. n is the number of items read, averaged
    over all K runs. Without any: NaN with n = 0. Raises MisalignedInput for shapes that do not fit.
    """
    if values.ndim != 2 or values.shape[1] == 0 or len(values) != len(people.codes):
        raise MisalignedInput(
            f"Values of shape {values.shape} for {len(people.codes)} items: give a row per item with "
            "one number per run."
        )
    read = ~np.isnan(values)
    if not read.any():
        return nothing()
    sizes = read.sum(axis=0)
    per_run = divided(np.where(read, values, 0.0).sum(axis=0), sizes.astype(np.float64))
    used = sizes > 0
    weights = 1 / (np.maximum(sizes, 1) * np.count_nonzero(used))
    influence = np.where(read, values - per_run, 0.0) @ weights
    g = int(np.count_nonzero(people.totals(read.any(axis=1))))
    stderr = math.nan
    if g > 1:
        totals = people.totals(influence)
        stderr = math.sqrt(g / (g - 1) * float(totals @ totals))
    n = float(read.sum()) / values.shape[1]
    return estimate(float(per_run[used].mean()), stderr, n=n, n_clusters=g)


def mean_of_defined(values: FloatArray) -> FloatArray:
    """Mean over the last axis (runs) of what is defined; NaN where nothing is."""
    defined = ~np.isnan(values)
    return divided(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))
