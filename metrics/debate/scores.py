"""From counts to the numbers: per run, then the mean over runs."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.debate.accuracy import accuracy, parse_rate
from otherminds.metrics.debate.agree_rate import agree_rate, agree_rate_people
from otherminds.metrics.debate.confusion import UNREAD, unflat
from otherminds.metrics.debate.macro_f1 import macro_f1
from otherminds.metrics.sums import divided
from otherminds.types import FloatArray

_FUNCTIONS = {
    "macro_f1": macro_f1,
    "acc": accuracy,
    "agree_rate": agree_rate,
    "agree_rate_people": agree_rate_people,
    "parse_rate": parse_rate,
}
METRICS = tuple(_FUNCTIONS)


def scores(rows: FloatArray) -> FloatArray:
    """All of METRICS, averaged over runs.

    rows     shape (b, K·6), as `confusion.flat`, summed over people
    returns  shape (b, 5), in the order of METRICS; NaN = undefined

    Runs are repeats of one measurement, so the mean is over those in which a number is defined.
    """
    confusion = unflat(rows)
    by_run = np.stack([function(confusion) for function in _FUNCTIONS.values()], axis=-1)
    defined = ~np.isnan(by_run)
    return divided(np.where(defined, by_run, 0.0).sum(axis=1), defined.sum(axis=1))


def rests_on(confusion: FloatArray) -> FloatArray:
    """Items of each person behind each of METRICS, as means over the runs, shape (P, 5).

    The model's agree-rate rests on the answers that could be read, the others on all items.
    """
    everything = confusion.sum(axis=(2, 3)).mean(axis=1)
    read = confusion[..., :UNREAD].sum(axis=(2, 3)).mean(axis=1)
    return np.stack([read if name == "agree_rate" else everything for name in METRICS], axis=1)
