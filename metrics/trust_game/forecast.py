"""How well a model foretells what it will itself send, round by round."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust_game.items import check_dollars
from otherminds.metrics.uncertainty import (
    DRAWS,
    SEED,
    Clusters,
    Estimate,
    bounded,
    divided,
    estimates_from_sums,
    mean_of_defined,
    mean_over_runs,
    nothing,
    partition,
    sums_by_cluster,
)
from otherminds.types import BoolArray, FloatArray, IntArray


class Forecast(NamedTuple):
    """One persona's forecast for one round against one archetype, and the send it then made.

    persona_id  the cluster of all uncertainty
    archetype   of the trustee, such as "M1"
    round       from 1
    forecast    dollars in each of K runs; None where no forecast could be read
    actual      dollars sent in each of K runs; None where no send could be read
    """

    persona_id: str
    archetype: str
    round: int
    forecast: tuple[float | None, ...]
    actual: tuple[float | None, ...]


@dataclass(frozen=True)
class ForecastErrors:
    """Mean absolute errors |forecast - actual| in dollars; definitions: `forecast_errors`.

    overall       of all pairs
    slope         change of the error per round, in dollars
    by_archetype  sorted by name
    by_round      in order
    by_both       by archetype and round
    n_pairs       pairs of a forecast and a send that could both be read, mean over runs
    n_left_out    the other pairs, mean over runs
    n_without_forecast, n_without_send
                  pairs whose forecast, or send, could not be read, mean over runs; a pair with neither
                  counts in both
    """

    overall: Estimate
    slope: Estimate
    by_archetype: Mapping[str, Estimate]
    by_round: Mapping[int, Estimate]
    by_both: Mapping[tuple[str, int], Estimate]
    n_pairs: float
    n_left_out: float
    n_without_forecast: float
    n_without_send: float


def check_forecasts(forecasts: Sequence[Forecast]) -> int:
    """Refuse forecasts that cannot be scored; return K, the number of runs.

    Raises EmptyInput without forecasts, MisalignedInput for a persona, archetype and round given twice
    or unless all have the same K ≥ 1 forecasts and sends, MetricError for a round below 1 or an amount
    that is not a number from 0 to `items.MAX_DOLLARS`.
    """
    if len(forecasts) == 0:
        raise EmptyInput("No forecasts to score.")
    runs = len(forecasts[0].forecast)
    seen: set[tuple[str, str, int]] = set()
    for one in forecasts:
        key = (one.persona_id, one.archetype, one.round)
        name = f"Persona {one.persona_id!r}, {one.archetype}, round {one.round}"
        if key in seen:
            raise MisalignedInput(f"{name} is given twice.")
        seen.add(key)
        if runs == 0 or not len(one.forecast) == len(one.actual) == runs:
            raise MisalignedInput(
                f"{name}: {len(one.forecast)} forecasts and {len(one.actual)} sends; every round needs "
                f"one of each (or None) for each of the same number of runs, here {runs}."
            )
        if one.round < 1:
            raise MetricError(f"{name}: rounds count from 1.")
        check_dollars([*one.forecast, *one.actual], name)
    return runs


def forecast_errors(
    forecasts: Sequence[Forecast], *, draws: int = DRAWS, seed: int = SEED
) -> ForecastErrors:
    """Errors of forecasts overall, by archetype, by round and by both, and their slope over rounds.

    MAE = mean |forecast - actual| over pairs with both read, per run, averaged over runs; its standard
    error is clustered by persona (`mean_over_runs`), and its interval does not go below 0. The slope is
    that of ordinary least squares of |forecast - actual| on the round number, per run, averaged over
    runs: above 0, forecasts get worse with the horizon. Its interval resamples personas with all their
    rounds; it is NaN where all pairs are of one round. A part without a pair is NaN with n = 0. The
    order of the forecasts is irrelevant.

    Raises as `check_forecasts`, and MetricError for draws < 1.
    """
    check_forecasts(forecasts)
    ordered = in_order(forecasts)
    forecast, sent = amounts(ordered)
    errors = np.abs(forecast - sent)
    personas = [one.persona_id for one in ordered]
    archetypes = np.array([one.archetype for one in ordered], dtype=object)
    rounds = np.array([one.round for one in ordered])

    def mean(rows: BoolArray) -> Estimate:
        index = np.flatnonzero(rows)
        if len(index) == 0:
            return nothing()
        found = mean_over_runs(errors[index], partition([personas[i] for i in index]))
        return bounded(found, 0.0, math.inf)

    runs = errors.shape[1]
    names, numbers = sorted(set(archetypes)), sorted(set(rounds.tolist()))
    n_pairs = float(np.count_nonzero(~np.isnan(errors))) / runs
    return ForecastErrors(
        overall=mean(np.ones(len(ordered), dtype=np.bool_)),
        slope=_slope(errors, rounds, partition(personas), draws=draws, seed=seed),
        by_archetype={name: mean(archetypes == name) for name in names},
        by_round={number: mean(rounds == number) for number in numbers},
        by_both={
            (name, number): mean((archetypes == name) & (rounds == number))
            for name in names
            for number in numbers
        },
        n_pairs=n_pairs,
        n_left_out=len(ordered) - n_pairs,
        n_without_forecast=float(np.count_nonzero(np.isnan(forecast))) / runs,
        n_without_send=float(np.count_nonzero(np.isnan(sent))) / runs,
    )


def in_order(forecasts: Sequence[Forecast]) -> list[Forecast]:
    """Forecasts sorted by persona, archetype and round."""
    return sorted(forecasts, key=lambda one: (one.persona_id, one.archetype, one.round))


def amounts(forecasts: Sequence[Forecast]) -> tuple[FloatArray, FloatArray]:
    """Forecasts and sends, each of shape (N, K); NaN where none could be read."""
    forecast = np.array([one.forecast for one in forecasts], dtype=np.float64)
    sent = np.array([one.actual for one in forecasts], dtype=np.float64)
    return forecast, sent


def _slope(
    errors: FloatArray, rounds: IntArray, people: Clusters, *, draws: int, seed: int
) -> Estimate:
    read = ~np.isnan(errors)
    if not read.any():
        return nothing()
    x = np.where(read, rounds[:, None], 0.0)
    y = np.where(read, errors, 0.0)
    columns = np.hstack([read, x, x**2, y, x * y])
    sums = sums_by_cluster(people, *columns.T)
    present = sums[people.totals(read.any(axis=1)) > 0]
    n = float(np.count_nonzero(read)) / errors.shape[1]
    (found,) = estimates_from_sums(present, _least_squares, n=n, draws=draws, seed=seed)
    return found


def _least_squares(rows: FloatArray) -> FloatArray:
    """Slopes from sums of 1, x, x², y and xy in each of K runs (shape (b, 5·K)), shape (b, 1)."""
    n, x, xx, y, xy = np.moveaxis(rows.reshape(len(rows), 5, -1), 1, 0)
    return mean_of_defined(divided(n * xy - x * y, n * xx - x**2))[:, None]
