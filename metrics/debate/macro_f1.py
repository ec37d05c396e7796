"""Macro-F1 over the two answers, agree and disagree."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.debate.confusion import AGREE, DISAGREE, UNREAD
from otherminds.metrics.sums import divided
from otherminds.types import FloatArray


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
    f1 = f1_by_class(confusion)
    defined = ~np.isnan(f1)
    return divided(np.where(defined, f1, 0.0).sum(axis=-1), defined.sum(axis=-1))
