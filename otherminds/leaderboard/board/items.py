"""A task's items as a board sees them, and the scores of thousands of files of answers to them.

A board reads a file per submission and task. The facts that files share, the order of their rows and
which answers are right, are worked out once; the rest is arithmetic on columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import Expected, expected
from otherminds.leaderboard.judging.sums import Cells, cells
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import TaskRun
from otherminds.types import IntArray

Bools = NDArray[np.bool_]

_READ = ("item_id", "run", "parsed", "log_likelihoods")


@dataclass(frozen=True)
class _Layout:
    """The document that each row of a file answers.

    places  shape (rows,): the place of its item
    order   rows in order of item id and run
    asked   how each line of the digest begins, in that order
    """

    items: list[str]
    runs: list[int]
    repeats: int
    places: NDArray[np.intp]
    order: NDArray[np.intp]
    asked: list[str]


class Asked:
    """The items of a task on the tagged data, in their order."""

    def __init__(self, known: Expected) -> None:
        self.known = known
        views = [document.view for document in known.documents.values()]
        self.items = tuple(known.documents)
        self.people = tuple(view.person for view in views)
        self.parts = tuple(view.part for view in views)
        self._places = {item: place for place, item in enumerate(self.items)}
        self._judged: dict[str | None, tuple[Bools, Bools]] = {}
        self._layout: _Layout | None = None

    @cached_property
    def cells(self) -> Cells:
        """The items by person and part."""
        return cells(self.items, self.people, self.parts)

    def right(self, path: Path, run: TaskRun) -> IntArray:
        """By item, the number of the runs in which the answer in a file of answers is right.

        The file is one that was accepted. Raises RefusedError where it has changed since, or does not
        answer every item once in every run.
        """
        found = answers.table(path, _READ)
        layout = self._laid_out(found["item_id"].to_pylist(), found["run"].to_pylist(), run.repeats)
        coded = found["parsed"].combine_chunks().dictionary_encode()
        values = [*coded.dictionary.to_pylist(), None]
        codes = coded.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False)
        self._check_digest(layout, run, values, codes, found["log_likelihoods"])
        right = np.zeros(len(codes), dtype=bool)
        for code in np.unique(codes):
            rows = np.flatnonzero(codes == code)
            admitted, correct = self._of(values[code])
            own = layout.places[rows]
            if not admitted[own].all():
                raise RefusedError("answer-invalid", f"{run.task}: {values[code]}")
            right[rows] = correct[own]
        return np.bincount(layout.places[right], minlength=len(self.items))

    def _laid_out(self, items: list[str], runs: list[int], repeats: int) -> _Layout:
        # Files of one task list the same items in the same order, as lm-eval asked for them.
        last = self._layout
        if last and (last.items, last.runs, last.repeats) == (items, runs, repeats):
            return last
        rows = [
            Row(item, None, of_run, None, None, None, None)
            for item, of_run in zip(items, runs, strict=True)
        ]
        by_item = rescore.check_complete(rows, repeats, len(self.items))
        if strangers := sorted(by_item.keys() - self._places.keys()):
            raise RefusedError("item-unknown", strangers[0])
        order = sorted(range(len(items)), key=lambda row: (items[row], runs[row]))
        self._layout = _Layout(
            items=items,
            runs=runs,
            repeats=repeats,
            places=np.array([self._places[item] for item in items]),
            order=np.array(order),
            asked=[answers.asked(items[row], runs[row]) for row in order],
        )
        return self._layout

    @staticmethod
    def _check_digest(
        layout: _Layout, run: TaskRun, values: Sequence[str | None], codes: Any, logs: Any
    ) -> None:
        ordered = codes[layout.order].tolist()
        if logs.null_count == len(codes):
            texts = [answers.answered(value, None) for value in values]
            lines = map(str.__add__, layout.asked, map(texts.__getitem__, ordered))
        else:
            numbers = logs.to_pylist()
            ends = (
                answers.answered(values[code], numbers[row])
                for code, row in zip(ordered, layout.order, strict=True)
            )
            lines = map(str.__add__, layout.asked, ends)
        rescore.check_same_digest(run, answers.digest_of(lines))

    def _of(self, parsed: str | None) -> tuple[Bools, Bools]:
        """Of an answer: by item, whether it is admitted, and whether it is right."""
        if parsed not in self._judged:
            admitted = np.zeros(len(self.items), dtype=bool)
            correct = np.zeros(len(self.items), dtype=bool)
            for place, document in enumerate(self.known.documents.values()):
                if parsed is None or parsed in document.answers:
                    answer = None if parsed is None else document.answers[parsed]
                    admitted[place] = True
                    correct[place] = document.record.with_answers((answer,)).view().correct[0]
            self._judged[parsed] = admitted, correct
        return self._judged[parsed]


@lru_cache(maxsize=8)
def asked(task: str, subset: int | None) -> Asked:
    """The items of a task. Raises as `expected`."""
    return Asked(expected(task, subset))
