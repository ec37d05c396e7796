"""Item scores on a board: from files as they were accepted, and from nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from otherminds.leaderboard.board import accepted, build, load
from otherminds.leaderboard.board.items import Asked
from otherminds.leaderboard.board.tables import tabulate
from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.records import answers, verifications
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import Submission, TaskRun, Verification
from tests.engine.leaderboard import board_entries as made
from tests.engine.leaderboard.conftest import TASK, TOLD, Forged


def run_of(forged: Forged) -> TaskRun:
    return Submission.model_validate_json((forged.folder / "record.json").read_bytes()).tasks[0]


def test_scores_are_those_of_the_verifier_in_any_order_of_rows(forged: Forged) -> None:
    known = expected(TASK, 50)
    asked = Asked(known)
    records = rescore.rescore(answers.read(forged.answers), 1, known).records
    true = [sum(record.view().correct) for record in records]
    assert asked.right(forged.answers, run_of(forged)).tolist() == true
    forged.rows(lambda rows: rows[::-1])
    assert asked.right(forged.answers, run_of(forged)).tolist() == true


def test_repeats_are_counted(forged: Forged) -> None:
    known = expected(TASK, 50)

    def twice(rows: list[Row]) -> list[Row]:
        # The second run is right throughout.
        golds = {item: one.view.gold for item, one in known.documents.items()}
        return rows + [row._replace(run=1, parsed=golds[row.item_id]) for row in rows]

    once = Asked(known).right(forged.answers, run_of(forged))
    forged.rows(twice)
    forged.task(repeats=2)
    found = Asked(known).right(forged.answers, run_of(forged))
    assert np.array_equal(found, once + 1)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: rows[1:], "coverage"),
        (lambda rows: [*rows[1:], rows[1]], "row-duplicate"),
        (lambda rows: [rows[0]._replace(item_id="nobody"), *rows[1:]], "item-unknown"),
        (lambda rows: [rows[0]._replace(parsed="Z"), *rows[1:]], "answer-invalid"),
    ],
)
def test_files_that_were_never_acceptable_have_no_scores(
    forged: Forged, change: object, code: str
) -> None:
    forged.rows(change)  # type: ignore[arg-type]  # pytest passes what it was given
    with pytest.raises(RefusedError) as error:
        Asked(expected(TASK, 50)).right(forged.answers, run_of(forged))
    assert error.value.finding.code == code


def test_files_that_have_changed_have_no_scores(forged: Forged) -> None:
    asked = Asked(expected(TASK, 50))
    forged.rows(lambda rows: [row._replace(parsed=None) for row in rows], honest_hash=False)
    with pytest.raises(RefusedError, match="answers-digest"):
        asked.right(forged.answers, run_of(forged))
    forged.answers.write_bytes(b"PAR1")
    with pytest.raises(RefusedError, match="not-parquet"):
        asked.right(forged.answers, run_of(forged))


def test_log_likelihoods_are_part_of_the_digest(forged: Forged) -> None:
    asked = Asked(expected(TASK, 50))
    forged.rows(lambda rows: [row._replace(log_likelihoods=[-1.0, -2.5]) for row in rows])
    before = asked.right(forged.answers, run_of(forged))
    forged.rows(
        lambda rows: [row._replace(log_likelihoods=[-1.0, -2.0]) for row in rows],
        honest_hash=False,
    )
    assert len(before) == len(asked.items)
    with pytest.raises(RefusedError, match="answers-digest"):
        asked.right(forged.answers, run_of(forged))


# ---------------------------------------------------------------- what has changed since


def test_rows_that_are_not_comparable_stand_apart() -> None:
    entries = [
        made.entry(f"m{number}", {"humans": made.drawn(0.6, seed=number)}) for number in range(3)
    ]
    old = entries[0]
    flag = finding("not-comparable", "humans: version 1.0 on data 1.0, now 2.0 on 1.0 (prompts)")
    changed = old.verification.model_copy(update={"flags": [flag]})
    entries[0] = type(old)(old.id, old.record, changed, old.answers)
    [table] = tabulate(entries, made.references(("humans",))).tables
    assert [row.rank for row in table.rows] == [1, 2, None]
    assert table.rows[2].apart.startswith("not comparable: version 1.0")
    assert table.rows[2].letters == ""


def test_rows_that_were_scored_again_stand_under_the_new_version() -> None:
    old = made.entry("old", {"humans": made.drawn(0.6, seed=1)})
    again = old.verification.model_copy(update={"task_versions": {"humans": "2.0"}})
    entries = [
        type(old)(old.id, old.record, again, old.answers),
        made.entry("new", {"humans": made.drawn(0.7, seed=2)}, task_version="2.0"),
        made.entry("left", {"humans": made.drawn(0.7, seed=3)}),
    ]
    [table] = tabulate(entries, made.references(("humans",))).tables
    found = {row.number: row.apart for row in table.rows}
    # In order of ids: left, new, old.
    assert found == {0: "task version 1.0", 1: "", 2: ""}


@pytest.mark.attack(
    "single answers of a submission, read from the board's page",
    outcome="none stands in it",
    against="pages",
)
def test_a_board_shows_no_single_item_answer_hash_or_reply(forged: Forged, tmp_path: Path) -> None:
    # Of any data, open or not: what a board is made of is sums over people and parts.
    forged.rows(lambda rows: [row._replace(raw=f"{row.raw} zebra") for row in rows])
    verifications.write(forged.folder, Verification(level="re-scored", checked=TOLD.date))
    [entry] = accepted(forged.folder.parent, {TASK}, say=print)
    known = load()
    board = known.boards[0].model_copy(update={"task": TASK, "dataset": run_of(forged).dataset})
    build([entry], type(known)(boards=[board]), tmp_path)
    from tests.engine.leaderboard.test_board import data_of

    rows = answers.read(forged.answers)
    page = json.dumps(data_of(tmp_path / "index.html"))
    for text in (page, *((tmp_path / name).read_text() for name in ("board.csv", "board.json"))):
        assert TOLD.name in text
        assert "zebra" not in text
        assert not any(row.item_id in text or str(row.doc_hash) in text for row in rows)
