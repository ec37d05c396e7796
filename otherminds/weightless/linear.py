"""Ridge regression from demographics."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import ClassVar

from otherminds.errors import OtherMindsError
from otherminds.weightless import ridge as demographic
from otherminds.weightless.questions import Asked
from otherminds.weightless.strategy import Strategy


class DemographicLinear(Strategy):
    """Ridge regression from demographics, fitted on *other* people's answers (leave one person out).

    There is one regression for each broadest kind of question (`Questions.kinds`), with the question as
    one more attribute. Numbers are rounded and clipped into the scale; of two letters, the first is
    predicted at or above 0 when it counts as +1 and the second as -1 (a gold of both counts as 0). With
    no other people at all the answer is the middle of the space.

    alpha  the ridge penalty
    table  a CSV file with a column `participant_id` and one for each attribute (demographics, survey
           answers): it is used in place of the documents' demographics
    """

    learns: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0, table: str | Path | None = None) -> None:
        demographic.check_penalty(alpha)
        self._alpha = alpha
        self._table = None if table is None else demographic.read_table(Path(table).expanduser())
        self._source = table
        self._chosen: dict[Hashable, int] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Predict every document from the documents about other people."""
        unique = {one.key: one for one in asked}
        by_kind: dict[Hashable, list[Asked]] = defaultdict(list)
        for one in unique.values():
            by_kind[one.kinds[-1]].append(one)
        for here in by_kind.values():
            # In one order, so that no sum depends on the order of the documents.
            here.sort(key=lambda one: str(one.doc["item_id"]))
            predictions = demographic.leave_one_person_out(
                demographic.design([self._facts(one) for one in here]),
                [one.questions.number(one.doc) for one in here],
                [one.person for one in here],
                alpha=self._alpha,
            )
            for one, prediction in zip(here, predictions.tolist(), strict=True):
                self._chosen[one.key] = _nearest(one, prediction)

    def choose(self, asked: Asked, run: int) -> int:
        """The answer nearest to the regression's prediction."""
        return self._chosen[asked.key]

    def _facts(self, asked: Asked) -> demographic.Facts:
        name = asked.questions.question(asked.doc)
        question = (("", f"question {name}"),) if name else ()
        if self._table is None:
            return (*asked.questions.facts(asked.doc), *question)
        person = asked.person
        if person not in self._table:
            raise OtherMindsError(
                f"The table {self._source} has no row for the participant '{person}': add one, or run "
                "a subset of the people that it has."
            )
        return (*self._table[person], *question)


def _nearest(asked: Asked, prediction: float) -> int:
    """The index of the answer that a regression predicts; NaN stands for the middle."""
    space = asked.answers
    last = len(space) - 1
    if math.isnan(prediction):
        return last // 2
    if asked.is_two_sided:
        return 0 if prediction >= 0 else 1
    return min(max(math.floor(prediction + 0.5) - int(space[0]), 0), last)
