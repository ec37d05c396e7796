"""Entries of the board from the folder of accepted submissions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from otherminds.leaderboard.board.entries import Entry, ItemScores
from otherminds.leaderboard.board.items import asked
from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import UnavailableError
from otherminds.leaderboard.records import intake, verifications
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION, TaskRun
from otherminds.types import Say


def accepted(submissions: Path, tasks: Collection[str], *, say: Say) -> Iterator[Entry]:
    """The accepted submissions in a folder, one at a time, in order of their ids.

    submissions  holds a folder `<id>` each; one without a `verification.json` was not accepted
    tasks        the tasks whose answers are wanted: those of the boards
    say          is called with each that is left out, and the reason

    Answers are scored again with the tagged data. Where these are not at hand, or a task, its data or
    the rules have changed since, a submission is shown without them, and so not compared.
    """
    for path in sorted(submissions.glob(f"*/{VERIFICATION}")):
        folder = path.parent
        try:
            record = intake.read(folder, accepted=True)
            verification = verifications.read(folder)
        except RefusedError as error:
            say(f"{folder.name} is left out: {error}")
            continue
        if record.season is not None:
            continue  # it stands with its season
        found = {}
        for run in record.tasks:
            if run.task in tasks:
                try:
                    found[run.task] = _item_scores(folder, verification.scored(run))
                except (RefusedError, UnavailableError) as error:
                    say(f"{folder.name} is not compared by {run.task}: {error}")
        yield Entry(folder.name, record, verification, found)


def _item_scores(folder: Path, run: TaskRun) -> ItemScores:
    known = asked(run.task, run.subset)
    rescore.check_stated(run, known.known.rules)
    rescore.check_data(run, known.known)
    return ItemScores(
        items=known.items,
        people=known.people,
        parts=known.parts,
        scores=known.scores(folder / run.answers, run),
    )
