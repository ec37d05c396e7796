"""From each person's sums to HugAgent's numbers: rates, the composite u and ATI, with uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from otherminds.metrics.hugagent.columns import Columns
from otherminds.metrics.hugagent.items import MAE_MAX, PAPER, Item, Protocol
from otherminds.metrics.hugagent.measures import CHANGE_WEIGHT, RATES, Table, tabulate
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Estimate,
    cluster_bootstrap,
    clustered_mean,
    divided,
    estimate_from_draws,
    mean_of_defined,
    nothing,
    undefined_share,
)
from otherminds.types import BoolArray, FloatArray

METRICS = (*RATES, "bdu_dir", "composite", "ati")


_CHANGE, _DIRECTION = RATES.index("bdu_change"), RATES.index("bdu_direction")


# The rate whose denominator says how many items and people each number rests on.
RESTS_ON = {name: name for name in RATES} | {
    "bdu_dir": "bdu_change",
    "composite": "parse_rate",
    "ati": "parse_rate",
}


Number = TypeVar("Number", float, FloatArray)


class Anchor(NamedTuple):
    """A reference answerer: fractions, except MAE, which is in points of the 5-point scale."""

    bsi_acc: float
    bdu_acc: float
    bdu_mae: float
    bdu_dir: float


# Both anchors are the paper's (Table 2, averages over the topics) and those of the authors' scorer.
RANDOM = Anchor(bsi_acc=0.5189, bdu_acc=0.4312, bdu_mae=1.88, bdu_dir=0.4674)


HUMAN = Anchor(bsi_acc=0.8484, bdu_acc=0.8566, bdu_mae=0.68, bdu_dir=0.8892)


def utility(
    bsi_acc: Number,
    bdu_acc: Number,
    bdu_mae: Number,
    bdu_dir: Number,
    *,
    mae_max: float = MAE_MAX,
) -> Number:
    """u = ½·BSI + ½·( ½·mean(acc, s) + ½·dir ), s = clip(1 - MAE/mae_max, 0, 1); a fraction.

    HugAgent, Eq. 6, without its scaling. Accuracies and direction are fractions and MAE is in points of
    the 5-point scale, each averaged over topics; floats or arrays, elementwise. u lies in 0…1, and
    perfect answers have 1. A NaN among the inputs gives NaN.

    mae_max  MAE_MAX (the paper's) or RELEASE_MAE_MAX (the public scorer's)
    """
    closeness: Number = np.clip(1 - bdu_mae / mae_max, 0.0, 1.0)
    level = 0.5 * bdu_acc + 0.5 * closeness
    return 0.5 * bsi_acc + 0.5 * (0.5 * level + 0.5 * bdu_dir)


def ati(
    u: Number,
    *,
    mae_max: float = MAE_MAX,
    random: Anchor = RANDOM,
    human: Anchor = HUMAN,
) -> Number:
    """ATI = 100 · (u - u_random) / (u_human - u_random): 0 is random, 100 the human, no maximum.

    HugAgent, Eq. 6. `mae_max` is that of `u`: the anchors are turned into u by the same formula. A
    perfect answerer has about 140. The default anchors are averages over the three topics of the human
    track, so that on other data, and on one topic alone, the number takes anchors of its own.
    """
    u_random, u_human = utility(*random, mae_max=mae_max), utility(*human, mae_max=mae_max)
    return 100 * (u - u_random) / (u_human - u_random)


def rates_by_topic(sums: FloatArray) -> FloatArray:
    """Rates by topic, averaged over runs.

    sums     shape (b, T, K, 6, 2), as in Table.sums with the people summed up
    returns  shape (b, T, 6), in the order of RATES

    A rate without data in a run is NaN there, except direction, which is 0 when there are pairs but
    person and model both changed in none of them (as in the authors' code). Runs are repeats of the
    same measurement, so the mean is over those runs in which a rate is defined.
    """
    rates = divided(sums[..., 0], sums[..., 1])
    rates[..., _DIRECTION][without_direction(sums)] = 0.0
    return mean_of_defined(rates, axis=2)


def without_direction(sums: FloatArray) -> BoolArray:
    """Where there are pairs, but none in which person and model both changed; shape (b, T, K)."""
    counts = sums[..., 1]
    return np.asarray((counts[..., _CHANGE] > 0) & (counts[..., _DIRECTION] == 0), dtype=np.bool_)


def scores(rates: FloatArray, present: BoolArray, *, mae_max: float) -> FloatArray:
    """All numbers for each topic and, last, averaged over topics.

    rates    shape (b, T, 6), in the order of RATES
    present  shape (T, 6), as in Table.present
    mae_max  that of the protocol
    returns  shape (b, T + 1, 9), in the order of METRICS; NaN = undefined

    A rate is averaged over the topics whose golds ask for it. Where it is undefined in one of these
    (nothing could be read), so is the average: a mean over fewer topics would be another quantity
    under the same name. In every row, composite is 100·u of that row's numbers.
    """
    average = divided(np.where(present, rates, 0.0).sum(axis=1), present.sum(axis=0))
    rows = np.concatenate([rates, average[:, None, :]], axis=1)

    column = {name: rows[..., i] for i, name in enumerate(RATES)}
    direction = CHANGE_WEIGHT * column["bdu_change"] + (1 - CHANGE_WEIGHT) * column["bdu_direction"]
    parts = (column["bsi_acc"], column["bdu_acc"], column["bdu_mae"], direction)
    u = utility(*parts, mae_max=mae_max)
    made = np.stack([direction, 100 * u, ati(u, mae_max=mae_max)], axis=-1)
    return np.concatenate([rows, made], axis=-1)


def sufficient(items: Sequence[Item], protocol: Protocol = PAPER) -> Sufficient:
    """Per-person sums from which all of METRICS follow, on all topics together.

    The metrics are those of `summarize`, averaged over the topics; `rests_on` holds items (pairs for
    bdu_change, bdu_direction and bdu_dir), as means over the runs. Two models are comparable when
    they answered the same items in equally many runs, and are scored under the same protocol.

    Raises as `tabulate`.
    """
    table = tabulate(items, protocol)
    counts = table.sums[..., 1].sum(axis=1).mean(axis=1)
    return Sufficient(
        clusters=table.people.labels,
        sums=flat_sums(table),
        metrics=METRICS,
        statistic=lambda flat: scores_of_flat(flat, table)[:, -1],
        rests_on=counts[:, [RATES.index(RESTS_ON[name]) for name in METRICS]],
    )


def flat_sums(table: Table) -> FloatArray:
    """Each person's sums as a row, shape (P, T·K·6·2)."""
    return table.sums.reshape(len(table.sums), -1)


def sums_of_flat(flat: FloatArray, table: Table) -> FloatArray:
    """Rows of `flat_sums`, summed over people (shape (b, T·K·6·2)), as shape (b, T, K, 6, 2)."""
    return flat.reshape(len(flat), *table.sums.shape[1:])


def scores_of_flat(flat: FloatArray, table: Table) -> FloatArray:
    """METRICS for each topic and, last, averaged over topics, shape (b, T + 1, 9).

    flat  shape (b, T·K·6·2): rows of `flat_sums`, summed over people
    """
    return scores(rates_by_topic(sums_of_flat(flat, table)), table.present, mae_max=table.mae_max)


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
    items: Sequence[Item] | Columns,
    *,
    protocol: Protocol = PAPER,
    draws: int = DRAWS,
    seed: int = SEED,
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
    return clustered_mean(values, table.people.of(rows))
