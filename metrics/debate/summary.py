"""The numbers about debate beliefs for a set of answered items, with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.debate.confusion import AGREE, UNREAD, Table, flat, in_order, tabulate
from otherminds.metrics.debate.items import BINS, Belief, known_bin
from otherminds.metrics.debate.scores import METRICS, rests_on, scores
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    cluster_bootstrap,
    clustered_mean,
    estimate_if_defined,
    nothing,
    undefined_share,
)
from otherminds.types import FloatArray


@dataclass(frozen=True)
class Summary:
    """Everything reported about one model, on all items or on some of them.

    estimates        by metric, all of them fractions:
                     macro_f1           mean F1 of the classes agree and disagree (`macro_f1`)
                     acc                share of right answers
                     agree_rate         share of "agree" among the model's readable answers
                     agree_rate_people  share of items whose person agrees
                     parse_rate         share of answers that could be read
    counts           n_items, n_people, n_agree (items whose person agrees), and, as a mean over the
                     runs, n_read (items whose answer could be read)
    by_category      the same for each category alone, sorted by name
    by_known         the same for each bin of the number of known beliefs that has items, in order
    runs             K, the number of runs averaged over
    draws            number of bootstrap draws
    undefined_draws  share of draws in which agree_rate was undefined, that is, no answer of the drawn
                     people could be read
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    by_category: Mapping[str, Summary]
    by_known: Mapping[str, Summary]
    runs: int
    draws: int
    undefined_draws: float

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


def summarize(
    items: Sequence[Belief], *, breakdowns: bool = True, draws: int = DRAWS, seed: int = SEED
) -> Summary:
    """All numbers with 95 % intervals, and (with `breakdowns`) by category and by known beliefs.

    Items are pooled, so that a category weighs as much as it has items. With repeated runs, every
    number is computed per run and averaged. People are the clusters: acc, parse_rate and
    agree_rate_people have the cluster-robust standard error of `clustered_mean`, macro_f1 and
    agree_rate that of a bootstrap over people, each drawn with all their items and runs. A part is
    summarised as if it were all there is: only people with items in it are resampled. The result does
    not depend on the order of the items.

    Raises as `check_items`, and MetricError for draws < 1. An unread answer never raises.
    """
    table = tabulate(items)
    everything = _part(table, draws, seed)
    if not breakdowns:
        return everything
    ordered = in_order(items)
    categories = [item.category for item in ordered]
    bins = [known_bin(item.n_known) for item in ordered]
    return Summary(
        estimates=everything.estimates,
        counts=everything.counts,
        by_category={
            name: _part(part, draws, seed)
            for name, part in _split(table, categories, sorted(set(categories))).items()
        },
        by_known={
            name: _part(part, draws, seed) for name, part in _split(table, bins, BINS).items()
        },
        runs=everything.runs,
        draws=draws,
        undefined_draws=everything.undefined_draws,
    )


def _split(table: Table, labels: Sequence[str], names: Sequence[str]) -> dict[str, Table]:
    """The table of each label that has items, in the order of `names`."""
    index: dict[str, list[int]] = {name: [] for name in names}
    for i, label in enumerate(labels):
        index[label].append(i)
    return {name: table.rows(np.array(rows)) for name, rows in index.items() if rows}


def _part(table: Table, draws: int, seed: int) -> Summary:
    confusion = table.confusion()
    rows = flat(confusion)
    point = scores(rows.sum(axis=0, keepdims=True))[0]
    sampled = cluster_bootstrap(rows, scores, draws=draws, seed=seed)
    by_item = {
        "acc": (table.answers == table.gold[:, None]).mean(axis=1),
        "agree_rate_people": table.gold == AGREE,
        "parse_rate": (table.answers != UNREAD).mean(axis=1),
    }
    counts = rests_on(confusion)
    estimates: dict[str, Estimate] = {}
    for i, name in enumerate(METRICS):
        if name in by_item:
            estimates[name] = clustered_mean(by_item[name], table.people)
        else:
            estimates[name] = _bootstrapped(float(point[i]), sampled[:, i], counts[:, i])
    read = counts[:, METRICS.index("agree_rate")]
    return Summary(
        estimates=estimates,
        counts={
            "n_items": float(len(table.gold)),
            "n_people": float(table.people.count),
            "n_agree": float(np.count_nonzero(table.gold == AGREE)),
            "n_read": float(read.sum()),
        },
        by_category={},
        by_known={},
        runs=table.runs,
        draws=draws,
        undefined_draws=undefined_share(sampled[:, METRICS.index("agree_rate")]),
    )


def _bootstrapped(value: float, draws: FloatArray, counts: FloatArray) -> Estimate:
    """`counts` (shape (P,)): items of each person that the value rests on."""
    if math.isnan(value):
        return nothing()
    n, n_clusters = float(counts.sum()), int(np.count_nonzero(counts))
    return estimate_if_defined(value, draws, n=n, n_clusters=n_clusters)
