"""An operator's own run grants `re-run`, or says what differs."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError
from otherminds.leaderboard import answers, verifications, verify
from otherminds.leaderboard import expected as expecting
from otherminds.leaderboard.answers import Row
from otherminds.leaderboard.record import Verification
from otherminds.leaderboard.rerun import rerun
from otherminds.leaderboard.rescore import rescore
from tests.analysis.conftest import SUBSET, evaluated
from tests.otherminds.leaderboard.conftest import TASK, Forged

DAY = date(2026, 2, 3)


@pytest.fixture
def merged(forged: Forged) -> Forged:
    """An accepted submission."""
    verifications.write(forged.folder, verify.verify(forged.folder).verification(DAY))
    return forged


def granted(forged: Forged, results: Path) -> Verification:
    return rerun(forged.folder, [results], by="operator", date=DAY)


def test_the_same_answers_again(merged: Forged, results: Path) -> None:
    before = verifications.read(merged.folder)
    found = granted(merged, results)
    assert (found.level, before.level) == ("re-run", "re-scored")
    assert found.rerun is not None
    assert (found.rerun.by, found.rerun.date) == ("operator", DAY)
    difference = found.rerun.differences[TASK]["bsi_acc"]
    assert (difference.value, difference.low, difference.high) == (0, 0, 0)
    assert found.recomputed == before.recomputed
    # Nothing was written, and what is can be read.
    assert verifications.read(merged.folder) == before
    verifications.write(merged.folder, found)
    assert verifications.read(merged.folder) == found


def test_a_model_that_answers_anew_is_the_same_model(
    merged: Forged, cache: Path, tmp_path: Path
) -> None:
    # Another seed of random answers: the scores differ, though not by more than chance.
    out = tmp_path / "again"
    evaluated(out, "--model", "random", "--model_args", "seed=5", *SUBSET, task=TASK)
    found = granted(merged, out)
    assert found.rerun is not None
    assert found.level == "re-run"
    assert found.rerun.differences[TASK]["bsi_acc"].value != 0


def test_scores_that_the_operator_does_not_find(merged: Forged, results: Path) -> None:
    known = expecting.expected(TASK, 50)

    def better(rows: list[Row]) -> list[Row]:
        # A fifth of the wrong answers, put right.
        wrong = [row.item_id for row in rows if not row.correct]
        lifted = set(wrong[::5])
        return [
            row._replace(parsed=known.documents[row.item_id].view.gold, raw=None, correct=True)
            if row.item_id in lifted
            else row._replace(raw=None)
            for row in rows
        ]

    merged.rows(better)
    rows = answers.read(merged.answers)
    found = rescore(rows, 1, known).metrics
    merged.task(metrics={name: one.model_dump() for name, one in found.items()})
    with pytest.raises(OtherMindsError, match=r"scores differ.*bsi_acc .* difference 0\.\d+ \["):
        granted(merged, results)


def test_a_run_of_something_else_grants_nothing(
    merged: Forged, results: Path, cache: Path, tmp_path: Path
) -> None:
    other = "hugagent_bsi_swapped_synthetic"
    evaluated(tmp_path / "other", "--model", "random", *SUBSET, task=other)
    with pytest.raises(OtherMindsError, match=f"{TASK} was not run"):
        granted(merged, tmp_path / "other")
    merged.task(decoding={"temperature": "0.7"})
    with pytest.raises(OtherMindsError, match="was run otherwise: decoding"):
        granted(merged, results)


def test_only_accepted_submissions_can_be_rerun(forged: Forged, results: Path) -> None:
    with pytest.raises(OtherMindsError, match="not-accepted"):
        granted(forged, results)
