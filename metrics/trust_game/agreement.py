"""Agreement of a statement about one attribute with behaviour, and why there may be none to measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from otherminds.metrics.divergence import spearman_rows
from otherminds.metrics.trust_game.items import Stated
from otherminds.metrics.uncertainty import mean_of_defined
from otherminds.types import FloatArray, IntArray

NO_SENDS = "no level has a send that could be read in every run"
ONE_LEVEL = "only one level has sends that could be read"
EQUAL_SENDS = "all sends are equal"
EQUAL_MEANS = "the mean sends of all levels are equal"
NOT_STATED = "nothing that could be read was stated"
NO_EFFECT_SIZE = "no effect size was stated"
EQUAL_SCORES = "the same was stated of all levels"


def stated_scores(stated: Stated, levels: IntArray) -> FloatArray:
    """Scores of the kept levels (shape (S,)) in each run, shape (runs, S); NaN in a run without."""
    nothing = (np.nan,) * len(stated.levels)
    rows = [nothing if scores is None else scores for scores in stated.scores]
    return np.array(rows, dtype=np.float64)[:, levels]


def stated_effect(stated: Stated) -> FloatArray:
    """Stated η² in each run, shape (runs,); NaN in a run without."""
    return np.array(stated.eta_squared, dtype=np.float64)


def stated_contrast(stated: Stated) -> FloatArray:
    """Stated contrast η² in each run, shape (runs,); NaN in a run without."""
    return np.array(stated.contrast or (None,) * len(stated.scores), dtype=np.float64)


def rank_agreement(means: FloatArray, scores: FloatArray) -> FloatArray:
    """Spearman's ρ between level means and stated scores, averaged over runs.

    means    shape (b, K, S)
    scores   shape (K or 1, S)
    returns  shape (b,); NaN where it is undefined in every run
    """
    if means.shape[-1] < 2:
        return np.full(len(means), np.nan)
    return mean_of_defined(spearman_rows(means, scores))


def effect_gap(simulated: FloatArray, stated: FloatArray) -> FloatArray:
    """|stated η² - simulated η²|, averaged over runs.

    simulated  shape (b, K)
    stated     shape (K or 1,)
    returns    shape (b,); NaN where it is undefined in every run
    """
    return mean_of_defined(np.abs(simulated - stated))


def why_no_rho(means: FloatArray, eta: FloatArray, scores: FloatArray) -> str | None:
    """Why ρ is undefined in every run; None where it is defined in some.

    means, eta  shapes (K, S) and (K,), as `Behaviour.evaluate` for the sample
    scores      shape (K or 1, S)
    """

    def of_run(run: int) -> str | None:
        if np.isnan(scores[run]).any():
            return NOT_STATED
        if np.ptp(means[run]) == 0:
            return EQUAL_SENDS if np.isnan(eta[run]) else EQUAL_MEANS
        return EQUAL_SCORES if np.ptp(scores[run]) == 0 else None

    scores = np.broadcast_to(scores, means.shape)
    return _nothing_to_compare(means) or _in_every_run(of_run, len(means))


def why_no_effect_gap(means: FloatArray, eta: FloatArray, stated: FloatArray) -> str | None:
    """Why |Δη²| is undefined in every run; None where it is defined in some. Shapes as `why_no_rho`."""

    def of_run(run: int) -> str | None:
        if np.isnan(stated[run]):
            return NO_EFFECT_SIZE
        return EQUAL_SENDS if np.isnan(eta[run]) else None

    stated = np.broadcast_to(stated, eta.shape)
    return _nothing_to_compare(means) or _in_every_run(of_run, len(means))


def _nothing_to_compare(means: FloatArray) -> str | None:
    levels = means.shape[-1]
    if levels == 0:
        return NO_SENDS
    return ONE_LEVEL if levels == 1 else None


def _in_every_run(of_run: Callable[[int], str | None], runs: int) -> str | None:
    reasons: Sequence[str | None] = [of_run(run) for run in range(runs)]
    if None in reasons:
        return None
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason is not None))
