"""Mean absolute error in belief dynamics update, on the 5-point scale."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.types import FloatArray


def scaled_errors(
    gold: FloatArray, answers: FloatArray, factor: FloatArray, *, unparsed_error: float | None
) -> FloatArray:
    """Errors |ŷ - y| · factor, elementwise with broadcasting.

    An unread answer (NaN) has the error `unparsed_error`, whatever the item's scale and without the
    factor. When `unparsed_error` is None, its error is NaN, to be left out of any average.
    """
    errors = np.abs(answers - gold) * factor
    if unparsed_error is None:
        return errors
    return np.where(np.isnan(errors), unparsed_error, errors)


def mean_absolute_error(
    gold: FloatArray,
    answers: FloatArray,
    factor: FloatArray,
    *,
    unparsed_error: float | None = None,
) -> float:
    """MAE = mean |ŷ - y| · factor in points of the 5-point scale.

    gold, answers   shape (n,), each on the item's own scale; NaN = an answer that could not be read
    factor          shape (n,): 1 for a 5-point, ½ for a 10-point item (`items.ERROR_FACTOR`)
    unparsed_error  error of an unread answer; None leaves such answers out

    Raises MisalignedInput for unequal shapes, EmptyInput when no error is left to average.
    """
    if not gold.shape == answers.shape == factor.shape:
        raise MisalignedInput(
            f"Shapes {gold.shape}, {answers.shape}, {factor.shape}: give one number per item."
        )
    errors = scaled_errors(gold, answers, factor, unparsed_error=unparsed_error)
    counted = errors[~np.isnan(errors)]
    if counted.size == 0:
        raise EmptyInput("No BDU answer could be read: there is no error to average.")
    return float(counted.mean())
