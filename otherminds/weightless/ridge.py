"""Ridge regression from facts about people, never fitted on the person it predicts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from otherminds.dataset_builders import people_table
from otherminds.errors import OtherMindsError
from otherminds.types import FloatArray

Facts = Sequence[tuple[str, str]]
"""Facts about a person: (attribute, value) pairs. An attribute may have several values."""


def design(known: Sequence[Facts]) -> FloatArray:
    """Facts as a matrix, one row per entry of `known`.

    An attribute whose values are all numbers is one column, scaled to mean 0 and standard deviation 1
    over the rows; a row without it has the mean. Any other attribute has one column of 0 and 1 for each
    of its values. Empty values are not facts.
    """
    from sklearn.feature_extraction import DictVectorizer

    facts = [[(name, value) for name, value in row if value] for row in known]
    numeric = {name: _scale(values) for name, values in _values(facts).items() if _numbers(values)}
    rows: list[dict[str, float]] = []
    for row in facts:
        columns: dict[str, float] = {}
        for name, value in row:
            if name in numeric:
                mean, deviation = numeric[name]
                columns[name] = (float(value) - mean) / deviation
            else:
                # A number and a text never share a column: only texts have the separator.
                columns[f"{name}\0{value}"] = 1.0
        rows.append(columns)
    if not any(rows):
        return np.zeros((len(rows), 0))
    matrix: FloatArray = DictVectorizer(sparse=False).fit_transform(rows)
    return matrix


def leave_one_person_out(
    features: ArrayLike, targets: ArrayLike, people: Sequence[str], *, alpha: float
) -> FloatArray:
    """Ridge predictions for the rows of each person, fitted on the rows of all other people.

    For the rows g of a person, with X the features and a column of ones, and P = alpha·I but for a 0
    at the ones (the intercept is not shrunk):

    A = X'X + P,   H = X_g·A⁻¹·X_g',   ŷ_g = (I - H)⁻¹·X_g·A⁻¹·X'y₀

    where y₀ is y with 0 in the rows g. By the Woodbury identity this equals the prediction of a
    refit without the rows g, at the cost of one inverse for all people; and y_g does not enter
    it, not even in the last bit.

    features  shape (n, p)
    targets   shape (n,)
    people    n ids
    returns   shape (n,); NaN for a person without other people to learn from

    Raises ValueError as `check_penalty`.
    """
    check_penalty(alpha)
    raw, y = np.asarray(features, dtype=np.float64), np.asarray(targets, dtype=np.float64)
    x = np.column_stack([raw, np.ones(len(y))])
    penalty = np.full(x.shape[1], float(alpha))
    penalty[-1] = 0.0
    # A has an inverse, because every column but the ones is penalized.
    projected = np.linalg.solve(x.T @ x + np.diag(penalty), x.T).T
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, person in enumerate(people):
        rows_of[person].append(row)
    predictions = np.full(len(y), np.nan)
    if len(rows_of) < 2:
        return predictions
    for rows in rows_of.values():
        others = y.copy()
        others[rows] = 0.0
        hat = projected[rows] @ x[rows].T
        fitted = projected[rows] @ (x.T @ others)
        predictions[rows] = np.linalg.solve(np.eye(len(rows)) - hat, fitted)
    return predictions


def check_penalty(alpha: float) -> None:
    """Raise ValueError unless alpha is positive and finite."""
    if not (math.isfinite(alpha) and alpha > 0):
        raise ValueError(f"The ridge penalty alpha must be a positive number, not {alpha}.")


def read_table(path: Path) -> Mapping[str, Facts]:
    """Facts by person from a CSV file: a column `participant_id`, and one for each attribute.

    Empty cells are not facts. Raises OtherMindsError with the faults that `people_table.read` finds.
    """
    try:
        return people_table.read(path)
    except ValueError as error:
        raise OtherMindsError(str(error)) from error


def _values(known: Sequence[Facts]) -> Mapping[str, list[str]]:
    values: dict[str, list[str]] = defaultdict(list)
    for row in known:
        for name, value in row:
            values[name].append(value)
    return values


def _numbers(values: Sequence[str]) -> bool:
    try:
        return all(math.isfinite(float(value)) for value in values)
    except ValueError:
        return False


def _scale(values: Sequence[str]) -> tuple[float, float]:
    """Mean and standard deviation; 1 in place of the deviation of a constant."""
    numbers = np.array([float(value) for value in values])
    return float(numbers.mean()), float(numbers.std()) or 1.0
