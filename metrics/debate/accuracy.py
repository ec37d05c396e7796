"""Accuracy and the share of answers that could be read."""

from __future__ import annotations

from otherminds.metrics.debate.confusion import AGREE, DISAGREE, UNREAD
from otherminds.metrics.sums import divided
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
