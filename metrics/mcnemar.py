"""McNemar's test: two models on the same items, each item right or wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput


@dataclass(frozen=True)
class McNemar:
    """Outcome of `mcnemar`.

    only_a, only_b  discordant items: right by one model alone
    n               all items
    p_value         exact, two-sided
    """

    only_a: int
    only_b: int
    n: int
    p_value: float


def mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> McNemar:
    """Exact two-sided McNemar test that two models are equally often right (McNemar, 1947).

    Given D = only_a + only_b discordant items, only_a is Binomial(D, ½) under the null:
    p = min(1, 2·P(X <= min(only_a, only_b))). With D = 0, p = 1.

    right_a, right_b  shape (N,): right (True, 1) or wrong (False, 0), the same items in the same order

    It assumes independent items. Several items about one person are not: their answers tend to be
    right or wrong together, so p comes out too small. Use it beside `compare_pair`, not instead.
    Raises EmptyInput for N = 0, MisalignedInput unless both are vectors of one length, MetricError for
    a value that is neither 0 nor 1.
    """
    a, b = np.asarray(right_a, dtype=np.float64), np.asarray(right_b, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise MisalignedInput(
            f"Shapes {a.shape} and {b.shape}: give one value per item and model, in the same order."
        )
    if a.size == 0:
        raise EmptyInput("No items to compare.")
    if not (np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all()):
        raise MetricError("A value is neither 0 (wrong) nor 1 (right).")
    only_a, only_b = int(np.count_nonzero(a > b)), int(np.count_nonzero(a < b))
    return McNemar(only_a, only_b, a.size, _binomial_p(only_a, only_a + only_b))


def _binomial_p(successes: int, trials: int) -> float:
    from scipy.stats import binomtest  # slow to import, and few commands need it

    return float(binomtest(successes, trials, 0.5).pvalue) if trials else 1.0
