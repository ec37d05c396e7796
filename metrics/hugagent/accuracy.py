"""Accuracy: a letter in belief state inference, a number within tolerance in belief update."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.hugagent.items import EITHER
from otherminds.types import BoolArray, FloatArray


def letters_correct(
    gold: Sequence[str], answers: Sequence[str | None], *, either_letter: bool
) -> BoolArray:
    """Which BSI answers are right, shape (n,).

    A gold "A/B" accepts "A" and "B" when `either_letter`, and nothing otherwise. None, an answer
    that could not be read, is wrong.

    Raises MisalignedInput for unequal lengths.
    """
    if len(gold) != len(answers):
        raise MisalignedInput(f"{len(answers)} answers for {len(gold)} golds: give one per item.")
    return np.array(
        [
            answer in ("A", "B") and either_letter if right == EITHER else answer == right
            for right, answer in zip(gold, answers, strict=True)
        ],
        dtype=np.bool_,
    )


def bsi_accuracy(
    gold: Sequence[str], answers: Sequence[str | None], *, either_letter: bool = False
) -> float:
    """Share of BSI items with the right letter, 0 to 1 (rules: `letters_correct`).

    Raises EmptyInput without items, MisalignedInput for unequal lengths.
    """
    correct = letters_correct(gold, answers, either_letter=either_letter)
    if correct.size == 0:
        raise EmptyInput("No BSI items.")
    return float(correct.mean())


def within_tolerance(gold: FloatArray, answers: FloatArray, tolerance: FloatArray) -> BoolArray:
    """Which BDU answers satisfy |ŷ - y| ≤ tolerance, with broadcasting; NaN is wrong."""
    return np.asarray(np.abs(answers - gold) <= tolerance, dtype=np.bool_)


def bdu_accuracy(gold: FloatArray, answers: FloatArray, tolerance: FloatArray) -> float:
    """Share of BDU items within tolerance, 0 to 1.

    gold, answers  shape (n,), each on the item's own scale; NaN = an answer that could not be read,
                   which counts as wrong
    tolerance      shape (n,): 1 for a 5-point, 2 for a 10-point item (`items.TOLERANCE`)

    Raises EmptyInput for n = 0, MisalignedInput for unequal shapes.
    """
    if not gold.shape == answers.shape == tolerance.shape:
        raise MisalignedInput(
            f"Shapes {gold.shape}, {answers.shape}, {tolerance.shape}: give one number per item."
        )
    if gold.size == 0:
        raise EmptyInput("No BDU items.")
    return float(within_tolerance(gold, answers, tolerance).mean())
