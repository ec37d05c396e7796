"""HugAgent's numbers for a set of answered items, with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.metrics.bootstrap import (
    DRAWS,
    SEED,
    cluster_bootstrap,
    estimate_from_draws,
    undefined_share,
)
from otherminds.metrics.clusters import clustered_mean, partition
from otherminds.metrics.estimate import Estimate, nothing
from otherminds.metrics.hugagent.items import Item
from otherminds.metrics.hugagent.protocol import PAPER, Protocol
from otherminds.metrics.hugagent.scores import (
    METRICS,
    RESTS_ON,
    flat_sums,
    scores_of_flat,
    sums_of_flat,
    without_direction,
)
from otherminds.metrics.hugagent.table import RATES, Table, tabulate
from otherminds.types import BoolArray, FloatArray

# Means over a fixed set of items: in one topic their standard error has a formula.
_MEANS = ("parse_rate", "bsi_acc", "bdu_acc")


@dataclass(frozen=True)
class Summary:
    """Everything HugAgent reports about one model, on all topics together or on one.

    estimates                by metric; one with nothing to measure is NaN with n = 0. Units:
                             fractions       parse_rate, bsi_acc, bdu_acc, bdu_change,
                                             bdu_direction, bdu_dir
                             5-point scale   bdu_mae, in points
                             100·u           composite: 0 to 100
                             no bounds       ati: has a meaning only on the three topics of the
                                             human track together; see `ati_between` for one
    counts                   n_people and n_items; and, as means over the runs, hence possibly
                             fractions: n_mae (answers in MAE), n_pairs (pairs with both answers
                             read), n_both_changed (pairs that bdu_direction rests on)
    by_topic                 the same for each topic alone; empty in the summary of one topic
    protocol                 name of the protocol
    runs                     K, the number of runs averaged over
    draws                    number of bootstrap draws
    undefined_draws          for each measured metric, the share of draws in which it was undefined
                             (say, a topic without a pair); its standard error leaves these out
    share_without_direction  share of draws in which some topic had pairs in some run, but none in
                             which person and model both changed, so that direction counted as 0
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    by_topic: Mapping[str, Summary]
    protocol: str
    runs: int
    draws: int
    undefined_draws: Mapping[str, float]
    share_without_direction: float

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


def summarize(
    items: Sequence[Item], *, protocol: Protocol = PAPER, draws: int = DRAWS, seed: int = SEED
) -> Summary:
    """All of HugAgent's numbers with 95 % intervals.

    Every rate is computed per topic and run, averaged over runs, then over the topics whose golds
    ask for it; bdu_dir, composite and ati are made of these averages (see `scores`). People are the
    clusters. Within one topic, parse_rate, bsi_acc and bdu_acc have the cluster-robust standard
    error of `clustered_mean`; all other standard errors come from a bootstrap over people, each
    drawn with all their topics and runs. The result does not depend on the order of the items.

    Raises EmptyInput without items, MisalignedInput and MetricError for items that cannot be scored
    or contradict each other (see `check_golds`, `check_answers`, `baseline_pairs`). An answer that
    could not be read never raises.
    """
    table = tabulate(items, protocol)
    topics, runs = table.sums.shape[1:3]

    def statistic(flat: FloatArray) -> FloatArray:
        values = scores_of_flat(flat, table)
        in_topic = np.any(without_direction(sums_of_flat(flat, table)), axis=2)
        lacking = np.concatenate([in_topic, np.any(in_topic, axis=1, keepdims=True)], axis=1)
        return np.concatenate([values, lacking[..., None]], axis=2).reshape(len(flat), -1)

    flat = flat_sums(table)
    shape = (-1, topics + 1, len(METRICS) + 1)
    point = statistic(flat.sum(axis=0, keepdims=True)).reshape(shape)[0]
    sampled = cluster_bootstrap(flat, statistic, draws=draws, seed=seed).reshape(shape)

    def part(row: int, selected: list[int], by_topic: Mapping[str, Summary]) -> Summary:
        counts = table.sums[..., 1][:, selected].sum(axis=1)
        estimates = {
            name: _estimate(name, table, selected, counts, point[row, i], sampled[:, row, i])
            for i, name in enumerate(METRICS)
        }
        n = {name: float(counts[:, :, i].sum(axis=0).mean()) for i, name in enumerate(RATES)}
        return Summary(
            estimates=estimates,
            counts={
                "n_people": float(np.count_nonzero(counts[:, 0, 0])),
                "n_items": n["parse_rate"],
                "n_mae": n["bdu_mae"],
                "n_pairs": n["bdu_change"],
                "n_both_changed": n["bdu_direction"],
            },
            by_topic=by_topic,
            protocol=protocol.name,
            runs=runs,
            draws=draws,
            undefined_draws={
                name: undefined_share(sampled[:, row, i])
                for i, name in enumerate(METRICS)
                if not math.isnan(estimates[name].value)
            },
            share_without_direction=float(sampled[:, row, -1].mean()),
        )

    by_topic = {name: part(t, [t], {}) for t, name in enumerate(table.topics)}
    return part(topics, list(range(topics)), by_topic)


def _estimate(
    name: str,
    table: Table,
    selected: list[int],
    counts: FloatArray,
    value: float,
    draws: FloatArray,
) -> Estimate:
    """One metric on the `selected` topics; `counts` has shape (people, runs, rates)."""
    if math.isnan(value):
        return nothing()
    if len(selected) == 1 and name in _MEANS:
        return _mean_in_topic(name, table, selected[0])
    count = counts[:, :, RATES.index(RESTS_ON[name])]
    return estimate_from_draws(
        float(value),
        draws,
        n=float(count.sum(axis=0).mean()),
        n_clusters=int(np.count_nonzero(count.sum(axis=1))),
    )


def _mean_in_topic(name: str, table: Table, topic: int) -> Estimate:
    """A mean over the items of one topic: each item counts once, with its mean over the runs."""
    asked: dict[str, BoolArray] = {
        "parse_rate": np.ones_like(table.is_bsi),
        "bsi_acc": table.is_bsi,
        "bdu_acc": ~table.is_bsi,
    }
    rows = np.flatnonzero((table.topic == topic) & asked[name])
    values = (table.parsed if name == "parse_rate" else table.correct)[rows].mean(axis=1)
    labels = table.people.labels
    return clustered_mean(values, partition([labels[code] for code in table.people.codes[rows]]))
