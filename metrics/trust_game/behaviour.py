"""How the sends of personas differ between the levels of an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from otherminds.metrics.trust_game.items import Played, check_played
from otherminds.metrics.uncertainty import ROUNDING, divided
from otherminds.types import BoolArray, FloatArray, IntArray

# Sums of whole numbers are exact, so that equal means are equal whatever the order of the personas;
# sums of 3.3 dollars are not. Sends finer than the hundredth of a cent are rounded to it.
_UNITS_PER_DOLLAR = 10_000


@dataclass(frozen=True, eq=False)
class Sends:
    """Sends of P personas in K runs.

    played   the personas, in order of their ids
    dollars  shape (P, K); NaN = not read
    units    shape (P, K): hundredths of a cent above the smallest send; 0 where not read
    read     shape (P, K)
    """

    played: tuple[Played, ...]
    dollars: FloatArray
    units: FloatArray
    read: BoolArray

    @property
    def ids(self) -> list[str]:
        """The personas' ids, sorted."""
        return [one.persona_id for one in self.played]

    @property
    def runs(self) -> int:
        """K, the number of runs."""
        return int(self.dollars.shape[1])

    @property
    def people(self) -> FloatArray:
        """Share of runs in which each persona's send was read, shape (P,)."""
        return np.asarray(self.read.mean(axis=1), dtype=np.float64)


def tabulate(played: Sequence[Played]) -> Sends:
    """Play as arrays, sorted by persona. Raises as `check_played`."""
    check_played(played)
    ordered = tuple(sorted(played, key=lambda one: one.persona_id))
    # NumPy makes NaN of None.
    dollars = np.array([one.sends for one in ordered], dtype=np.float64)
    read = ~np.isnan(dollars)
    units = np.rint(dollars * _UNITS_PER_DOLLAR)
    lowest = units[read].min() if read.any() else 0.0
    return Sends(ordered, dollars, np.where(read, units - lowest, 0.0), read)


def levels_read(sends: Sends, codes: IntArray, count: int) -> BoolArray:
    """Which of `count` levels have a send that could be read in every run, shape (count,).

    codes  shape (P,): each persona's level
    """
    member = codes == np.arange(count)[:, None]
    found: BoolArray = (member[:, :, None] & sends.read).any(axis=1).all(axis=1)
    return found


class Evaluated(NamedTuple):
    """How sends differ between the S levels of an attribute, in b draws and K runs.

    means   shape (b, K, S), in units
    counts  shape (b, K, S): personas (or their weights) of each level
    eta     shape (b, K): η²
    omega   shape (b, K): ω²
    total   shape (b, K): SS_total, in units squared; NaN where all sends are equal

    All of a row is NaN where a level has no send in some run; η² and ω² are NaN also where all sends are
    equal or there are fewer than two levels, ω² where there are no more personas than levels.
    """

    means: FloatArray
    counts: FloatArray
    eta: FloatArray
    omega: FloatArray
    total: FloatArray

    def contrast(self, scores: FloatArray) -> FloatArray:
        """η² of the linear contrast that follows `scores`: SS_contrast / SS_total, shape (b, K).

        SS_contrast = (Σ_l c_l x̄_l)² / Σ_l (c_l²/n_l),  c_l the score of level l less their mean

        scores  shape (K or 1, S): NaN for a run without; then, and where all are equal, it is NaN
        """
        if scores.shape[-1] < 2:
            return np.full(self.eta.shape, np.nan)
        c = scores - scores.mean(axis=-1, keepdims=True)
        spread = divided(np.broadcast_to(c**2, self.counts.shape), self.counts).sum(axis=-1)
        found = divided((c * self.means).sum(axis=-1) ** 2, spread * self.total)
        return np.clip(found, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Behaviour:
    """Sums over personas from which the means of S levels of one attribute and η² follow.

    sums    shape (P, K·(2S + 1)): for each run and persona, by level whether a send was read and its
            units, and the square of the units
    people  shape (P,): share of runs in which the persona's send counts
    runs    K
    levels  S
    """

    sums: FloatArray
    people: FloatArray
    runs: int
    levels: int

    def evaluate(self, rows: FloatArray) -> Evaluated:
        """What rows of `sums`, summed over personas, say of the levels.

        rows  shape (b, K·(2S + 1))
        """
        by_run = rows.reshape(len(rows), self.runs, 2 * self.levels + 1)
        n, totals = by_run[..., : self.levels], by_run[..., self.levels : -1]
        squares = by_run[..., -1]
        means = divided(totals, n)
        means[(n == 0).any(axis=(1, 2))] = np.nan
        if self.levels < 2:
            nothing = np.full(squares.shape, np.nan)
            return Evaluated(means, n, nothing, nothing, nothing)
        people = n.sum(axis=-1)
        of_mean = divided(totals.sum(axis=-1) ** 2, people)
        between = (totals * means).sum(axis=-1) - of_mean
        total = squares - of_mean
        total[~(total > ROUNDING * squares)] = np.nan
        eta = np.clip(divided(between, total), 0.0, 1.0)
        omega = _omega_squared(eta, people, self.levels)
        return Evaluated(means, n, eta, omega, total)


def _omega_squared(eta: FloatArray, people: FloatArray, levels: int) -> FloatArray:
    """ω² = (SS_b - (S - 1) MS_w) / (SS_total + MS_w), here in shares of SS_total."""
    mean_square = divided(1 - eta, people - levels)
    found: FloatArray = (eta - (levels - 1) * mean_square) / (1 + mean_square)
    return found


def behaviour(sends: Sends, codes: IntArray, levels: IntArray) -> Behaviour:
    """The sums of `sends` on some levels of one attribute.

    codes   shape (P,): each persona's level
    levels  shape (S,): the levels that count
    """
    n = (codes[:, None] == levels)[:, None, :] & sends.read[:, :, None]
    counts = n.any(axis=-1)
    parts = [n, n * sends.units[..., None], (counts * sends.units**2)[..., None]]
    stacked = np.concatenate([part.astype(np.float64) for part in parts], axis=-1)
    return Behaviour(
        sums=stacked.reshape(len(n), -1),
        people=counts.mean(axis=1),
        runs=sends.runs,
        levels=len(levels),
    )
