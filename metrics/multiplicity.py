"""Many comparisons at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import FloatArray


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's step-down adjusted p-values, in the order given, shape (K,).

    With the m defined p-values sorted, p_(1) <= … <= p_(m):

    adjusted_(i) = max over j <= i of min(1, (m - j + 1) · p_(j))

    Rejecting where adjusted p <= α keeps the probability of any false rejection at α or below, however
    the tests depend on each other (Holm, 1979). Equal p-values have equal adjusted ones. A NaN (a
    comparison that could not be made) stays NaN and does not count in m.

    Raises EmptyInput for K = 0, MisalignedInput unless `p_values` is a vector, MetricError for a value
    outside 0..1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise MisalignedInput(f"p-values of shape {p.shape}: give one number per comparison.")
    if p.size == 0:
        raise EmptyInput("No p-values to adjust.")
    if ((p < 0) | (p > 1)).any():
        raise MetricError("A p-value lies outside 0..1.")
    adjusted = np.full(p.shape, np.nan)
    # NaN sorts last.
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]
    steps = np.arange(len(order), 0, -1) * p[order]
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
