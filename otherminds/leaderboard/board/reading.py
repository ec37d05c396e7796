"""Entries of the board from the folder of accepted submissions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from otherminds.leaderboard import answers, answers_reader, intake, rescore
from otherminds.leaderboard.answers import Row
from otherminds.leaderboard.board.entries import Entry, ItemScores
from otherminds.leaderboard.expected import Expected, UnavailableError, expected
from otherminds.leaderboard.reasons import RefusedError
from otherminds.leaderboard.record import VERIFICATION, TaskRun, Verification

Say = Callable[[str], None]


def accepted(submissions: Path, tasks: Collection[str], *, say: Say) -> Iterator[Entry]:
    """The accepted submissions in a folder, one at a time, in order of their ids.

    submissions  holds a folder `<id>` each; one without a `verification.json` was not accepted
    tasks        the tasks whose answers are wanted: those of the boards
    say          is told what is left out, and why

    Answers are scored again with the tagged data. Where these are not at hand, or a task, its data or
    the rules have changed since, a submission is shown without them, and so not compared.
    """
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        folder = path.parent
        try:
            record = intake.read(folder, accepted=True)
            verification = Verification.model_validate_json(path.read_bytes())
        except RefusedError as error:
            say(f"{folder.name} is left out: {error}")
            continue
        except ValidationError:
            say(f"{folder.name} is left out: its {VERIFICATION} does not fit the schema.")
            continue
        found = {}
        for run in record.tasks:
            if run.task in tasks:
                try:
                    found[run.task] = _item_scores(folder, run)
                except (RefusedError, UnavailableError) as error:
                    say(f"{folder.name} is not compared by {run.task}: {error}")
        yield Entry(folder.name, record, verification, found)


def _item_scores(folder: Path, run: TaskRun) -> ItemScores:
    asked = _asked(run.task, run.subset)
    rescore.check_stated(run, asked.known.rules)
    rescore.check_data(run, asked.known)
    # The verifier read this file in a process of its own before it was accepted; two thousand such
    # processes would be most of a build. Its limits hold here too.
    found = answers_reader.read(folder / run.answers, answers.LIMITS)
    if "reason" in found:
        raise RefusedError(found["reason"], found["detail"])
    rows = [Row(*values) for values in zip(*(found[name] for name in Row._fields), strict=True)]
    rescore.check_digest(run, rows)
    by_item = rescore.check_complete(rows, run.repeats, len(asked.items))
    return ItemScores(
        items=asked.items,
        people=asked.people,
        parts=asked.parts,
        scores=np.array([asked.score(item, by_item.get(item, ())) for item in asked.items]),
    )


class _Asked:
    """A task's items, and which answers to them are right: each is judged once."""

    def __init__(self, known: Expected) -> None:
        self.known = known
        views = [document.view for document in known.documents.values()]
        self.items = tuple(known.documents)
        self.people = tuple(view.person for view in views)
        self.parts = tuple(view.part for view in views)
        self._right: dict[tuple[str, str | None], bool] = {}

    def score(self, item: str, given: Sequence[Row]) -> float:
        """Share of the runs in which the answer is right. Raises RefusedError without answers."""
        if not given:
            raise RefusedError("coverage", f"{item} is not answered.")
        return sum(self._is_right(item, row.parsed) for row in given) / len(given)

    def _is_right(self, item: str, parsed: str | None) -> bool:
        if (item, parsed) not in self._right:
            document = self.known.documents[item]
            if parsed is not None and parsed not in document.answers:
                raise RefusedError("answer-invalid", f"{item}: {parsed}")
            answer = None if parsed is None else document.answers[parsed]
            view = document.record.with_answers((answer,)).view()
            self._right[item, parsed] = view.correct[0]
        return self._right[item, parsed]


@lru_cache(maxsize=8)
def _asked(task: str, subset: int | None) -> _Asked:
    return _Asked(expected(task, subset))
