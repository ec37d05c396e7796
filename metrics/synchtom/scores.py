"""From fulfilled criteria to the numbers: per run, then the mean over runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.synchtom.items import DIMENSIONS, Judged, Unscored, check_items
from otherminds.metrics.uncertainty import (
    Clusters,
    Estimate,
    divided,
    estimate,
    mean_of_defined,
    nothing,
    partition,
)
from otherminds.types import BoolArray, FloatArray

SCORES = (*DIMENSIONS.values(), "avg")
FLOORS = tuple(f"{name}_floor" for name in SCORES)
UNFLAGGED = ("solution_unflagged", "avg_unflagged")
RATES = ("parse_rate", "judge_rate")
METRICS = (*SCORES, *FLOORS, *UNFLAGGED, *RATES)
"""Each a mean over items.

belief, profile, solution  100 · fulfilled criteria / criteria of the dimension. An answer that could not
                           be read fulfils none; failed judgements are left out, and so are answers whose
                           reasoning was cut off
avg                        mean of the three
…_floor                    the same with 0 for what is left out: the score is at least this high
…_unflagged                solution and avg without the criteria that reward the wrong request
parse_rate                 share of answers that could be read
judge_rate                 share of those whose judgement could be read
"""

# Shares are held in parts of which there are whole numbers for up to ten criteria, also in a mean of
# three: sums are then exact, and no result depends on the order in which a library adds.
_PARTS = 7_560
_IN_PARTS = len(SCORES + FLOORS + UNFLAGGED)
_HIGHEST = np.array([100.0] * _IN_PARTS + [1.0] * len(RATES))
_WHOLE = np.array([float(_PARTS)] * _IN_PARTS + [1.0] * len(RATES))


@dataclass(frozen=True)
class Table:
    """N items of G instances with K runs, in order of instance and turns.

    instances  the partition of the items by instance
    values     shape (N, K, M): what each item contributes to each of METRICS, scores in parts of
               1/7560; 0 where it does not count
    counted    shape (N, K, M): whether it counts in that metric
    """

    instances: Clusters
    values: FloatArray
    counted: BoolArray

    @property
    def runs(self) -> int:
        """K, the number of runs."""
        return int(self.values.shape[1])


def tabulate(items: Sequence[Judged]) -> Table:
    """Items as arrays, sorted, so that no sum depends on the order in which they came.

    Raises as `check_items`.
    """
    check_items(items)
    ordered = sorted(items, key=lambda item: (item.instance_id, item.turns))
    pairs = [[_of_run(item, run) for run in range(len(item.marks))] for item in ordered]
    counted = np.array([[counts for _, counts in runs] for runs in pairs], dtype=np.bool_)
    return Table(
        instances=partition([item.instance_id for item in ordered]),
        values=np.array([[values for values, _ in runs] for runs in pairs], dtype=np.float64),
        counted=counted,
    )


def estimates(table: Table) -> Mapping[str, Estimate]:
    """METRICS with instance-clustered standard errors and 95 % intervals, by name.

    Per run r, x̄_r is the mean over the C_r items that count; the value is the mean of the x̄_r over the
    R runs in which any item counts. With the G instances that have an item that counts,

        SE = sqrt( G/(G-1) · Σ_g ( Σ_{i in g} z_i )² ),   z_i = 1/R · Σ_r (x_ir - x̄_r)/C_r

    with r over the runs in which i counts; for one run this is `clustered_mean` of the items that
    count. n is the mean of the C_r over all K runs. A metric in which no item counts is NaN with n = 0.
    """
    size = table.counted.sum(axis=0)
    means = divided(table.values.sum(axis=0), size.astype(np.float64))
    value = _in_points(mean_of_defined(means, axis=0))
    residuals = np.where(table.counted, _in_points(table.values - means), 0.0)
    pulls = residuals / np.maximum(size, 1) / np.maximum((size > 0).sum(axis=0), 1)
    present = (table.counted.sum(axis=1) > 0).astype(np.float64)
    found = {}
    for i, name in enumerate(METRICS):
        if math.isnan(value[i]):
            found[name] = nothing()
            continue
        g = int(np.count_nonzero(table.instances.totals(present[:, i])))
        spread = table.instances.totals(pulls[:, :, i].sum(axis=1))
        stderr = math.sqrt(g / (g - 1) * float(spread @ spread)) if g > 1 else math.nan
        found[name] = estimate(float(value[i]), stderr, n=float(size[:, i].mean()), n_clusters=g)
    return found


def flat_sums(table: Table) -> FloatArray:
    """Each instance's sums as a row, shape (G, K·M·2): values and how many count."""
    both = np.stack([table.values, table.counted.astype(np.float64)], axis=-1)
    by_instance = np.zeros((table.instances.count, *both.shape[1:]))
    np.add.at(by_instance, table.instances.codes, both)
    return by_instance.reshape(len(by_instance), -1)


def scores_of_flat(rows: FloatArray) -> FloatArray:
    """METRICS of rows of `flat_sums`, summed over instances (shape (b, K·M·2)), shape (b, M)."""
    sums = rows.reshape(len(rows), -1, len(METRICS), 2)
    by_run = divided(sums[..., 0], sums[..., 1])
    return _in_points(mean_of_defined(by_run, axis=1))


def _in_points(values: FloatArray) -> FloatArray:
    """Values of METRICS (last axis), scores from parts to points of 0 to 100."""
    points: FloatArray = values * _HIGHEST / _WHOLE
    return points


def _of_run(item: Judged, run: int) -> tuple[list[float], list[bool]]:
    """What an item contributes to each of METRICS in one run, and whether it counts there."""
    mark = item.marks[run]
    read = mark not in (Unscored.NO_ANSWER, Unscored.CUT_OFF)
    known = not isinstance(mark, Unscored) or mark is Unscored.NO_ANSWER
    parts, unflagged = [0.0] * len(DIMENSIONS), 0.0
    if not isinstance(mark, Unscored):
        parts = [_PARTS * n / most for n, most in zip(mark, item.criteria, strict=True)]
        unflagged = parts[-1]
        if item.flagged:
            met = mark[-1] - item.flagged_met[run]
            unflagged = _PARTS * met / (item.criteria[-1] - item.flagged)
    points = [*parts, sum(parts) / len(parts)]
    others = [unflagged, (sum(parts[:-1]) + unflagged) / len(parts)]
    values = [*points, *points, *others, float(read), float(read and known)]
    counted = [
        *[known] * len(SCORES),
        *[True] * len(FLOORS),
        *[known] * len(UNFLAGGED),
        *(True, read),
    ]
    return values, counted


def sufficient(items: Sequence[Judged]) -> Sufficient:
    """Per-instance sums from which METRICS follow, by the definitions of `summarize`.

    `rests_on` holds the items that count, as means over the runs. Two models are comparable when they
    answered the same items in equally many runs and were judged by the same judge; where their failed
    judgements differ, `gain` compares what was judged in both.

    Raises as `check_items`.
    """
    table = tabulate(items)
    sums = flat_sums(table)
    counted = sums.reshape(len(sums), table.runs, len(METRICS), 2)[..., 1]
    return Sufficient(
        clusters=table.instances.labels,
        sums=sums,
        metrics=METRICS,
        statistic=scores_of_flat,
        rests_on=counted.mean(axis=1),
    )
