"""Ridge regression from demographics."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import ClassVar

from otherminds.benchmark import person_of
from otherminds.errors import OtherMindsError
from otherminds.weightless import ridge as demographic
from otherminds.weightless.questions import (
    LETTERS,
    Doc,
    answer_space,
    has_two_answers,
    identity,
    kinds,
)


class DemographicLinear:
    """Ridge regression from demographics, fitted on *other* people's answers (leave one person out).

    There is one regression for each topic, task, question type and answer space, with the question as
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

    def fit(self, docs: Iterable[Doc]) -> None:
        """Predict every document from the documents about other people."""
        unique = {identity(doc): doc for doc in docs}
        by_kind: dict[Hashable, list[Doc]] = defaultdict(list)
        for doc in unique.values():
            by_kind[kinds(doc)[-1]].append(doc)
        for here in by_kind.values():
            # In one order, so that no sum depends on the order of the documents.
            here.sort(key=lambda doc: doc["item_id"])
            predictions = demographic.leave_one_person_out(
                demographic.design([self._facts(doc) for doc in here]),
                [_target(doc) for doc in here],
                [person_of(doc) for doc in here],
                alpha=self._alpha,
            )
            for doc, prediction in zip(here, predictions.tolist(), strict=True):
                self._chosen[identity(doc)] = _nearest(doc, prediction)

    def choose(self, doc: Doc, run: int) -> int:
        """The answer nearest to the regression's prediction."""
        return self._chosen[identity(doc)]

    def _facts(self, doc: Doc) -> demographic.Facts:
        asked = doc.get("question_id") or doc.get("proposition")
        question = (("", f"question {asked}"),) if asked else ()
        if self._table is None:
            told = doc["background"] if "background" in doc else doc["demographics"]
            known = [(fact["attribute"], fact["value"]) for fact in told]
            return (*known, *question)
        person = person_of(doc)
        if person not in self._table:
            raise OtherMindsError(
                f"The table {self._source} has no row for the participant '{person}': add one, or run "
                "a subset of the people that it has."
            )
        return (*self._table[person], *question)


def _target(doc: Doc) -> float:
    """The gold answer as a number: +1 for the first of two answers, -1 for the second, 0 for both."""
    if "agrees" in doc:
        return 1.0 if doc["agrees"] else -1.0
    if not doc["options"]:
        return float(doc["answer"])
    signs = [1.0 - 2.0 * LETTERS.index(letter) for letter in doc["answer"].split("/")]
    return sum(signs) / len(signs)


def _nearest(doc: Doc, prediction: float) -> int:
    """The index of the answer that a regression predicts; NaN stands for the middle."""
    last = len(answer_space(doc)) - 1
    if math.isnan(prediction):
        return last // 2
    if has_two_answers(doc):
        return 0 if prediction >= 0 else 1
    return min(max(math.floor(prediction + 0.5) - int(doc["scale"][0]), 0), last)
