"""From counts to the numbers about debate beliefs: per run, then the mean over runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.metrics.debate.confusion import AGREE, DISAGREE, UNREAD, flat, tabulate, unflat
from otherminds.metrics.debate.items import Belief
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import divided, mean_of_defined
from otherminds.types import FloatArray


def accuracy(confusion: FloatArray) -> FloatArray:
    """Share of items with the right answer; an answer that could not be read is wrong.

    confusion  shape (..., 2, 3), as `Table.confusion`
    returns    shape (...); NaN without items
    """
    hits = confusion[..., AGREE, AGREE] + confusion[..., DISAGREE, DISAGREE]
    return divided(hits, confusion.sum(axis=(-2, -1)))


def parse_rate(confusion: FloatArray) -> FloatArray:
    """Share of items whose answer could be read; shapes as `accuracy`."""
    return divided(confusion[..., :UNREAD].sum(axis=(-2, -1)), confusion.sum(axis=(-2, -1)))


def agree_rate(confusion: FloatArray) -> FloatArray:
    """Share of "agree" among the model's answers that could be read.

    confusion  shape (..., 2, 3), as `Table.confusion`
    returns    shape (...); NaN where no answer could be read
    """
    read = confusion[..., :UNREAD]
    return divided(read[..., AGREE].sum(axis=-1), read.sum(axis=(-2, -1)))


def agree_rate_people(confusion: FloatArray) -> FloatArray:
    """Share of items whose person agrees, whether or not the model's answer could be read.

    Shapes as `agree_rate`; NaN without items.
    """
    return divided(confusion[..., AGREE, :].sum(axis=-1), confusion.sum(axis=(-2, -1)))


def f1_by_class(confusion: FloatArray) -> FloatArray:
    """F1 of each class c: F1_c = 2·TP_c / (gold_c + answered_c), the harmonic mean of precision
    TP_c / answered_c and recall TP_c / gold_c.

    confusion  shape (..., 2, 3), as `Table.confusion`
    returns    shape (..., 2): agree, disagree

    An answer that could not be read is missing: it stays in gold_c, which lowers the recall of the
    gold's class, and enters no answered_c, so no precision changes. NaN for a class that nobody holds
    and no answer names.
    """
    golds = confusion.sum(axis=-1)
    answered = confusion[..., :UNREAD].sum(axis=-2)
    hits = np.stack([confusion[..., AGREE, AGREE], confusion[..., DISAGREE, DISAGREE]], axis=-1)
    return divided(2 * hits, golds + answered)


def macro_f1(confusion: FloatArray) -> FloatArray:
    """Unweighted mean of F1 over the two classes: (F1_agree + F1_disagree) / 2.

    confusion  shape (..., 2, 3), as `Table.confusion`
    returns    shape (...); NaN without items

    A class that is neither among the golds nor among the answers is left out of the mean; a class that
    is only among the answers counts, with an F1 of 0. This is scikit-learn's default for
    `f1_score(average="macro")`, and, with unread answers as a third label, its value for
    `labels=[agree, disagree], zero_division=nan`. Mind that where everybody agrees, a single wrong
    "disagree" therefore halves the macro-F1, while an unread answer hardly matters.
    """
    return mean_of_defined(f1_by_class(confusion))


_FUNCTIONS = {
    "macro_f1": macro_f1,
    "acc": accuracy,
    "agree_rate": agree_rate,
    "agree_rate_people": agree_rate_people,
    "parse_rate": parse_rate,
}


METRICS = tuple(_FUNCTIONS)


COMPARED = ("macro_f1", "acc", "agree_rate", "parse_rate")
"""What two models can differ in: the agree-rate of people is the same whoever predicts them."""


_COLUMNS = [METRICS.index(name) for name in COMPARED]


def scores(rows: FloatArray) -> FloatArray:
    """All of METRICS, averaged over runs.

    rows     shape (b, K·6), as `confusion.flat`, summed over people
    returns  shape (b, 5), in the order of METRICS; NaN = undefined

    Runs are repeats of one measurement, so the mean is over those in which a number is defined.
    """
    confusion = unflat(rows)
    by_run = np.stack([function(confusion) for function in _FUNCTIONS.values()], axis=-1)
    return mean_of_defined(by_run, axis=1)


def rests_on(confusion: FloatArray) -> FloatArray:
    """Items of each person behind each of METRICS, as means over the runs, shape (P, 5).

    The model's agree-rate rests on the answers that could be read, the others on all items.
    """
    everything = confusion.sum(axis=(2, 3)).mean(axis=1)
    read = confusion[..., :UNREAD].sum(axis=(2, 3)).mean(axis=1)
    return np.stack([read if name == "agree_rate" else everything for name in METRICS], axis=1)


def sufficient(items: Sequence[Belief]) -> Sufficient:
    """Per-person counts from which COMPARED follow, by the definitions of `summarize`.

    `rests_on` holds items, for agree_rate those whose answers could be read, as means over the runs.
    Two models are comparable when they answered the same items in equally many runs.

    Raises as `check_items`.
    """
    table = tabulate(items)
    confusion = table.confusion()
    return Sufficient(
        clusters=table.people.labels,
        sums=flat(confusion),
        metrics=COMPARED,
        statistic=_compared,
        rests_on=rests_on(confusion)[:, _COLUMNS],
    )


def _compared(rows: FloatArray) -> FloatArray:
    return scores(rows)[:, _COLUMNS]
