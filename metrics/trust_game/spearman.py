"""Spearman's rank correlation for many rankings at once."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.sums import divided
from otherminds.types import FloatArray


def spearman_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's ρ along the last axis: Pearson's r of midranks, -1 to 1.

    x, y     finite numbers of shapes that broadcast to (..., L)
    returns  shape (...); NaN where either side has fewer than two distinct values

    Doubled midranks are whole numbers, so that equal rankings give exactly 1.
    """
    first, second = _deviations(x), _deviations(y)
    size = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    return divided((first * second).sum(axis=-1), size)


def _deviations(values: FloatArray) -> FloatArray:
    """Doubled midranks less their mean, which is L + 1 whatever the ties."""
    from scipy.stats import rankdata  # slow to import, and few commands rank anything

    ranks: FloatArray = rankdata(values, method="average", axis=-1)
    deviations: FloatArray = 2 * ranks - (values.shape[-1] + 1)
    return deviations
