"""How often the model says "agree", and how often people do."""

from __future__ import annotations

from otherminds.metrics.debate.confusion import AGREE, UNREAD
from otherminds.metrics.sums import divided
from otherminds.types import FloatArray


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
